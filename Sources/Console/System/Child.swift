import Dispatch
package import Glibc

/// Runs other programs and waits for them.
package enum Child {
    package enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        /// `waitpid` failed, so the status is unknown.
        case unknown

        package var isSuccess: Bool { self == .exited(0) }

        package var text: String {
            switch self {
            case .exited(let code): "exited with status \(code)"
            case .killed(let signal): "was killed by signal \(signal)"
            case .unknown: "ended with an unknown status"
            }
        }
    }

    /// Runs a program and waits for its end.
    ///
    /// - Parameters:
    ///   - environment: variables to add to this program's own.
    ///   - input, output: the program's standard input and output; nil for this program's own.
    ///   - ownsTerminal: whether only the program receives Ctrl-C while it runs, as an editor
    ///     needs.
    /// - Throws: `ExitFailure` if the program cannot be started.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], input: Int32? = nil, output: Int32? = nil,
        ownsTerminal: Bool = false
    ) throws -> End {
        let former = ownsTerminal ? (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN)) : nil
        defer {
            if let former {
                signal(SIGINT, former.0)
                signal(SIGQUIT, former.1)
            }
        }
        return wait(try start(arguments, environment: environment, input: input, output: output))
    }

    /// Runs a program that owns the terminal, and a task concurrently.
    ///
    /// - Parameters:
    ///   - beside: the task; it must return after `ending` was called.
    ///   - ending: called when the program has ended.
    /// - Throws: `ExitFailure` if the program cannot be started.
    package static func run(
        _ arguments: [String], beside: @escaping @Sendable () async -> Void, ending: @Sendable () async -> Void
    ) async throws -> End {
        let former = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
        func restore() {
            signal(SIGINT, former.0)
            signal(SIGQUIT, former.1)
        }
        let process: pid_t
        do { process = try start(arguments) } catch {
            restore()
            throw error
        }
        let besides = Task { await beside() }
        // The wait blocks its thread, which must not be one of Swift's.
        let end = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: wait(process)) }
        }
        // Restore Ctrl-C: the task may still wait for the daemon, and no other program handles the
        // terminal now.
        restore()
        await ending()
        await besides.value
        return end
    }

    /// Starts a program as `run` does, but does not wait for it.
    package static func start(
        _ arguments: [String], environment: [String: String] = [:], input: Int32? = nil, output: Int32? = nil
    ) throws -> pid_t {
        // If the parent had SIGCHLD ignored, waitpid could not report how the child ended.
        signal(SIGCHLD, SIG_DFL)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child must not inherit the signals that this program ignores or this thread blocks.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var variables: [UnsafeMutablePointer<CChar>?] = Environment.with(environment).map { $0.withCPath(strdup) }
        defer { for variable in variables { free(variable) } }
        variables.append(nil)
        var process = pid_t()
        let errorNumber = posix_spawnp(&process, words[0] ?? strdup(""), &actions, &attributes, words, variables)
        guard errorNumber == 0 else {
            throw ExitFailure("cannot run \(SafeText.line(arguments.first ?? "")): \(SystemError.text(errorNumber))")
        }
        return process
    }

    /// Waits for a program to end.
    package static func wait(_ process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .unknown }
        }
        return end(status)
    }

    private static func end(_ status: Int32) -> End {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
