import Glibc
import Synchronization

/// Ends the processes that the tests started and unmounts their file systems if the test process
/// dies, for any reason.
///
/// A shell reads from a pipe whose writing end this process holds. When this process is gone, the
/// shell reads the end of the pipe and cleans up everything that was registered and not yet ended.
final class Reaper: Sendable {
    static let shared = Reaper()

    private let pipe: Int32

    private static let script = """
        running=" " mounted=" "
        while read -r word it; do
            case $word in
                started) running="$running$it " ;;
                ended) running="${running%% $it *} ${running#* $it }" ;;
                mounted) mounted="$mounted$it " ;;
                unmounted) mounted="${mounted%% $it *} ${mounted#* $it }" ;;
            esac
        done
        for pid in $running; do kill -9 "$pid"; done
        for path in $mounted; do umount -l "$path"; done
        """

    private init() {
        let ends = UnixPipe.ends()
        pipe = ends.writing
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends.reading, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDWR, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // In a separate process group, so that Ctrl-C does not end it.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", Self.script].map { (word: String) in strdup(word) }
        var pid: pid_t = 0
        posix_spawn(&pid, "/bin/sh", &actions, &attributes, words + [nil], environ)
        for word in words { free(word) }
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
        close(ends.reading)
    }

    func started(_ pid: pid_t) { report("started \(pid)\n") }

    func ended(_ pid: pid_t) { report("ended \(pid)\n") }

    func mounted(_ path: String) { report("mounted \(path)\n") }

    func unmounted(_ path: String) { report("unmounted \(path)\n") }

    /// Writes a line that is short enough to be written atomically.
    private func report(_ line: String) {
        let bytes = Array(line.utf8)
        _ = write(pipe, bytes, bytes.count)
    }
}

/// A pipe that children do not inherit.
enum UnixPipe {
    static func ends() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("the tests may open two more files") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
