import Glibc

/// A process that was started here, and ends with whoever holds this.
final class Child {
    let pid: pid_t
    private var isOver = false
    private let cleanup: Cleanup.Ticket

    /// - Parameters:
    ///   - output: where standard output and standard error go; nil: nowhere.
    ///   - environment: all of it.
    init(_ arguments: [String], environment: [String] = [], output: String? = nil) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, arguments[0], &actions, nil, &argv, &envp)
        guard code == 0 else { throw Failure("\(arguments[0]): \(String(cString: strerror(code)))") }
        self.pid = pid
        let started = pid
        cleanup = Cleanup.add { kill(started, SIGKILL) }
    }

    deinit {
        guard !isOver else { return }
        kill(pid, SIGKILL)
        wait()
    }

    /// Asks it to end, and waits until it has; kills it where that takes longer than `secondsMax`. Returns its exit code, or 128
    /// and the signal.
    @discardableResult
    func end(secondsMax: Double = 20) -> Int32 {
        kill(pid, SIGTERM)
        let limit = seconds() + secondsMax
        while !hasEnded, seconds() < limit { pause(seconds: 0.002) }
        if !hasEnded { kill(pid, SIGKILL) }
        return wait()
    }

    /// Returns its exit code once it has ended, or 128 and the signal.
    @discardableResult
    func wait() -> Int32 {
        guard !isOver else { return 0 }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isOver = true
        Cleanup.remove(cleanup)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
    }

    /// Whether it has ended by itself.
    var hasEnded: Bool {
        guard !isOver else { return true }
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }
}
