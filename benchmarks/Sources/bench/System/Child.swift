import Glibc

/// A child process that ends when its last reference goes away.
final class Child {
    let pid: pid_t
    private var isOver = false
    private let cleanup: Cleanup.Ticket

    /// - Parameters:
    ///   - output: Path for standard output and standard error; nil to discard them.
    ///   - environment: The complete environment.
    ///   - terminal: Path of a terminal for all three standard streams, which the process then controls; nil for none.
    ///   - stream: Standard input and standard output of the process; nil for none.
    ///   - abort: Signal that ends the process immediately with its children. SIGKILL follows after
    ///     5 s.
    init(
        _ arguments: [String], environment: [String] = [], output: String? = nil, terminal: String? = nil,
        stream: Descriptor? = nil, abort: Int32 = SIGKILL
    ) throws(Failure) {
        var pid: pid_t = 0
        cleanup = try Cleanup.add { () throws(Failure) in
            let started = try Self.start(
                arguments, environment: environment, output: output, terminal: terminal, stream: stream)
            pid = started
            return { Self.end(started, with: abort, secondsMax: 5) }
        }
        self.pid = pid
    }

    deinit {
        guard !isOver else { return }
        Cleanup.perform(cleanup)
        wait()
    }

    /// `POSIX_SPAWN_SETSID`, which the Glibc module lacks. The first terminal that a new session opens controls it.
    private static let newSession: Int32 = 0x80

    /// Starts the process in its own process group, so that signals from a terminal reach only this
    /// program. The child ignores no signal.
    private static func start(
        _ arguments: [String], environment: [String], output: String?, terminal: String?, stream: Descriptor?
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal ?? "/dev/null", terminal == nil ? O_RDONLY : O_RDWR, 0)
        if terminal == nil {
            posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        } else {
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
        }
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        if let stream {
            posix_spawn_file_actions_adddup2(&actions, stream.number, 0)
            posix_spawn_file_actions_adddup2(&actions, stream.number, 1)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16((terminal == nil ? POSIX_SPAWN_SETPGROUP : newSession) | POSIX_SPAWN_SETSIGDEF))
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw Failure("\(arguments[0]): \(String(cString: strerror(code)))") }
        return pid
    }

    /// Starts a process, waits for its end, and returns its output. Throws if its exit code is not
    /// 0.
    static func said(_ arguments: [String], environment: [String] = []) throws(Failure) -> String {
        let folder = try Scratch(in: "/tmp")
        defer { withExtendedLifetime(folder) {} }
        let output = "\(folder.path)/said"
        let code = try Child(arguments, environment: environment, output: output, abort: SIGTERM).wait()
        let said = try ProcessFacts.text(output)
        guard code == 0 else { throw Failure("\(arguments[0]) ended with \(code):\n\(said.suffix(2_000))") }
        return said
    }

    /// Sends SIGTERM and waits; sends SIGKILL after `secondsMax`. Returns the exit code, or 128
    /// plus the signal.
    @discardableResult
    func end(secondsMax: Double = 20) -> Int32 {
        guard !isOver else { return 0 }
        Self.end(pid, with: SIGTERM, secondsMax: secondsMax)
        return wait()
    }

    /// Signals the process and waits for its end, but leaves its exit code to `wait`.
    private static func end(_ pid: pid_t, with signal: Int32, secondsMax: Double) {
        kill(pid, signal)
        let limit = seconds() + secondsMax
        while !hasEnded(pid), seconds() < limit { pause(seconds: 0.002) }
        if !hasEnded(pid) { kill(pid, SIGKILL) }
    }

    /// Waits for the process. Returns its exit code, or 128 plus the signal.
    @discardableResult
    func wait() -> Int32 {
        guard !isOver else { return 0 }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isOver = true
        Cleanup.remove(cleanup)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
    }

    /// Whether the process has ended by itself.
    var hasEnded: Bool { isOver || Self.hasEnded(pid) }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return errno == ECHILD }
        return info.si_signo == SIGCHLD
    }
}
