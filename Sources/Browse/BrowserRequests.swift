import Causality
import Console
import EditSession
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

/// Performs the requests of a `Browser` for the daemon, each in a task of its own, and puts the
/// responses into the inbox.
final class BrowserRequests {
    private let client: NotesClient
    private let inbox: BrowserInbox
    private var watching: Task<Void, Never>?
    private var searching: Task<Void, Never>?
    private var reading: Task<Void, Never>?
    private let following: Task<Void, Never>

    /// Starts to watch all notes.
    init(_ client: NotesClient, _ inbox: BrowserInbox) {
        self.client = client
        self.inbox = inbox
        following = Task { await BrowserRequests.follow(client, inbox) }
    }

    func cancel() {
        for task in [watching, searching, reading, following] { task?.cancel() }
    }

    /// Performs a request that needs nothing but the connection; others are ignored.
    func perform(_ request: BrowserRequest) {
        switch request {
        case .list(let place, let kind, let generation):
            searching?.cancel()
            searching = Task { [client, inbox] in await BrowserRequests.list(place, kind, generation, client, inbox) }
        case .search(let query, let kind, let after, let generation):
            searching?.cancel()
            let params = SearchNotes(
                query: query, kind: kind, limit: WireProtocol.searchLimits.upperBound, after: after)
            searching = Task { [client, inbox] in await BrowserRequests.search(params, generation, client, inbox) }
        case .count:
            Task { [client, inbox] in if let status = try? await client.status() { inbox.put(.counted(status.store.notes)) } }
        case .watch(let note):
            watching?.cancel()
            watching = Task { [client, inbox] in await BrowserRequests.watch(note, client, inbox) }
        case .history(let note):
            reading?.cancel()
            reading = Task { [client, inbox] in await BrowserRequests.history(of: note, client, inbox) }
        case .difference(let note, let revision):
            reading?.cancel()
            reading = Task { [client, inbox] in await BrowserRequests.difference(of: revision, in: note, client, inbox) }
        case .links(let note):
            reading?.cancel()
            reading = Task { [client, inbox] in await BrowserRequests.links(of: note, client, inbox) }
        case .resolveLink(let target, let from):
            reading?.cancel()
            reading = Task { [client, inbox] in await BrowserRequests.resolve(target, from: from, client, inbox) }
        case .tags:
            reading?.cancel()
            reading = Task { [client, inbox] in
                await BrowserRequests.put("cannot list the tags", inbox) { .tags(try await client.tags()) }
            }
        case .conflicts(let note):
            reading?.cancel()
            reading = Task { [client, inbox] in
                await BrowserRequests.put("cannot read the conflicts", inbox) { .conflicts(try await client.note(.id(note))) }
            }
        case .write(let note, let number, let write):
            Task { [client, inbox] in
                await BrowserRequests.answer(note, number, inbox) { try await client.response(to: write, number) }
            }
        case .read(let note, let number, let read):
            Task { [client, inbox] in
                await BrowserRequests.answer(note, number, inbox) { try await client.response(to: read, of: note, number) }
            }
        case .presence(let note, let version, let caret):
            Task { [client] in try? await BrowserRequests.announce(note, version, caret: caret, client) }
        case .edit, .openFile, .resolve, .resolveInEditor, .delete, .undo, .suspend, .quit, .keepDraft, .removeDraft,
            .resumeDraft,
            .findDrafts, .create,
            .rename:
            break
        }
    }

    // MARK: The list

    private static func list(
        _ place: ListPlace, _ kind: NoteKind, _ generation: Int, _ client: NotesClient, _ inbox: BrowserInbox
    ) async {
        do {
            let page = try await client.list(ListNotes(filter: Filter(kind: kind), place: place))
            let isFirst = place == .newest(before: nil)
            inbox.put(.listed(page.notes.map(\.head), next: page.next, isFirst: isFirst, generation: generation))
        } catch {
            failed(error, "cannot list the notes", generation, inbox)
        }
    }

    private static func search(_ params: SearchNotes, _ generation: Int, _ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            let page = try await client.search(params)
            let isFirst = params.after == nil
            var heads = page.hits.map(\.note.head)
            // The note with the name that the user typed may be on a later page.
            if isFirst, page.next != nil, let name = params.query.name, !heads.contains(where: { $0.name == name }) {
                if let named = try? await client.note(.name(name.bytes)) { heads.append(named.head) }
            }
            inbox.put(.found(heads, next: page.next, isFirst: isFirst, generation: generation))
        } catch ClientError.refused(let refusal) where refusal.kind == .invalidParams {
            inbox.put(.unsearchable(fault(refusal), generation: generation))
        } catch {
            failed(error, "cannot search", generation, inbox)
        }
    }

    /// The fault of a query that the daemon refused, without the path and the offset in the message.
    static func fault(_ refusal: WireError) -> SearchQueryFault {
        for case .offset(let offset) in refusal.details {
            guard let place = refusal.message.firstRange(of: "byte \(offset) ") else { continue }
            return SearchQueryFault(offset: offset, reason: String(refusal.message[place.upperBound...]))
        }
        return SearchQueryFault(offset: .max, reason: "is refused by the daemon: \(refusal.message)")
    }

    private static func failed(_ error: any Error, _ purpose: String, _ generation: Int, _ inbox: BrowserInbox) {
        if error is CancellationError { return }
        var isTemporary = false
        if case ClientError.refused(let refusal) = error { isTemporary = refusal.isRetryable }
        inbox.put(.failed(sentence(explained(error, purpose)), isTemporary: isTemporary, generation: generation))
    }

    static func sentence(_ error: any Error) -> String {
        (error as? ExitFailure)?.message ?? SafeText.line("\(error)")
    }

    // MARK: Watches

    /// Watches all notes.
    private static func follow(_ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            for try await event in try await client.watch(WatchNotes(filter: Filter(kind: nil), include: .meta, snapshot: false))
            {
                switch event {
                case .started(let start):
                    inbox.put(connected(await client.hello, isReset: start.isReset))
                case .reset: inbox.put(connected(await client.hello, isReset: true))
                case .interrupted: inbox.put(.disconnected)
                case .changed(let change): inbox.put(.changed(change))
                case .presence(let presence): inbox.put(.presence(presence))
                case .synced, .bookmark: break
                }
            }
        } catch {
            inbox.end(error)
        }
    }

    private static func connected(_ hello: HelloResult?, isReset: Bool) -> BrowserEvent {
        .connected(own: hello?.dependent, user: hello?.user.name, isReset: isReset)
    }

    /// Watches the note that is shown, and announces the user's presence in it.
    private static func watch(_ note: NoteID?, _ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            guard let note else { return try await client.setPresence(nil) }
            let watch = try await client.watch(
                WatchNotes(filter: Filter(ids: [note], kind: nil), include: .edits, snapshot: false, echo: false))
            for try await event in watch {
                switch event {
                case .started, .reset:
                    // A snapshot would examine all notes of the store.
                    inbox.put(.shown(try await client.note(.id(note))))
                    try? await announce(note, nil, client)
                case .changed(let change):
                    if case .shown(let shown) = change.note { inbox.put(.shown(shown)) }
                case .synced, .bookmark, .interrupted, .presence: break
                }
            }
        } catch is CancellationError {
        } catch {
            inbox.put(.ended(sentence(explained(error, "cannot show the note"))))
        }
    }

    private static func announce(_ note: NoteID, _ version: Version?, caret: Int = 0, _ client: NotesClient) async throws {
        guard await client.hello?.capabilities.contains("presence") == true else { return }
        let selection = version.map { _ in Selection(start: caret, end: caret) }
        do {
            try await client.setPresence(SetPresence.Position(note: note, version: version, selection: selection))
        } catch is ClientError {
            // A deleted note, or a lost connection, which the watch of all notes reports.
        }
    }

    // MARK: Sessions

    /// Puts the response to a request of a session into the inbox. After a lost connection, the session
    /// sends the request again.
    private static func answer(
        _ note: NoteID, _ number: UInt64, _ inbox: BrowserInbox, _ call: () async throws -> EditEvent
    ) async {
        do {
            inbox.put(.session(note, try await call()))
        } catch ClientError.refused(let error) {
            inbox.put(.session(note, .refused(number, error)))
        } catch {}
    }

    // MARK: History

    private static func history(of note: NoteID, _ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            let now = try await client.note(.id(note))
            let revisions = try await Revisions(client, note).all(limit: NoteHistory.revisionsMax)
            let hidden = try await UndoEffects.older(than: revisions, of: note, client)
            let sides = Set(now.conflicts.flatMap(\.sides).map(\.dot))
            inbox.put(.history(NoteHistory(note: note, revisions: revisions, hidden: hidden, sides: sides)))
        } catch {
            failedToRead(error, "cannot read the history", inbox)
        }
    }

    private static func difference(
        of revision: RevisionSummary, in note: NoteID, _ client: NotesClient, _ inbox: BrowserInbox
    ) async {
        do {
            let now = try await client.note(.id(note))
            let old = try await NoteAtVersion.read(revision.parents, of: now, client)
            let new = try await NoteAtVersion.read(Version(revision.dot), of: now, client)
            let lines = UnifiedDiff.lines(from: old.text, to: new.text, names: (old.diffName, new.diffName))
            inbox.put(.difference(lines, of: revision.dot))
        } catch {
            failedToRead(error, "cannot read \(revision.dot)", inbox)
        }
    }

    // MARK: Links

    private static func links(of note: NoteID, _ client: NotesClient, _ inbox: BrowserInbox) async {
        await put("cannot read the links", inbox) {
            let incoming = try await client.links(to: ListIncomingLinks(id: note, limit: NoteLinks.linksMax))
            let all = Links.of(try await client.note(.id(note)).text ?? []).filter { !$0.target.isEmpty }
            let links = Array(all.prefix(NoteLinks.linksMax))
            var outgoing: [(link: Link, meaning: Head?)] = []
            for start in stride(from: 0, to: links.count, by: WireProtocol.resolvedTargetsMax) {
                let part = links[start..<min(start + WireProtocol.resolvedTargetsMax, links.count)]
                let params = ResolveLinks(targets: part.map(LinkTarget.init), from: note)
                let found = try await client.resolveLinks(params).found
                outgoing += zip(part, found).map { ($0, $1.notes.first?.head) }
            }
            return .links(
                NoteLinks(
                    note: note, outgoing: outgoing, incoming: incoming.links,
                    hasMore: incoming.next != nil || all.count > links.count))
        }
    }

    private static func resolve(_ target: LinkTarget, from note: NoteID, _ client: NotesClient, _ inbox: BrowserInbox) async {
        await put("cannot follow the link", inbox) {
            let found = try await client.resolveLinks(ResolveLinks(targets: [target], from: note)).found
            return .linkResolved(target, from: note, found.first?.notes.first?.head)
        }
    }

    /// Puts the result of a read into the inbox, or a sentence that says why it failed.
    private static func put(_ purpose: String, _ inbox: BrowserInbox, _ read: () async throws -> BrowserEvent) async {
        do { inbox.put(try await read()) } catch { failedToRead(error, purpose, inbox) }
    }

    private static func failedToRead(_ error: any Error, _ purpose: String, _ inbox: BrowserInbox) {
        if error is CancellationError { return }
        inbox.put(.ended(sentence(explained(error, purpose))))
    }
}
