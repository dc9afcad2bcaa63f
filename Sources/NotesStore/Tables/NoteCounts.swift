import NotesModel

/// Numbers of notes in the store.
struct NoteCounts: Equatable {
    var existingNotes = 0
    var tombstones = 0
    /// Living and deleted notes with an open conflict.
    var conflicted = 0

    /// How a note is counted.
    struct Counted {
        let isDeleted: Bool
        let isConflicted: Bool
    }

    /// Counts a note as `after` instead of `before`; nil if it was not counted.
    mutating func replace(_ before: Counted?, by after: Counted) {
        if let before { count(before, -1) }
        count(after, 1)
    }

    private mutating func count(_ note: Counted, _ change: Int) {
        if note.isDeleted { tombstones += change } else { existingNotes += change }
        if note.isConflicted { conflicted += change }
    }
}

extension NoteCounts.Counted {
    init(_ head: Head) {
        self.init(isDeleted: head.isDeleted, isConflicted: !head.conflicts.isEmpty)
    }
}
