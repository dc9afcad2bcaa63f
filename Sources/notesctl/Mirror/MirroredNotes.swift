import NotesClient
import NotesModel
import NotesWire
import Synchronization

/// The living notes, as a watch reports them.
final class MirroredNotes: Sendable {
    private struct State {
        var notes: [NoteID: NoteObject] = [:]
        /// The ids of a snapshot under way; nil if there is none.
        var snapshot: Set<NoteID>?
        var isSynced = false
        var isInterrupted = false
    }

    private let state = Mutex(State())
    /// Selects the notes. The watch has the same filter.
    private let filter: Filter

    init(_ filter: Filter = Filter()) {
        self.filter = filter
    }

    /// Takes in an event.
    ///
    /// - Returns: whether the mirror has to look: the notes are complete and may have changed, or the
    ///   connection to the daemon is lost.
    func take(_ event: WatchEvent) -> Bool {
        state.withLock { state in
            switch event {
            case .started(let start):
                state.isInterrupted = false
                if start.isReset || !start.isResumed { state.snapshot = [] }
                return false
            case .changed(let change):
                state.snapshot?.insert(change.note.id)
                if case .shown(let note) = change.note, !note.head.isDeleted {
                    state.notes[note.head.id] = note
                } else {
                    state.notes[change.note.id] = nil
                }
                return state.isSynced && state.snapshot == nil
            case .synced:
                // Notes that a new snapshot lacks are gone.
                if let snapshot = state.snapshot { state.notes = state.notes.filter { snapshot.contains($0.key) } }
                (state.snapshot, state.isSynced) = (nil, true)
                return true
            case .interrupted:
                state.isInterrupted = true
                return state.isSynced
            case .bookmark, .reset, .presence: return false
            }
        }
    }

    var isSynced: Bool { state.withLock { $0.isSynced } }

    /// Whether the connection to the daemon is lost at the moment.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    var all: [NoteObject] { state.withLock { Array($0.notes.values) } }

    /// Fetches notes that were just written, which the watch may report later.
    func refresh(_ ids: Set<NoteID>, _ client: any NotesAPI) async throws {
        for id in ids {
            do {
                var note = try await client.note(.id(id))
                note.body = .meta
                let fetched = note
                state.withLock { $0.notes[id] = filter.matches(fetched.head) ? fetched : nil }
            } catch ClientError.refused(let error) where error.kind == .noteNotFound {
                state.withLock { $0.notes[id] = nil }
            }
        }
    }
}
