import NotesModel
import NotesStore

/// Accepted revisions as the commits that they will be, and the changes that those are.
///
/// Invariant: sequences rise by 1 from the one that it starts after; each commit follows its note's newest.
struct CommitList {
    private(set) var entries: [JournalEntry] = []
    private(set) var changes: [Change] = []
    private(set) var sequence: UInt64
    private var sequences: [NoteID: UInt64] = [:]

    /// - Parameter capacity: about how many there will be.
    init(after sequence: UInt64, capacity: Int = 0) {
        self.sequence = sequence
        entries.reserveCapacity(capacity)
        changes.reserveCapacity(capacity)
        sequences.reserveCapacity(capacity)
    }

    mutating func add(_ entry: JournalEntry) {
        entries.append(entry)
    }

    /// - Parameter committed: the newest commit of the revision's note when the list began; nil where it had none.
    mutating func add(_ accepted: Accepted, after committed: UInt64?, operation: OperationRecord?, origin: Origin?) {
        let note = accepted.revision.note
        sequence += 1
        let previous = accepted.before == nil ? 0 : sequences[note] ?? committed ?? 0
        sequences[note] = sequence
        entries.append(
            .commit(
                Commit(
                    sequence: sequence, previous: previous, revision: accepted.revision, coversAll: accepted.coversAll,
                    text: accepted.text, name: accepted.name, head: accepted.after, conflicts: accepted.conflicts,
                    shown: accepted.shown),
                operation: operation))
        changes.append(
            Change(sequence: sequence, previous: previous, before: accepted.before, after: accepted.after, origin: origin))
    }

    /// The note with its newest commit.
    func placed(_ note: Note) -> Note {
        var note = note
        note.sequence = sequences[note.id] ?? note.sequence
        return note
    }
}
