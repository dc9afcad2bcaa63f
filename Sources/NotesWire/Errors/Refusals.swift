package import Causality
package import NoteText
package import NotesMethods
package import NotesModel
package import StrictJSON

/// The errors that the protocol defines, each with its message and details.
extension WireError {
    // MARK: The line

    /// The error for a line that is not valid JSON, with the byte offset of the fault.
    package static func parseError(_ fault: JSONFault) -> WireError {
        WireError(
            .parseError, "byte \(fault.offset) of the line: \(fault)",
            details: [.offset(fault.offset)])
    }

    /// The error for a line longer than the limit.
    ///
    /// - Parameter limit: longest allowed line, in bytes.
    package static func lineTooLong(limit: Int) -> WireError {
        WireError(
            .lineTooLong,
            "the line exceeds \(limit) bytes and was skipped; the connection closes at the third such line",
            details: [.limit(limit)])
    }

    /// The error for JSON that is not a JSON-RPC request, optionally with the offending member.
    package static func invalidRequest(_ message: String, path: String? = nil) -> WireError {
        WireError(.invalidRequest, message, details: path.map { [.path($0)] } ?? [])
    }

    /// The error for a method name that the protocol does not define.
    package static func methodNotFound(_ method: ByteString) -> WireError {
        WireError(.methodNotFound, "unknown method \(ParamFault.quoted(method)); call rpc.discover for a list of methods")
    }

    /// The error for a parameter that is missing, misspelt, mistyped or out of range.
    package static func invalidParams(_ fault: ParamFault) -> WireError {
        let offset = fault.offset.map { [WireError.Detail.offset($0)] } ?? []
        return WireError(.invalidParams, "\(fault.path): \(fault.reason)", details: [.path(fault.path)] + offset)
    }

    // MARK: The session

    /// The error for any method but hello, ping and discover before the connection is registered.
    package static let helloRequired = WireError(.helloRequired, "not registered; send session.hello first")

    /// The error for a second hello on one connection.
    package static let helloTwice = invalidRequest(
        "this connection is already registered; open another connection to send session.hello again")

    /// The error for a hello whose list of versions does not contain this daemon's.
    package static let unsupportedProtocol = WireError(
        .unsupportedProtocol,
        "no supported protocol version in params.protocol; this daemon supports version 1",
        details: [.supported([WireProtocol.version])])

    /// The error for a method that requires more access than the user has.
    package static func permissionDenied(toCall method: Method) -> WireError {
        permissionDenied(
            "\(method.name) requires \"\(method.access.rawValue)\" access; an administrator can grant it with the setting access.\(method.access.rawValue)"
        )
    }

    /// The error for a method that `session.limit` took from the connection.
    package static func outsideLimits(_ method: Method) -> WireError {
        permissionDenied("\(method.name) is not available on this connection, which session.limit limited for its life")
    }

    /// The error for a call beyond the one note that `session.limit` left to the connection.
    package static func outsideNote(_ note: NoteID) -> WireError {
        permissionDenied(
            "session.limit limited this connection for its life to the text of note \(note): it may read, edit, watch and be "
                + "present in that note by its id, and nothing else")
    }

    /// The error for a `session.limit` with another `user` or `note` than the one in force.
    package static func limitedOtherwise(_ param: String) -> WireError {
        permissionDenied(
            "session.limit has set another \(param) for the life of this connection; open another connection for this one")
    }

    /// The error for a `session.limit` that sets `user` or `note` after hello.
    package static func limitedTooLate(_ param: String) -> WireError {
        permissionDenied(
            "session.limit sets \(param) only before session.hello; open another connection and send session.limit first")
    }

    /// The error if the person whom `session.limit` names has too many connections.
    package static let tooManyOfPerson = WireError(
        .overloaded, "this user has too many connections; close one of them, or retry shortly")

    /// The error for the hello of a user without access.
    package static let noAccess = permissionDenied(
        "you have no access to this daemon; an administrator can grant it with access.read, access.write, access.sync or "
            + "access.admin in the daemon's configuration")

    /// The error for a path of a backup that only the daemon's own user may choose.
    package static let backupDirectoryDenied = permissionDenied(
        "only root and the user that the daemon runs as may choose the directory of a backup, and on a connection without "
            + "limits; without a directory, the backup goes to the daemon's backup directory")

    /// The error for a user who has no access, or no access to a resource, with a message that says
    /// why.
    package static func permissionDenied(_ message: String) -> WireError {
        WireError(.permissionDenied, message)
    }

    /// The error for every request that arrives while the daemon stops.
    package static let shuttingDown = WireError(
        .shuttingDown, "the daemon is shutting down; reconnect shortly")

    /// The error for a request that would exceed a limit on queued work or memory.
    package static let overloaded = WireError(.overloaded, "the daemon is overloaded; retry shortly")

    /// The error for a search while the index is behind the store.
    ///
    /// - Parameters:
    ///   - done: newest commit that the index contains.
    ///   - total: newest commit of the store.
    package static func searchBehind(done: UInt64, total: UInt64) -> WireError {
        WireError(
            .overloaded,
            "the search index is being built (commit \(done) of \(total)); retry the search shortly")
    }

    /// The error for a request that hit a defect of the daemon.
    package static let `internal` = WireError(
        .internal, "internal error; see the daemon's log")

    // MARK: The store

    /// The error for a write that failed for lack of disk space.
    package static let storageFull = WireError(
        .storageFull, "the store's disk is full; nothing was changed. Free some space and retry")

    /// The error for a read or write that the store could not complete, with the store's reason.
    package static func storageFailed(_ message: String) -> WireError {
        WireError(.storageFailed, "the store failed, and nothing was changed: \(message)")
    }

    /// The error for a write to a store that the daemon cannot write.
    package static let readOnly = WireError(
        .readOnly,
        "the store is read-only; nothing was changed. Check the permissions and the mount of its directory")

    /// The error for a backup while another one runs. Backups run one at a time because two would
    /// compete for the same disk.
    package static let backupUnderWay = WireError(
        .overloaded, "another backup is running; retry when it has finished")

    // MARK: Notes

    /// The error for an id or a name that no note has.
    package static let noteNotFound = WireError(.noteNotFound, "no such note")

    /// The error for a version whose text was compacted or erased.
    ///
    /// - Parameter oldest: the oldest revision that every later text builds on.
    package static func revisionGone(_ version: Version, oldest: Dot?) -> WireError {
        let asked = version.isNothing ? "the state before the first revision" : "the text of version \(version)"
        let rest =
            oldest.map { "version \($0) and the versions built on it are still available" }
            ?? "newer versions are still available"
        return WireError(
            .revisionGone, "\(asked) was erased by a purge, or compacted as the [history] settings require; \(rest)",
            details: oldest.map { [.version(Version($0))] } ?? [])
    }

    /// The error for an `op` that was already sent with different params.
    package static let operationReused = invalidParams(
        ParamFault(path: "params.op", reason: "was used for a different write; give each write its own op"))
}

// MARK: Files

extension WireError {
    /// The error for bytes that are not in this store.
    package static func fileMissing(_ hash: FileHash) -> WireError {
        WireError(
            .fileMissing, "the bytes of this file are not in this store; upload them with file.begin and file.put",
            details: [.hash(hash)])
    }

    /// The error for uploaded bytes that are not those that were announced.
    package static func fileDiffers(_ hash: FileHash) -> WireError {
        WireError(
            .fileDiffers, "the uploaded bytes do not have this size and hash, and were removed; begin again",
            details: [.hash(hash)])
    }

    /// The error for a file above the limit of a setting; both numbers are in bytes.
    package static func fileTooLarge(_ bytes: Int, limit: Int, setting: String = "files.bytes_max") -> WireError {
        WireError(
            .fileTooLarge, "the file has \(bytes) bytes; the limit is \(limit) (\(setting))",
            details: [.bytes(bytes), .limit(limit)])
    }
}

extension WireError {
    private static func cannotWithdraw(_ dot: Dot, _ reason: InvalidWithdrawal) -> WireError {
        let reason =
            switch reason {
            case .notInBase: "is not in the past of params.base; send a base that includes it"
            case .hasNoParents: "created the note, so it cannot be undone; delete the note with note.delete"
            }
        return invalidParams(ParamFault(path: "params.revisions", reason: "\(dot) \(reason)"))
    }

    private static func cannotPurge(_ reason: InvalidPurge, _ version: Version) -> WireError {
        let reason =
            switch reason {
            case .baseIsNotShown: "params.base is not the current version; read the note, then purge data.version"
            case .isConflicted: "a conflict is open; resolve it, then purge the version that resolves it"
            }
        return WireError(.cannotPurge, "\(reason). Nothing was changed", details: [.version(version)])
    }

    /// The protocol error for a rejection by the model.
    package init(_ rejection: Rejection) {
        self =
            switch rejection {
            case .noteNotFound:
                .noteNotFound
            case .noteExists(let id):
                WireError(.noteExists, "note \(id) already exists; use note.save to change it", details: [.id(id)])
            case .nameTaken(let id):
                WireError(
                    .noteExists, "note \(id) already has this name; choose another, or rename that note first",
                    details: [.id(id)])
            case .baseRequired(let version):
                WireError(
                    .baseRequired,
                    "params.base is missing; send the version that this write is based on. data.version is the current one",
                    details: [.version(version)])
            case .unknownBase(let known, _):
                WireError(
                    .unknownBase,
                    "the base names a revision that this note does not have; continue from a version that it has, "
                        + "such as data.known", details: [.known(known)])
            case .revisionGone(let version, let oldest): .revisionGone(version, oldest: oldest)
            case .cannotPurge(let reason, let version): .cannotPurge(reason, version)
            case .cannotWithdraw(let dot, let reason): .cannotWithdraw(dot, reason)
            case .unknownOperation(let index):
                .invalidParams(
                    ParamFault(path: "params.ops[\(index)]", reason: "is not the op of a write of yours to this note"))
            case .invalidEdit(let edit):
                WireError(
                    .invalidEdit, "params.edits[\(edit.index)] \(edit.fault); nothing was changed",
                    details: [.index(edit.index)])
            case .mayNotRestore:
                .permissionDenied(
                    "the note is deleted, and session.limit limited this connection to its text; nothing was changed")
            case .invalidName(let fault):
                WireError(.invalidName, "\(fault)")
            case .wrongKind:
                WireError(
                    .wrongKind,
                    "a text and a file cannot become each other: send text for a text and file for a file, and leave the "
                        + "pointer lines of a file as they are; nothing was changed")
            case .noteTooLarge(let bytes, let limit):
                WireError(
                    .noteTooLarge, "the note would have \(bytes) bytes; the limit is \(limit). Split it into several notes",
                    details: [.bytes(bytes), .limit(limit)])
            }
    }
}

extension InvalidEdit.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .startAfterEnd: "ends before it starts"
        case .negative: "has a negative offset"
        case .overlapsPrevious: "starts before the previous edit ends; sort the edits and do not let them overlap"
        case .pastEnd(let length): "ends past the end of the base's text (length \(length))"
        case .insideCharacter(let offset): "has offset \(offset), which is inside a character"
        }
    }
}
