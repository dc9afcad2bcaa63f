import Console
package import NotesClient
package import NotesWire
package import Replication

extension ExitFailure {
    /// - Parameter subject: the operation that failed, such as `cannot save work/inbox`.
    package init(_ error: ClientError, _ subject: String? = nil) {
        let prefix = subject.map { "\($0): " } ?? ""
        switch error {
        case .daemonNotThere:
            self.init("\(SafeText.line("\(error)")); start it with `notesd`, or name another socket with --socket", .noDaemon)
        case .connectionLost: self.init("\(prefix)\(error); check with `notesctl status`, then try again", .noDaemon)
        case .silent:
            self.init(
                "\(prefix)\(SafeText.line("\(error)")); check that machine with `notesctl status`, then try again", .noDaemon)
        case .notAllowed(let message): self.init("\(prefix)\(SafeText.line(message))", .notAllowed)
        case .pathTooLong: self.init("\(SafeText.line("\(error)")); give a shorter one with --socket", .usage)
        case .refused(let refusal): self.init("\(prefix)\(SafeText.line(refusal.message))", ExitStatus(refusal.kind))
        case .connectionFailed: self.init("\(prefix)\(SafeText.line("\(error)"))", .noDaemon)
        case .protocolViolation, .closed: self.init("\(prefix)\(SafeText.line("\(error)"))")
        }
    }

    /// The end of an exchange with a peer. Its text may come from the peer.
    package init(_ fault: ReplicationFault) {
        self.init(SafeText.line("\(fault)"), fault.isLasting ? .usage : .notNow)
    }
}

extension ExitStatus {
    package init(_ kind: ErrorKind) {
        self =
            switch kind {
            case .noteNotFound, .revisionGone, .fileMissing: .noNote
            case .unknownBase, .invalidEdit, .invalidName, .noteTooLarge, .lineTooLong, .fileTooLarge, .fileDiffers, .wrongKind:
                .badData
            case .permissionDenied: .notAllowed
            case .shuttingDown: .noDaemon
            case .overloaded, .storageFull, .storageFailed: .notNow
            case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internal, .helloRequired, .unsupportedProtocol,
                .noteExists, .baseRequired, .cannotPurge, .readOnly:
                .failed
            }
    }
}
