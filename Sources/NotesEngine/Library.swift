import Causality
import NotesModel
import NotesStore

/// The committed notes as the engine reads them: from the cache where they are in use, from the journal otherwise.
///
/// Nothing in here is newer than what is durable.
struct Library {
    let journal: any Journal
    private var cache: NoteCache
    private var states: StateCache

    init(journal: any Journal, cacheBytesMax: Int) {
        self.journal = journal
        cache = NoteCache(bytesMax: cacheBytesMax / 2)
        states = StateCache(bytesMax: cacheBytesMax / 2)
    }

    /// What a note shows now; nil where there is none.
    mutating func note(_ id: NoteID) throws(JournalError) -> Note? {
        if let note = cache.note(id) { return note }
        guard let note = try load(id, reaching: .newest) else { return nil }
        cache.insert(note)
        return note
    }

    /// The note if it is at hand.
    mutating func cached(_ id: NoteID) -> Note? {
        cache.note(id)
    }

    func load(_ id: NoteID, reaching reach: Reach, asOf sequence: UInt64? = nil) throws(JournalError) -> Note? {
        try journal.note(id, reaching: reach, asOf: sequence).map { Note($0) }
    }

    /// Takes over what a commit made of a note.
    mutating func adopt(_ note: Note) {
        cache.insert(note)
        states.insert(NoteState(sequence: note.sequence, head: note.head, text: note.text))
    }

    /// What a note showed after the newest of its commits up to `sequence`; nil where it was not there yet.
    mutating func state(of id: NoteID, at sequence: UInt64, withText: Bool) throws(JournalError) -> NoteState? {
        if let state = states.state(of: id, at: sequence), state.text != nil || !withText { return state }
        if let note = cache.note(id), note.sequence <= sequence { return remember(note) }
        if !withText, let stored = try journal.head(of: id), stored.sequence <= sequence {
            let state = NoteState(sequence: stored.sequence, head: stored.head, text: nil)
            states.insert(state)
            return state
        }
        return try load(id, reaching: .newest, asOf: sequence).map { remember($0) }
    }

    private mutating func remember(_ note: Note) -> NoteState {
        let state = NoteState(sequence: note.sequence, head: note.head, text: note.text)
        states.insert(state)
        return state
    }
}
