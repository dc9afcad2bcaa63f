import Causality
import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesWire
import TextMerge

/// Encodes outbound lines as JSON. One for each event loop; a change is encoded once for all
/// dependents of the loop that get the same line.
final class LineEncoder {
    /// The connection that a line is for.
    struct Session {
        let dependent: DependentID?
        let client: ClientEnd
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

    /// Appends a line with its line feed; for a batch of changes, one line for each. Returns the number of bytes, which is 0 for the response to a notification of
    /// the client.
    ///
    /// - Parameter session: the connection; called for lines that describe it.
    func encode(
        _ line: OutboundLine, in encoding: PositionEncoding, into lines: inout LineBuffer, for session: () -> Session
    ) -> Int {
        let start = lines.count
        switch line {
        case .response(let request, let response):
            metrics.answered(request.method, began: request.began)
            if let id = request.id { encode(response, to: request.method, id, in: encoding, into: &lines, for: session) }
        case .refusal(let id, let error): lines.append(refused(error), id: id)
        case .pong(let id):
            metrics.answered(.ping)
            EmptyResult().write(to: &lines, id: id)
        case .limits(let id, let result):
            metrics.answered(.limit)
            result.write(to: &lines, id: id)
        case .document(let id):
            metrics.answered(.discover)
            DocumentResult(json: configuration.document).write(to: &lines, id: id)
        case .settings(let id):
            metrics.answered(.config)
            ConfigResult(configuration.settings).write(to: &lines, id: id)
        case .notification(let notification): encode(notification, in: encoding, into: &lines)
        case .presence(let line): lines.append(presences.line(line, encoding: encoding))
        case .progress(let request, let done, let total):
            if let id = request.id { lines.append(RequestProgress(id: id, done: done, total: total).line()) }
        case .closing(let reason):
            lines.append(
                SessionClosing(reason: ByteString(reason.rawValue), retryAfterMilliseconds: configuration.retryAfterMilliseconds)
                    .line())
        }
        return lines.count - start
    }

    /// The last changes were encoded for all recipients except lagging ones. Shrinks the caches.
    func deliveryEnded() {
        changes.deliveryEnded()
    }

    /// The lines of a batch of changes for any watch.
    func encode(_ shared: RenderedChanges, encoding: PositionEncoding) -> EncodedChangeSequence {
        changes.changes(shared, encoding: encoding)
    }

    private func encode(
        _ notification: WatchNotification, in encoding: PositionEncoding, into lines: inout LineBuffer
    ) {
        let (watch, number) = (notification.watch.number, notification.number)
        switch notification.event {
        case .synced: lines.append(mark(of: notification).syncedLine())
        case .bookmark: lines.append(mark(of: notification).bookmarkLine())
        case .reset(let reason):
            lines.append(WatchReset(watch: watch, seq: number, reason: ByteString(reason.rawValue)).line())
        case .revisions(let page):
            lines.append(
                RevisionsPage(
                    watch: watch, seq: number, left: page.remaining, beginnings: page.beginnings.map { WireBeginning($0) },
                    revisions: page.revisions.map(RevisionCodec.wireForm), gone: page.gone
                ).line())
        case .changed(let changed):
            lines.append(changes.change(changed, encoding: encoding).line(watch: watch, seq: number, cursor: notification.cursor))
        case .changes(let shared):
            let sequence = changes.changes(shared, encoding: encoding)
            withUnsafeTemporaryAllocation(byteCount: sequence.byteCountMax, alignment: 1) { room in
                let count = sequence.write(watch: watch, seq: number, to: room)
                lines.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        }
    }

    private func mark(of notification: WatchNotification) -> WatchMark {
        WatchMark(watch: notification.watch.number, seq: notification.number, cursor: notification.cursor)
    }
}

// MARK: - Responses

extension LineEncoder {
    private func encode(
        _ response: Response, to method: Method, _ id: RequestID, in encoding: PositionEncoding,
        into lines: inout LineBuffer, for session: () -> Session
    ) {
        switch response {
        case .registered(let registered): hello(registered, session()).write(to: &lines, id: id)
        case .created(let head, let replay):
            CreateResult(
                note: NoteObject(head, encoding),
                replay: replay.map { CreateResult.Replay(dot: $0, version: Version($0)) }
            ).write(to: &lines, id: id)
        case .wrote(let outcome, let conflicts, let isReplay):
            OutcomeResult(
                outcome: outcome.kind, dot: outcome.dot, version: outcome.version,
                note: outcome.shown.map { shown($0, conflicts, to: method, encoding) }, isReplayed: isReplay
            ).write(to: &lines, id: id)
        case .purged(let dot, let backups, let files, let isReplay):
            PurgeResult(dot: dot, version: Version(dot), backups: backups, files: files, isReplayed: isReplay)
                .write(to: &lines, id: id)
        case .note(let note): GetResult(note: object(note, encoding)).write(to: &lines, id: id)
        case .notes(let heads, let next):
            ListResult(notes: heads.map { NoteObject($0, encoding) }, next: next).write(to: &lines, id: id)
        case .tags(let page): TagsResult(page).write(to: &lines, id: id)
        case .revisions(let page): RevisionsResult(page).write(to: &lines, id: id)
        case .knownRevisions(let revisions):
            KnownRevisionsResult(
                known: revisions.dots, quarantined: revisions.quarantined, waiting: revisions.waiting,
                forms: [Int(RevisionCodec.form)], view: WireProtocol.view, digests: revisions.digests
            ).write(to: &lines, id: id)
        case .feeding(let watch, let lacks): WatchRevisionsResult(watch: watch.number, lacks: lacks).write(to: &lines, id: id)
        case .adopted(let report, let unreadable): AdoptResult(report, unreadable: unreadable).write(to: &lines, id: id)
        case .peers(let peers): PeersResult(peers: peers.map(PeersResult.Peer.init)).write(to: &lines, id: id)
        case .held(let page): HeldResult(page).write(to: &lines, id: id)
        case .upload(let isThere, let offset, let isWanted):
            UploadResult(isThere: isThere, offset: offset, isWanted: isWanted).write(to: &lines, id: id)
        case .filePart(let data, let offset, let bytes):
            FilePartResult(data: data, offset: offset, bytes: bytes).write(to: &lines, id: id)
        case .fileChecked(let isThere): FileCheckResult(isThere: isThere).write(to: &lines, id: id)
        case .lacking(let indexes, let lost, let fetchBytesMax):
            HaveFilesResult(lacks: indexes, lost: lost, fetchBytesMax: fetchBytesMax).write(to: &lines, id: id)
        case .files(let files, let next): ListFilesResult(files: files, next: next).write(to: &lines, id: id)
        case .heldDropped(let count): DropResult(dropped: count).write(to: &lines, id: id)
        case .hits(let hits, let next, let isTruncated):
            SearchResult(
                hits: hits.map { SearchResult.Hit($0, encoding) }, next: next, isTruncated: isTruncated
            ).write(to: &lines, id: id)
        case .incomingLinks(let links, let next):
            IncomingLinksResult(links: links.map { .init($0, encoding) }, next: next).write(to: &lines, id: id)
        case .missingLinks(let targets, let next): MissingLinksResult(targets: targets, next: next).write(to: &lines, id: id)
        case .resolvedLinks(let found):
            ResolvedLinksResult(
                found: found.map { .init(notes: $0.notes.map { NoteObject($0, encoding) }, more: $0.more) }
            ).write(to: &lines, id: id)
        case .history(let revisions, let next): HistoryResult(revisions: revisions, next: next).write(to: &lines, id: id)
        case .watching(let watch, let cursor, let isReset):
            WatchResult(watch: watch.number, cursor: cursor, isReset: isReset).write(to: &lines, id: id)
        case .unwatched, .presenceSet, .proceeded, .peerForgotten: EmptyResult().write(to: &lines, id: id)
        case .dependents(let dependents):
            DependentsResult(dependents: dependents.map { DependentObject($0, encoding) }).write(to: &lines, id: id)
        case .status(let status): StatusResult(status, version: configuration.version).write(to: &lines, id: id)
        case .audited(let report): AuditResult(report).write(to: &lines, id: id)
        case .backedUp(let backup):
            BackupResult(
                path: ByteString(backup.path), bytes: backup.bytes, files: backup.files, missingFiles: backup.missingFiles
            ).write(to: &lines, id: id)
        case .metrics(let text): MetricsResult(text: ByteString(text)).write(to: &lines, id: id)
        case .progress(let done, let total): lines.append(RequestProgress(id: id, done: done, total: total).line())
        case .refused(let rejection):
            lines.append(refused(WireError(rejection)), id: id)
        case .failed(let failure): lines.append(refused(WireError(failure, of: method)), id: id)
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
            user: UserInfo(uid: session.client.user.id, name: session.client.user.name, person: session.client.person?.name),
            access: session.access ?? .read,
            positionEncoding: session.encoding, limits: session.client.limits,
            capabilities: WireProtocol.capabilities, cursor: registered.cursor)
    }

    /// The merged text after a write, encoded as edits against the text that the client sent, as
    /// the whole text, or as both, depending on the method.
    private func shown(
        _ shown: Outcome.Merged, _ conflicts: [ConflictDetail], to method: Method, _ encoding: PositionEncoding
    ) -> OutcomeResult.Merged {
        let edits = method == .deleteNote ? nil : Self.edits(from: shown.sent, to: shown.text, encoding)
        return OutcomeResult.Merged(
            version: shown.version, edits: edits, text: method == .editNote || method == .undoNote ? nil : shown.text,
            conflicts: conflicts.map { ConflictObject($0, encoding) }, isDeleted: shown.isDeleted)
    }

    private func object(_ note: NoteResponse, _ encoding: PositionEncoding) -> NoteObject {
        let body: NoteObject.Body =
            if let from = note.from { .edits(base: nil, Self.edits(from: from, to: note.text, encoding)) } else {
                .text(note.text)
            }
        return NoteObject(
            note.head, body: body, siblings: note.siblings,
            conflicts: note.conflicts.map { ConflictObject($0, encoding) })
    }

    /// The edits from one text to another, with offsets in the encoding.
    ///
    /// - Complexity: that of `TextDiff`.
    static func edits(from base: [UInt8], to text: [UInt8], _ encoding: PositionEncoding) -> [PositionedEdit] {
        Positions.stated(TextDiff.edits(from: base, to: text), in: base, encoding: encoding)
    }
}
