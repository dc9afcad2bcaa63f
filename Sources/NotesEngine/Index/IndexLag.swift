import NotesModel
import NotesSearch
import NotesStore

/// An estimate of how many distinct notes the index has not been given yet.
///
/// It counts in steps of a hundred commits or more, as they are made. A note that is written a
/// thousand times counts once; finding that out from the commits each time would cost its writers
/// more than the index saves.
struct IndexLag {
    /// The notes that were counted.
    private var notes: Set<NoteID> = []
    /// The commit up to which commits were counted.
    private var seen: UInt64 = 0

    /// The number of new commits that causes a count.
    private static let commits: UInt64 = 128

    /// The estimate: at most the limit that was passed to `look`.
    var count: Int { notes.count }

    /// Counts the notes of new commits, if there are enough of them.
    ///
    /// - Parameters:
    ///   - handedOver: the commit up to which the index was given everything.
    ///   - most: the count at which to stop.
    /// - Complexity: O(commits since the last count, or notes to count); usually nothing.
    mutating func look(
        at journal: any Journal, after handedOver: UInt64, countingTo most: Int
    ) throws(JournalError) {
        if handedOver > seen || notes.isEmpty { seen = handedOver }
        let newest = journal.lastSequence
        guard notes.count < most, newest > seen, newest - seen >= Self.commits else { return }
        let missing = most - notes.count
        // A corrupt row is reported when its note is handed over.
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

    /// Removes the notes that the index was given.
    mutating func remove(_ entries: [SearchIndex.Entry]) {
        for entry in entries { notes.remove(entry.id) }
    }
}
