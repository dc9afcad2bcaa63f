import Glibc
import Synchronization

/// Sends output that is longer than the screen to the user's pager, if standard output is a
/// terminal.
///
/// Output is held back until it has more rows than the screen; then the pager starts and receives
/// that and all further output.
package enum Pager {
    private enum Phase {
        case off
        /// The output so far.
        case holding([UInt8])
        case paging(process: pid_t, input: Int32)
    }

    private static let phase = Mutex(Phase.off)

    /// The default pager. `less` exits at once if everything fits (`-F`), passes colours through
    /// (`-R`) and leaves the text on the screen (`-X`).
    static let standard = "less -FRX"

    /// The pager command from the environment; nil to use none.
    static var command: String? {
        // Here an empty variable means no pager, not unset.
        for name in ["NOTESD_PAGER", "PAGER"] {
            guard let value = getenv(name) else { continue }
            let text = String(cString: value)
            return text.isEmpty || text == "cat" ? nil : text
        }
        return standard
    }

    /// Begins to hold output back for the pager, unless the terminal or the environment rules it
    /// out.
    package static func start() {
        guard Terminal.isOutput, Environment["TERM"] != "dumb", command != nil else { return }
        phase.withLock { if case .off = $0 { $0 = .holding([]) } }
    }

    /// Takes output for the pager. Returns false if paging is off and the caller must write the
    /// bytes itself.
    static func take(_ bytes: [UInt8]) throws -> Bool {
        let errorNumber = phase.withLock { phase -> Int32? in
            switch phase {
            case .off: return nil
            case .holding(let held):
                let all = held + bytes
                guard rows(of: all) >= Terminal.rows else {
                    phase = .holding(all)
                    return 0
                }
                guard let (process, input) = started() else {
                    phase = .off
                    return Output.writeAll(all, to: STDOUT_FILENO)
                }
                phase = .paging(process: process, input: input)
                return Output.writeAll(all, to: input)
            case .paging(_, let input): return Output.writeAll(bytes, to: input)
            }
        }
        guard let errorNumber else { return false }
        // The user has quit the pager.
        if errorNumber == EPIPE {
            finish()
            exit(0)
        }
        guard errorNumber == 0 else { throw ExitFailure("cannot write the output: \(SystemError.text(errorNumber))") }
        return true
    }

    /// Writes the output held back, or waits until the user quits the pager.
    package static func finish() {
        let last = phase.withLock { phase in
            defer { phase = .off }
            return phase
        }
        switch last {
        case .off: break
        case .holding(let held): _ = Output.writeAll(held, to: STDOUT_FILENO)
        case .paging(let process, let input):
            close(input)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
    }

    /// Rows that the text takes on the screen; a line wider than the screen takes several.
    private static func rows(of text: [UInt8]) -> Int {
        let columns = max(1, Terminal.columns ?? 80)
        return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().reduce(0) { rows, line in
            rows + max(1, (DisplayWidth.of(Style.stripped(String(decoding: line, as: UTF8.self))) + columns - 1) / columns)
        }
    }

    private static func started() -> (process: pid_t, input: Int32)? {
        guard let command else { return nil }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Quitting the pager early is not an error, and Ctrl-C belongs to the pager.
        signal(SIGPIPE, SIG_IGN)
        guard let process = try? Child.start(["sh", "-c", command], environment: ["LESSCHARSET": "utf-8"], input: ends[0]) else {
            close(ends[0])
            close(ends[1])
            return nil
        }
        signal(SIGINT, SIG_IGN)
        close(ends[0])
        return (process, ends[1])
    }
}
