import Causality
import Dependents
import NIOCore
import NotesEngine
import NotesModel
import NotesWire
import TextMerge

/// Encodes outbound lines as JSON. One for each event loop; a change is encoded once for all
/// dependents of the loop that get the same line.
final class LineEncoder {
    /// The connection that a line is for.
    struct Session {
        let dependent: DependentID?
        let peer: Peer
        let access: Access?
        let encoding: PositionEncoding
        /// Ids of the store and of this run; nil without an engine.
        let identity: StoreIdentity?
    }

    /// The configuration in effect.
    var configuration: ServerConfiguration
    private let metrics: ServerMetrics
    private var changes = EncodedChanges()
    private var presences = EncodedPresences()

    init(configuration: ServerConfiguration, metrics: ServerMetrics) {
        self.configuration = configuration
        self.metrics = metrics
    }

    /// Appends a line with its line feed to a buffer; for a batch of changes, one line for each.
    /// Returns the number of bytes appended, which is 0 for the response to a notification of the
    /// client.
    func encode(_ line: OutboundLine, for session: Session, into buffer: inout ByteBuffer) -> Int {
        switch line {
        case .response(let request, let response):
            defer { metrics.answered(request.method, began: request.began) }
            guard request.id != nil else { return 0 }
            return buffer.writeBytes(encode(response, to: request, for: session))
        case .refusal(let id, let error): return buffer.writeBytes(refused(error).line(id: id))
        case .pong(let id):
            metrics.answered(.ping)
            return buffer.writeBytes(EmptyResult().line(id: id))
        case .document(let id):
            metrics.answered(.discover)
            return buffer.writeBytes(DocumentResult(json: configuration.document).line(id: id))
        case .settings(let id):
            metrics.answered(.config)
            return buffer.writeBytes(ConfigResult(configuration.settings).line(id: id))
        case .notification(let notification): return encode(notification, for: session, into: &buffer)
        case .presence(let line): return buffer.writeBytes(presences.line(line, encoding: session.encoding))
        case .progress(let request, let done, let total):
            guard let id = request.id else { return 0 }
            return buffer.writeBytes(RequestProgress(id: id, done: done, total: total).line())
        case .closing(let reason):
            return buffer.writeBytes(
                SessionClosing(reason: ByteString(reason.rawValue), retryAfterMilliseconds: configuration.retryAfterMilliseconds)
                    .line())
        }
    }

    /// The last changes were encoded for all recipients except lagging ones. Shrinks the caches.
    func deliveryEnded() {
        changes.deliveryEnded()
    }

    /// The lines of a batch of changes for any watch.
    func encode(_ shared: RenderedChanges, encoding: PositionEncoding) -> EncodedChangeSequence {
        changes.changes(shared, encoding: encoding)
    }

    /// Appends the line or lines of a notification. Returns the number of bytes appended.
    private func encode(_ notification: WatchNotification, for session: Session, into buffer: inout ByteBuffer) -> Int {
        let (watch, number) = (notification.watch.number, notification.number)
        switch notification.event {
        case .synced: return buffer.writeBytes(mark(of: notification).syncedLine())
        case .bookmark: return buffer.writeBytes(mark(of: notification).bookmarkLine())
        case .reset(let reason):
            return buffer.writeBytes(WatchReset(watch: watch, seq: number, reason: ByteString(reason.rawValue)).line())
        case .revisions(let page):
            return buffer.writeBytes(
                RevisionsPage(
                    watch: watch, seq: number, left: page.left, beginnings: page.beginnings.map { WireBeginning($0) },
                    revisions: page.revisions.map(RevisionCodec.wireForm), gone: page.gone
                ).line())
        case .changed(let changed):
            let change = changes.change(changed, encoding: session.encoding)
            return buffer.writeBytes(change.line(watch: watch, seq: number, cursor: notification.cursor))
        case .changes(let shared):
            let sequence = changes.changes(shared, encoding: session.encoding)
            return buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: sequence.byteCountMax) { room in
                sequence.write(watch: watch, seq: number, to: room)
            }
        }
    }

    private func mark(of notification: WatchNotification) -> WatchMark {
        WatchMark(watch: notification.watch.number, seq: notification.number, cursor: notification.cursor)
    }
}

// MARK: - Responses

extension LineEncoder {
    private func encode(_ response: Response, to request: PendingRequest, for session: Session) -> [UInt8] {
        guard let id = request.id else { return [] }
        switch response {
        case .registered(let registered): return hello(registered, session).line(id: id)
        case .created(let head, let replay):
            return CreateResult(
                note: NoteObject(head, session.encoding),
                replay: replay.map { CreateResult.Replay(dot: $0, version: Version($0)) }
            ).line(id: id)
        case .wrote(let outcome, let conflicts, let isReplay):
            return OutcomeResult(
                outcome: outcome.kind, dot: outcome.dot, version: outcome.version,
                note: outcome.shown.map { shown($0, conflicts, to: request.method, session) }, isReplayed: isReplay
            ).line(id: id)
        case .purged(let dot, let backups, let isReplay):
            return PurgeResult(dot: dot, version: Version(dot), backups: backups, isReplayed: isReplay).line(id: id)
        case .note(let note): return GetResult(note: object(note, session)).line(id: id)
        case .notes(let heads, let next):
            return ListResult(notes: heads.map { NoteObject($0, session.encoding) }, next: next).line(id: id)
        case .tags(let page): return TagsResult(page).line(id: id)
        case .revisions(let page): return RevisionsResult(page).line(id: id)
        case .knownRevisions(let revisions):
            return KnownRevisionsResult(
                known: revisions.dots, quarantined: revisions.quarantined, waiting: revisions.waiting,
                forms: [Int(RevisionCodec.form)], view: WireProtocol.view
            ).line(id: id)
        case .feeding(let watch, let lacks): return WatchRevisionsResult(watch: watch.number, lacks: lacks).line(id: id)
        case .adopted(let report, let unreadable): return AdoptResult(report, unreadable: unreadable).line(id: id)
        case .peers(let peers): return PeersResult(peers: peers.map(PeersResult.Peer.init)).line(id: id)
        case .hits(let hits, let next, let isTruncated):
            return SearchResult(
                hits: hits.map { SearchResult.Hit($0, session.encoding) }, next: next, isTruncated: isTruncated
            ).line(id: id)
        case .incomingLinks(let links, let next):
            return IncomingLinksResult(links: links.map { .init($0, session.encoding) }, next: next).line(id: id)
        case .missingLinks(let targets, let next): return MissingLinksResult(targets: targets, next: next).line(id: id)
        case .resolvedLinks(let found):
            return ResolvedLinksResult(
                found: found.map { .init(notes: $0.notes.map { NoteObject($0, session.encoding) }, more: $0.more) }
            ).line(id: id)
        case .history(let revisions, let next): return HistoryResult(revisions: revisions, next: next).line(id: id)
        case .watching(let watch, let cursor, let isReset):
            return WatchResult(watch: watch.number, cursor: cursor, isReset: isReset).line(id: id)
        case .unwatched, .presenceSet, .proceeded, .peerForgotten: return EmptyResult().line(id: id)
        case .dependents(let dependents):
            return DependentsResult(dependents: dependents.map { DependentObject($0, session.encoding) }).line(id: id)
        case .status(let status): return StatusResult(status, version: configuration.version).line(id: id)
        case .audited(let report): return AuditResult(report).line(id: id)
        case .backedUp(let backup): return BackupResult(path: ByteString(backup.path), bytes: backup.bytes).line(id: id)
        case .metrics(let text): return MetricsResult(text: ByteString(text)).line(id: id)
        case .progress(let done, let total): return RequestProgress(id: id, done: done, total: total).line()
        case .refused(let rejection):
            return refused(WireError(rejection)).line(id: id)
        case .failed(let failure): return refused(WireError(failure, of: request.method)).line(id: id)
        }
    }

    /// Counts an error in the metrics and returns it.
    private func refused(_ error: WireError) -> WireError {
        metrics.refused(error)
        return error
    }

    private func hello(_ registered: Registered, _ session: Session) -> HelloResult {
        HelloResult(
            server: ClientInfo(name: "notesd", version: ByteString(configuration.version)), store: registered.identity.store,
            replica: registered.identity.replica, dependent: session.dependent ?? DependentID(0),
            user: UserInfo(uid: session.peer.user.id, name: session.peer.user.name),
            access: session.access ?? .read,
            positionEncoding: session.encoding, limits: session.peer.limits,
            capabilities: WireProtocol.capabilities, cursor: registered.cursor)
    }

    /// The merged text after a write, encoded as edits against the text that the client sent, as
    /// the whole text, or as both, depending on the method.
    private func shown(
        _ shown: Outcome.Merged, _ conflicts: [ConflictDetail], to method: Method, _ session: Session
    ) -> OutcomeResult.Merged {
        let edits = method == .deleteNote ? nil : Self.edits(from: shown.sent, to: shown.text, session.encoding)
        return OutcomeResult.Merged(
            version: shown.version, edits: edits, text: method == .editNote || method == .undoNote ? nil : shown.text,
            conflicts: conflicts.map { ConflictObject($0, session.encoding) }, isDeleted: shown.isDeleted)
    }

    private func object(_ note: NoteResponse, _ session: Session) -> NoteObject {
        let body: NoteObject.Body =
            if let from = note.from { .edits(base: nil, Self.edits(from: from, to: note.text, session.encoding)) } else {
                .text(note.text)
            }
        return NoteObject(
            note.head, body: body, siblings: note.siblings,
            conflicts: note.conflicts.map { ConflictObject($0, session.encoding) })
    }

    /// The edits from one text to another, with offsets in the encoding.
    ///
    /// - Complexity: that of `TextDiff`.
    static func edits(from base: [UInt8], to text: [UInt8], _ encoding: PositionEncoding) -> [PositionedEdit] {
        Positions.stated(TextDiff.edits(from: base, to: text), in: base, encoding: encoding)
    }
}
