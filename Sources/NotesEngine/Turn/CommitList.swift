import NotesModel
import NotesStore

/// Accepted revisions as the commits that they will become, and the changes that those make.
///
/// Invariant: sequences rise by 1 from the sequence that the list starts after; each commit follows
/// the newest commit of its note.
struct CommitList {
    /// The entries to append to the journal.
    private(set) var entries: [JournalEntry] = []
    /// The changes, one for each commit.
    private(set) var changes: [Change] = []
    /// The sequence of the newest commit.
    private(set) var sequence: UInt64
    /// The newest commit of each note in the list.
    private var sequences: [NoteID: UInt64] = [:]

    /// - Parameter capacity: the expected number of commits.
    init(after sequence: UInt64, capacity: Int = 0) {
        self.sequence = sequence
        entries.reserveCapacity(capacity)
        changes.reserveCapacity(capacity)
        sequences.reserveCapacity(capacity)
    }

    /// Adds an entry that is not a commit.
    mutating func add(_ entry: JournalEntry) {
        entries.append(entry)
    }

    /// Adds a commit.
    ///
    /// - Parameter committed: the newest commit of the revision's note when the list began; nil
    ///   if there was none.
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
                    lastLine: accepted.lastLine, isDeleted: accepted.isDeleted, textEdits: accepted.textEdits,
                    shown: accepted.shown, isPurge: accepted.isPurge),
                operation: operation))
        changes.append(
            Change(sequence: sequence, previous: previous, before: accepted.before, after: accepted.after, origin: origin))
    }

    /// The records of the named writes in the list.
    ///
    /// - Complexity: O(entries).
    var operations: [OperationKey: OperationRecord] {
        var records: [OperationKey: OperationRecord] = [:]
        for entry in entries {
            switch entry {
            case .commit(_, let record?), .operation(let record): records[record.key] = record
            case .commit(_, nil), .waiting, .quarantined, .heard, .forgotten, .dropped, .compacted, .reopened, .began: break
            }
        }
        return records
    }

    /// The note with the sequence of its newest commit in the list.
    func placed(_ note: Note) -> Note {
        var note = note
        note.sequence = sequences[note.id] ?? note.sequence
        return note
    }
}
