#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard output and standard error, byte for byte and at once.
enum Output {
    /// A reader that has gone (`| head`) ends the program quietly, by the signal that says so.
    static func write(_ bytes: [UInt8]) throws {
        if try Pager.take(bytes) { return }
        let errorNumber = writeAll(bytes, to: STDOUT_FILENO)
        if errorNumber == EPIPE {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        guard errorNumber == 0 else { throw ExitFailure("cannot write the output: \(SystemError.text(errorNumber))") }
    }

    static func line(_ text: String) throws {
        try write(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    static func lines(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try write(Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")])
    }

    /// One line on standard error, with the program's name. What becomes of it there is nobody's concern.
    static func note(_ message: String) {
        Pager.finish()
        Progress.clear()
        _ = writeAll(Array("\(Program.name): \(message)\n".utf8), to: STDERR_FILENO)
    }

    /// Lines on standard error under one that complains.
    static func explain(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        _ = writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
    }

    /// Returns 0, or the error's number.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                if count < 0 { return errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }
}

/// A line on a terminal that says how far the work is.
enum Progress {
    /// After how many files it is told anew.
    static let every = 25

    static func show(_ text: String) {
        guard Terminal.isError else { return }
        _ = Output.writeAll(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
    }

    static func clear() {
        guard Terminal.isError else { return }
        _ = Output.writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO)
    }
}

enum SystemError {
    static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
