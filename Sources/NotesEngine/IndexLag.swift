import NotesModel
import NotesStore

/// About how many different notes the index was not given yet.
///
/// Counted as they are committed, a few hundred commits at once: a note that is written a thousand times is one, and to find that out
/// each time from the commits would cost its writers more than the index does.
struct IndexLag {
    private var notes: Set<NoteID> = []
    private var seen: UInt64 = 0

    private static let commits: UInt64 = 128

    /// At least one, where there is one, once it was looked often enough; not more than it was asked to count to.
    var count: Int { notes.count }

    /// - Parameter handedOver: what is up to there is none of them.
    /// - Complexity: O(commits since the last time, or notes to count), and nothing mostly.
    mutating func look(
        at journal: any Journal, after handedOver: UInt64, countingTo most: Int
    ) throws(JournalError) {
        if handedOver > seen || notes.isEmpty { seen = handedOver }
        let newest = journal.lastSequence
        guard notes.count < most, newest > seen, newest - seen >= Self.commits else { return }
        let missing = most - notes.count
        // One that is damaged is met when it is handed over.
        let changed = try journal.nilIfCorrupt { () throws(JournalError) in
            try journal.changed(after: seen, through: newest, limit: missing)
        }
        guard let changed else {
            seen = newest
            return
        }
        for note in changed { notes.insert(note.head.id) }
        seen = changed.count < missing ? newest : changed.last?.sequence ?? newest
    }

    mutating func remove(_ entries: [SearchIndex.Entry]) {
        for entry in entries { notes.remove(entry.id) }
    }
}
