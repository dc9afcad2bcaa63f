package import Causality
package import NotesModel

/// The refusals that stand in the contract, each with its words.
extension WireError {
    // MARK: The line

    package static func parseError(_ fault: JSONFault) -> WireError {
        WireError(
            .parseError, "byte \(fault.offset) of the line: \(fault)",
            details: [.offset(fault.offset)])
    }

    package static func lineTooLong(limit: Int) -> WireError {
        WireError(
            .lineTooLong, "a line may have \(limit) bytes here; this one was skipped, and a third one ends the connection",
            details: [.limit(limit)])
    }

    package static func invalidRequest(_ message: String, path: String? = nil) -> WireError {
        WireError(.invalidRequest, message, details: path.map { [.path($0)] } ?? [])
    }

    package static func methodNotFound(_ method: ByteString) -> WireError {
        WireError(.methodNotFound, "there is no method \(ParamFault.quoted(method)); rpc.discover lists those there are")
    }

    package static func invalidParams(_ fault: ParamFault) -> WireError {
        let offset = fault.offset.map { [WireError.Detail.offset($0)] } ?? []
        return WireError(.invalidParams, "\(fault.path): \(fault.reason)", details: [.path(fault.path)] + offset)
    }

    // MARK: The session

    package static let helloRequired = WireError(.helloRequired, "send session.hello first; it registers the connection")

    package static let helloTwice = invalidRequest(
        "this connection has said session.hello already; open another one to say it again")

    package static let unsupportedProtocol = WireError(
        .unsupportedProtocol, "this daemon speaks protocol version 1; name it in params.protocol",
        details: [.supported([WireProtocol.version])])

    package static func permissionDenied(toCall method: Method) -> WireError {
        permissionDenied(
            "\(method.rawValue) needs \"\(method.access.rawValue)\" access, which the daemon's configuration does not give you (access.\(method.access.rawValue))"
        )
    }

    package static func permissionDenied(_ message: String) -> WireError {
        WireError(.permissionDenied, message)
    }

    package static let shuttingDown = WireError(
        .shuttingDown, "the daemon is stopping and takes no more requests; connect again in a moment")

    package static let overloaded = WireError(.overloaded, "more is asked than can be done at once; send it again in a moment")

    /// The search index is behind the store.
    ///
    /// - Parameter done: of `total` commits, up to which it has come.
    package static func searchBehind(done: UInt64, total: UInt64) -> WireError {
        WireError(
            .overloaded,
            "the search index is being made, and has come to commit \(done) of \(total); send the search again in a moment")
    }

    package static let `internal` = WireError(
        .internal, "the daemon failed at this request through a fault of its own; its log says more")

    // MARK: The store

    package static let storageFull = WireError(
        .storageFull, "there is no room on the disk of the store; nothing was changed. Make room and send it again")

    package static func storageFailed(_ message: String) -> WireError {
        WireError(.storageFailed, "the store could not do this, and nothing was changed: \(message)")
    }

    package static let readOnly = WireError(
        .readOnly, "the store cannot be written; nothing was changed. Look at its folder's rights and its file system")

    /// Two at once would read and write twice as much, and help nobody.
    package static let backupUnderWay = WireError(
        .overloaded, "a backup is being made already; ask again when it is done")

    // MARK: Notes

    package static let noteNotFound = WireError(.noteNotFound, "there is no such note here")

    /// - Parameter oldest: the oldest version that every later text builds on.
    package static func revisionGone(_ version: Version, oldest: Dot?) -> WireError {
        let asked = version.isNothing ? "what the note was before its first revision" : "the text of version \(version)"
        let rest = oldest.map { "version \($0), and those built on it, still have theirs" } ?? "newer versions still have theirs"
        return WireError(
            .revisionGone, "\(asked) was thinned out by the policy in the daemon's [history]; \(rest)",
            details: oldest.map { [.version(Version($0))] } ?? [])
    }

    /// An `op` was sent before with other params.
    package static let operationReused = invalidParams(
        ParamFault(path: "params.op", reason: "this op named another write before; give each write an op of its own"))
}

extension WireError {
    private static func unknownBase(known: Version, mayArrive: Bool) -> WireError {
        WireError(
            .unknownBase,
            mayArrive
                ? "a part of the base has not reached this store yet; send it again later, or go on from data.known"
                : "the base names a revision that this note does not have; go on from data.known",
            isRetryable: mayArrive, details: [.known(known)])
    }

    /// Every refusal of the model, as the contract words it.
    ///
    /// - Parameter isForeign: whether a replica is none of this store's runs. What it made may still arrive; what a run of this
    ///   store is said to have made, and is not there, never will.
    package init(_ rejection: Rejection, isForeign: (ReplicaID) -> Bool) {
        self =
            switch rejection {
            case .noteNotFound:
                .noteNotFound
            case .noteExists(let id):
                WireError(.noteExists, "note \(id) exists already; save it instead", details: [.id(id)])
            case .nameTaken(let id):
                WireError(.noteExists, "note \(id) has this name; choose another, or rename that note first", details: [.id(id)])
            case .baseRequired(let version):
                WireError(
                    .baseRequired,
                    "params.base is missing: say on which version this was written. The note shows data.version now",
                    details: [.version(version)])
            case .unknownBase(let known, let unknown):
                .unknownBase(known: known, mayArrive: unknown.dots.allSatisfy { isForeign($0.replica) })
            case .revisionGone(let version, let oldest): .revisionGone(version, oldest: oldest)
            case .invalidEdit(let edit):
                WireError(
                    .invalidEdit, "params.edits[\(edit.index)] \(edit.fault); nothing was changed",
                    details: [.index(edit.index)])
            case .invalidName(let fault):
                WireError(.invalidName, "\(fault)")
            case .noteTooLarge(let bytes, let limit):
                WireError(
                    .noteTooLarge, "the note would have \(bytes) bytes, and may have \(limit); split it",
                    details: [.bytes(bytes), .limit(limit)])
            }
    }
}

extension InvalidEdit.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .startAfterEnd: "ends before it starts"
        case .negative: "has a negative offset"
        case .overlapsPrevious: "starts before the end of the edit before it; edits are sorted and do not overlap"
        case .pastEnd(let length): "ends past the end of the base's text, which is \(length) long"
        case .insideCharacter(let offset): "has offset \(offset), which lies inside a character"
        }
    }
}
