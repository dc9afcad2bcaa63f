import Causality
import NotesClient
import NotesModel
import NotesWire

/// Performs the reading requests of a `Browser`, each in a task of its own, and puts what they find
/// into the inbox.
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

    /// Performs a request that only reads; others are ignored.
    func perform(_ request: BrowserRequest) {
        switch request {
        case .list(let place, let generation):
            searching?.cancel()
            searching = Task { [client, inbox] in await BrowserRequests.list(place, generation, client, inbox) }
        case .search(let query, let after, let generation):
            searching?.cancel()
            let params = SearchParams(query: query, limit: WireProtocol.searchLimits.upperBound, after: after)
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
        case .edit, .delete, .undo, .suspend, .quit: break
        }
    }

    // MARK: The list

    private static func list(_ place: ListPlace, _ generation: Int, _ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            let page = try await client.list(ListParams(place: place))
            let isFirst = place == .newest(before: nil)
            inbox.put(.listed(page.notes.map(\.head), next: page.next, isFirst: isFirst, generation: generation))
        } catch {
            failed(error, "cannot list the notes", generation, inbox)
        }
    }

    private static func search(_ params: SearchParams, _ generation: Int, _ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            let page = try await client.search(params)
            let isFirst = params.after == nil
            inbox.put(.found(page.hits.map(\.note.head), next: page.next, isFirst: isFirst, generation: generation))
        } catch {
            failed(error, "cannot search", generation, inbox)
        }
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
            for try await event in try await client.watch(WatchParams(include: .meta, snapshot: false)) {
                switch event {
                case .started(let start):
                    inbox.put(.connected(own: await client.hello?.dependent, isReset: start.isReset))
                case .reset: inbox.put(.connected(own: await client.hello?.dependent, isReset: true))
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

    /// Watches the note that is shown, and announces the user's presence in it.
    private static func watch(_ note: NoteID?, _ client: NotesClient, _ inbox: BrowserInbox) async {
        do {
            guard let note else { return try await client.setPresence(nil) }
            let watch = try await client.watch(WatchParams(filter: Filter(ids: [note]), include: .text, snapshot: false))
            for try await event in watch {
                switch event {
                case .started, .reset:
                    // A snapshot would examine all notes of the store.
                    inbox.put(.shown(try await client.note(.id(note))))
                    try await announce(note, client)
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

    private static func announce(_ note: NoteID, _ client: NotesClient) async throws {
        guard await client.hello?.capabilities.contains("presence") == true else { return }
        do {
            try await client.setPresence(PresenceParams.Position(note: note))
        } catch is ClientError {
            // A deleted note, or a lost connection, which the watch of all notes reports.
        }
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

    private static func failedToRead(_ error: any Error, _ purpose: String, _ inbox: BrowserInbox) {
        if error is CancellationError { return }
        inbox.put(.ended(sentence(explained(error, purpose))))
    }
}
