import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Shows what is longer than the screen page by page, in the user's pager. Only on a terminal.
///
/// What is written is held until it is more than the screen has rows; then the pager is started, and gets that and the rest.
enum Pager {
    private enum Phase {
        case off
        /// What was written so far.
        case holding([UInt8])
        case paging(process: pid_t, input: Int32)
    }

    private static let phase = Mutex(Phase.off)

    /// `less` leaves at once where all fits (`-F`), lets colours through (`-R`) and leaves the text on the screen (`-X`).
    static let standard = "less -FRX"

    /// What the environment asks for; nil for none.
    static var command: String? {
        // Empty means none here, and not unset.
        for name in ["NOTESD_PAGER", "PAGER"] {
            guard let value = getenv(name) else { continue }
            let text = String(cString: value)
            return text.isEmpty || text == "cat" ? nil : text
        }
        return standard
    }

    static func start() {
        guard Terminal.isOutput, Environment["TERM"] != "dumb", command != nil else { return }
        phase.withLock { if case .off = $0 { $0 = .holding([]) } }
    }

    /// Returns false where nothing is paged, and the bytes are to be written as always.
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
        // The reader has seen enough.
        if errorNumber == EPIPE {
            finish()
            exit(0)
        }
        guard errorNumber == 0 else { throw ExitFailure("cannot write the output: \(SystemError.text(errorNumber))") }
        return true
    }

    /// Writes what is held, or waits until the reader has left the pager.
    static func finish() {
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

    /// How many rows the text takes, lines that are too long taking several.
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
        // A reader who leaves early is no fault, and Ctrl-C is the pager's.
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
