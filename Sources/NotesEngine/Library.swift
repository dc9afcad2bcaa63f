import Causality
import NotesModel
import NotesStore

/// The committed notes as the engine reads them: from the cache where they are in use, from the journal otherwise.
///
/// Nothing in here is newer than what is durable.
struct Library {
    let journal: any Journal
    private var cache: GenerationCache<NoteID, Note>
    /// States that dependents are being told of, so that a change is built and encoded once for all of them.
    private var states: GenerationCache<StateKey, NoteState>

    private struct StateKey: Hashable {
        let note: NoteID
        let sequence: UInt64
    }

    /// What a note or a state is counted as beside its text, in bytes.
    private static let overheadBytes = 1_024

    init(journal: any Journal, cacheBytesMax: Int) {
        self.journal = journal
        cache = GenerationCache(bytesMax: cacheBytesMax / 2) { $0.residentBytes + Self.overheadBytes }
        states = GenerationCache(bytesMax: cacheBytesMax / 2) { ($0.text?.count ?? 0) + Self.overheadBytes }
    }

    /// What a note shows now; nil where there is none.
    mutating func note(_ id: NoteID) throws(JournalError) -> Note? {
        if let note = cache.value(id) { return note }
        guard let note = try load(id, reaching: .newest) else { return nil }
        cache.insert(note, for: note.id)
        return note
    }

    /// The note if it is at hand.
    mutating func cached(_ id: NoteID) -> Note? {
        cache.value(id)
    }

    func load(_ id: NoteID, reaching reach: Reach, asOf sequence: UInt64? = nil) throws(JournalError) -> Note? {
        try journal.note(id, reaching: reach, asOf: sequence).map { Note($0) }
    }

    /// Takes over what a commit made of a note.
    mutating func adopt(_ note: Note) {
        cache.insert(note, for: note.id)
        _ = remember(note)
    }

    /// What a note showed after the newest of its commits up to `sequence`; nil where it was not there yet.
    mutating func state(of id: NoteID, at sequence: UInt64, withText: Bool) throws(JournalError) -> NoteState? {
        if let state = states.value(StateKey(note: id, sequence: sequence)), state.text != nil || !withText { return state }
        if let note = cache.value(id), note.sequence <= sequence { return remember(note) }
        if !withText, let stored = try journal.head(of: id), stored.sequence <= sequence {
            return remember(NoteState(sequence: stored.sequence, head: stored.head, text: nil))
        }
        return try load(id, reaching: .newest, asOf: sequence).map { remember($0) }
    }

    private mutating func remember(_ note: Note) -> NoteState {
        remember(NoteState(sequence: note.sequence, head: note.head, text: note.text))
    }

    private mutating func remember(_ state: NoteState) -> NoteState {
        states.insert(state, for: StateKey(note: state.head.id, sequence: state.sequence))
        return state
    }
}
