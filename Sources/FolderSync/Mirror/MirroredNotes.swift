package import NotesClient
package import NotesModel
import NotesWire
import Synchronization

/// The living notes, as a watch reports them.
package final class MirroredNotes: Sendable {
    private struct State {
        var notes: [NoteID: NoteObject] = [:]
        /// The ids of a snapshot under way; nil if there is none.
        var snapshot: Set<NoteID>?
        var isSynced = false
        var isInterrupted = false
        /// The notes that have changed since the last `takeChanged`; nil if all may have.
        var changed: Set<NoteID>?

        mutating func change(_ id: NoteID, to note: NoteObject?) {
            notes[id] = note
            changed?.insert(id)
            if changed?.count ?? 0 > MirroredNotes.changedMax { changed = nil }
        }
    }

    private let state = Mutex(State())
    /// Selects the notes. The watch has the same filter.
    private let filter: Filter
    /// Which of the files among them the folder shows.
    private let files: FileChoice

    package init(_ filter: Filter = Filter(), _ files: FileChoice = .none) {
        (self.filter, self.files) = (filter, files)
    }

    /// Takes in an event.
    ///
    /// - Returns: whether the mirror has to look: the notes are complete and may have changed, or the
    ///   connection to the daemon is lost.
    package func take(_ event: WatchEvent) -> Bool {
        state.withLock { state in
            switch event {
            case .started(let start):
                state.isInterrupted = false
                if start.isReset || !start.isResumed { state.snapshot = [] }
                return false
            case .changed(let change):
                state.snapshot?.insert(change.note.id)
                if case .shown(let note) = change.note, !note.head.isDeleted, files.shows(note.head) {
                    state.change(change.note.id, to: note)
                } else {
                    state.change(change.note.id, to: nil)
                }
                return state.isSynced && state.snapshot == nil
            case .synced:
                // Notes that a new snapshot lacks are gone.
                if let snapshot = state.snapshot { state.notes = state.notes.filter { snapshot.contains($0.key) } }
                (state.snapshot, state.isSynced, state.changed) = (nil, true, nil)
                return true
            case .interrupted:
                state.isInterrupted = true
                return state.isSynced
            case .bookmark, .reset, .presence: return false
            }
        }
    }

    package var isSynced: Bool { state.withLock { $0.isSynced } }

    /// Whether the connection to the daemon is lost at the moment.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Most changed notes that are kept by their ids.
    private static let changedMax = 1_000

    /// Takes in one change.
    ///
    /// - Parameter note: the note; nil if it is deleted or does not match the filter any more.
    func change(_ id: NoteID, to note: NoteObject?) {
        state.withLock { $0.change(id, to: note) }
    }

    /// The notes that have changed since the last call; nil if all may have.
    func takeChanged() -> Set<NoteID>? {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed
        }
    }

    /// A note; nil if there is none.
    func note(_ id: NoteID) -> NoteObject? { state.withLock { $0.notes[id] } }

    /// The numbers of notes, and of those in conflict.
    var tally: MirrorTally {
        state.withLock { MirrorTally(notes: $0.notes.count, conflicts: $0.notes.values.count { !$0.conflicts.isEmpty }) }
    }

    var all: [NoteObject] { state.withLock { Array($0.notes.values) } }

    /// Fetches notes that were just written, which the watch may report later. If the watch reports a change of a
    /// note meanwhile, that stays: the fetched note may be older.
    func refresh(_ ids: Set<NoteID>, _ client: any NotesAPI) async throws {
        for id in ids {
            let before = note(id)?.head.version
            var fetched: NoteObject?
            do {
                fetched = try await client.note(.id(id))
                fetched?.body = .meta
            } catch ClientError.refused(let error) where error.kind == .noteNotFound {}
            let note = fetched.flatMap { filter.matches($0.head) && files.shows($0.head) ? $0 : nil }
            state.withLock { state in
                if state.notes[id]?.head.version == before { state.notes[id] = note }
            }
        }
    }
}

/// The numbers of notes in a mirrored folder.
package struct MirrorTally: Equatable {
    package let notes: Int
    /// The number of notes in conflict.
    package let conflicts: Int
}
