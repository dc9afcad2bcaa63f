import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesWire

/// Translations from the engine's types to those of the wire. Each switch lists every case, so that
/// the compiler reports a new one.

extension ChangeWord {
    init(_ kind: ChangeKind) {
        self =
            switch kind {
            case .snapshot: .snapshot
            case .left: .left
            case .deleted: .deleted
            case .created: .created
            case .restored: .restored
            case .conflicted: .conflicted
            case .resolved: .resolved
            case .edited: .edited
            }
    }
}

extension PeersResult.Peer {
    init(_ peer: PeerDescription) {
        self.init(store: peer.store, isConnected: peer.isConnected, lacks: peer.lacks)
    }
}

extension DependentObject {
    init(_ description: DependentDescription, _ encoding: PositionEncoding) {
        let registration = description.registration
        let state: DependentState =
            switch description.state {
            case .synced: .synced
            case .lagging: .lagging
            case .reset: .reset
            }
        self.init(
            dependent: description.dependent,
            client: ClientInfo(
                name: registration.clientName, version: registration.clientVersion.isEmpty ? nil : registration.clientVersion),
            label: registration.label,
            user: UserInfo(uid: registration.userID, name: registration.userName, person: registration.person),
            watches: description.watches.count, state: state, outboxBytes: description.outboxBytes,
            presence: description.presence.map { Presence(note: $0.note, place: PositionObject($0, encoding)) })
    }
}

extension PositionObject {
    init(_ presence: Presence, _ encoding: PositionEncoding) {
        self.init(
            version: presence.version,
            selection: presence.selection.map { Selection(start: $0.start[encoding], end: $0.end[encoding]) })
    }
}

extension PresenceChanged {
    init(_ line: PresenceLine, _ encoding: PositionEncoding) {
        self.init(
            note: line.note, dependent: line.dependent, label: line.label,
            user: UserInfo(uid: line.userID, name: line.userName, person: line.person),
            place: line.presence.map { PositionObject($0, encoding) })
    }
}

extension StatusResult {
    init(_ status: Status, version: String) {
        let state: StoreState =
            switch status.state {
            case .ok: .ok
            case .full: .full
            case .readOnly: .readOnly
            }
        self.init(
            version: ByteString(version), identity: status.identity, startedAt: status.startedAt, store: status.store,
            dependents: status.dependents,
            files: status.files.map { FileTotals(count: $0.count, bytes: $0.bytes) }, state: state)
    }
}

extension WireError {
    /// The error of a failed request.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - method: the method, on which the name of the param at fault may depend.
    init(_ failure: RequestFailure, of method: Method) {
        self =
            switch failure {
            case .storageFull: .storageFull
            case .storageFailed(let message): .storageFailed(message)
            case .readOnly: .readOnly
            case .overloaded: .overloaded
            case .shuttingDown: .shuttingDown
            case .operationReused: .operationReused
            case .unknownWatch:
                .invalidParams(ParamFault(path: "params.watch", reason: "is not a watch of this connection"))
            case .selection(let fault): .invalidParams(ParamFault(fault))
            case .tooManyWatches(let limit):
                WireError(.overloaded, "a connection may have \(limit) watches; end one first", isRetryable: false)
            case .sameReplica:
                .invalidParams(
                    ParamFault(path: "params.peer.replica", reason: "is the replica of this daemon; connect two daemons"))
            case .tooManyFeeds(let limit):
                WireError(.overloaded, "the daemon already sends revisions to \(limit) connections; retry later")
            case .unknownPeer:
                .invalidParams(ParamFault(path: "params.store", reason: "is not a peer of this store; see peers.list"))
            case .unsearchable(let fault): .invalidParams(ParamFault(fault, path: "params.query"))
            case .searchBehind(let done, let total): .searchBehind(done: done, total: total)
            case .file(let refusal): WireError(refusal)
            case .backupUnderWay: .backupUnderWay
            case .backup(let fault): WireError(fault)
            case .unknownPosition:
                .invalidParams(
                    ParamFault(
                        path: method == .history ? "params.before" : "params.after",
                        reason: "is not a position in this result; use next of the previous response"))
            }
    }
}

extension WireError {
    private init(_ refusal: FileRefusal) {
        self =
            switch refusal {
            case .unavailable: .storageFailed("it has no folder for files")
            case .missing(let hash): .fileMissing(hash)
            case .differs(let hash): .fileDiffers(hash)
            case .tooLarge(let bytes, let limit): .fileTooLarge(bytes, limit: limit)
            case .declined(let bytes, let limit): .fileTooLarge(bytes, limit: limit, setting: "files.fetch_bytes_max")
            case .allTooLarge(let limit):
                WireError(
                    .storageFull, "all files would have more than \(limit) bytes (files.total_bytes_max)", isRetryable: false)
            case .tooManyUploads:
                WireError(.overloaded, "too many uploads are unfinished; finish one, or retry when one has ended")
            }
    }
}

extension ParamFault {
    /// The fault in a selection.
    fileprivate init(_ fault: InvalidEdit.Fault) {
        let path = "params.selection"
        self =
            switch fault {
            case .negative: ParamFault(path: path + ".start", reason: "must not be negative; offsets count from 0")
            case .startAfterEnd, .overlapsPrevious:
                ParamFault(path: path, reason: "ends before it starts; start must be the lesser offset")
            case .pastEnd(let length):
                ParamFault(path: path, reason: "extends beyond the end of the version's text, whose length is \(length)")
            case .insideCharacter(let offset):
                ParamFault(path: path, reason: "has offset \(offset), which is inside a character")
            }
    }
}

extension ConfigResult {
    init(_ settings: [SettingReport]) {
        self.init(
            settings: settings.map { setting in
                SettingObject(
                    key: ByteString(setting.key), value: setting.value.map { ByteString($0) }, source: ByteString(setting.origin),
                    isReloadable: setting.isReloadable, pending: setting.pending.map { ByteString($0) })
            })
    }
}

extension WireError {
    private init(_ fault: BackupFault) {
        self =
            switch fault {
            case .path(let text): .invalidParams(ParamFault(path: "params.path", reason: text))
            case .full(let text): WireError(.storageFull, text)
            case .denied(let text): WireError(.readOnly, text)
            case .failed(let text): WireError(.storageFailed, "the backup failed: \(text)")
            case .cancelled: .shuttingDown
            }
    }
}
