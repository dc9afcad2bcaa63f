import Glibc
import Synchronization

/// Unbuffered output to standard output and standard error.
package enum Output {
    /// Holds what a part of the program writes, while a full-screen program owns the terminal.
    package final class Hold: Sendable {
        private let held = Mutex<[String]>([])

        package init() {}

        /// The texts, in the order of their writes, without a final line feed.
        package var texts: [String] { held.withLock { $0 } }

        fileprivate func add(_ text: String) {
            held.withLock { $0.append(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
        }
    }

    /// Where this task's output goes instead of the terminal; nil for none.
    @TaskLocal package static var hold: Hold?

    /// Writes to standard output or the pager. If the reader is gone (`| head`), ends the program
    /// by SIGPIPE without a message.
    ///
    /// - Throws: `ExitFailure` for any other error.
    package static func write(_ bytes: [UInt8]) throws {
        if let hold { return hold.add(String(decoding: bytes, as: UTF8.self)) }
        if try Pager.take(bytes) { return }
        let errorNumber = writeAll(bytes, to: STDOUT_FILENO)
        if errorNumber == EPIPE {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        guard errorNumber == 0 else { throw ExitFailure("cannot write the output: \(SystemError.text(errorNumber))") }
    }

    package static func line(_ text: String) throws {
        try write(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    package static func lines(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try write(Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")])
    }

    /// Prints a message on standard error, after the program's name. Control characters are escaped, since a
    /// part of the message may come from others. Errors are ignored.
    package static func note(_ message: String) {
        let message = SafeText.text(message)
        if let hold { return hold.add(message) }
        Pager.finish()
        Progress.clear()
        _ = writeAll(Array("\(Program.name): \(message)\n".utf8), to: STDERR_FILENO)
    }

    /// Asks a question on standard error, and waits for a line on standard input.
    ///
    /// - Returns: whether the answer is `y` or `yes`.
    package static func isConfirmed(_ question: String) -> Bool {
        Pager.finish()
        _ = writeAll(Array("\(question) [y/N] ".utf8), to: STDERR_FILENO)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// Prints further lines on standard error, below a message. The lines may be styled, so the caller
    /// escapes what comes from others.
    package static func explain(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        if let hold { return hold.add(lines.joined(separator: "\n")) }
        _ = writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes. Returns 0 or an `errno`.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
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

/// A progress line on standard error, if that is a terminal.
package enum Progress {
    /// Files between two updates.
    package static let every = 25

    package static func show(_ text: String) {
        guard Terminal.isError else { return }
        _ = Output.writeAll(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
    }

    package static func clear() {
        guard Terminal.isError else { return }
        _ = Output.writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO)
    }
}

package enum SystemError {
    package static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
