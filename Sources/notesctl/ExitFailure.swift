import NotesClient
import NotesWire

/// What the program exits with, after the BSD convention of `sysexits.h`.
enum ExitStatus: Int32 {
    case failed = 1
    /// It is saved, and others changed the same place. Never an end with a message alone: all is done.
    case inConflict = 2
    case usage = 64
    case badData = 65
    case noNote = 66
    case noDaemon = 69
    /// The daemon cannot do it now; the same again may pass.
    case notNow = 75
    case notAllowed = 77
}

/// An end with one line that says what, where, and what to do.
struct ExitFailure: Error {
    let message: String
    let code: ExitStatus

    init(_ message: String, _ code: ExitStatus = .failed) {
        self.message = message
        self.code = code
    }

    /// - Parameter subject: what was asked of the daemon, such as `cannot save work/inbox`.
    init(_ error: ClientError, _ subject: String? = nil) {
        let prefix = subject.map { "\($0): " } ?? ""
        switch error {
        case .daemonNotThere:
            self.init("\(SafeText.line("\(error)")); start it with `notesd`, or name another socket with --socket", .noDaemon)
        case .connectionLost: self.init("\(prefix)\(error); check with `notesctl status`, then try again", .noDaemon)
        case .notAllowed(let message): self.init("\(prefix)\(SafeText.line(message))", .notAllowed)
        case .pathTooLong: self.init("\(error); give a shorter one with --socket", .usage)
        case .refused(let refusal): self.init("\(prefix)\(SafeText.line(refusal.message))", ExitStatus(refusal.kind))
        case .connectionFailed: self.init("\(prefix)\(SafeText.line("\(error)"))", .noDaemon)
        case .protocolViolation, .closed: self.init("\(prefix)\(SafeText.line("\(error)"))")
        }
    }
}

extension ExitStatus {
    init(_ kind: ErrorKind) {
        self =
            switch kind {
            case .noteNotFound, .revisionGone: .noNote
            case .unknownBase, .invalidEdit, .invalidName, .noteTooLarge, .lineTooLong: .badData
            case .permissionDenied: .notAllowed
            case .shuttingDown: .noDaemon
            case .overloaded, .storageFull, .storageFailed: .notNow
            case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internal, .helloRequired, .unsupportedProtocol,
                .noteExists, .baseRequired, .readOnly:
                .failed
            }
    }
}
