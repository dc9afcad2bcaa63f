import Glibc

/// The name and the version of the program.
enum Program {
    static let name = "notesd-postgres"
    static let version = "0.1.0"
}

/// The exit status of the program, by the BSD convention of `sysexits.h`.
enum ExitStatus: Int32 {
    case failed = 1
    /// The command line is wrong (`EX_USAGE`).
    case usage = 64
    /// A new start may succeed (`EX_TEMPFAIL`).
    case notNow = 75
    /// The database denies access (`EX_NOPERM`).
    case notAllowed = 77
}

/// An error that ends the program. Its one-line message says what failed and what to do.
struct ExitFailure: Error {
    let message: String
    let code: ExitStatus

    init(_ message: String, _ code: ExitStatus = .failed) {
        self.message = message
        self.code = code
    }

    init(_ fault: PostgresFault) {
        self.init(fault.sentence, fault.state == "42501" ? .notAllowed : .failed)
    }
}

enum Output {
    /// Prints a line to standard error.
    static func note(_ line: String) { write("\(Program.name): \(line)\n", to: STDERR_FILENO) }

    /// Prints a line to standard output.
    static func line(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
