package import Causality
package import TextMerge

/// A note as a journal hands it to the model: a critical version and every revision above it, in commit order.
package struct NoteRecord: Sendable {
    package let id: NoteID
    /// When its first revision was made.
    package let created: Timestamp
    /// The newest counter of each replica over the whole history.
    package let vector: VersionVector
    /// The commit of the newest revision in `tail`, or of the root where there is none.
    package let sequence: UInt64
    /// Nil where `tail` is the whole history.
    package let floor: Floor?
    package let tail: [Revision]
    /// Whether the root is the note's foot: below it nothing can be read any more, whatever is asked for.
    package let endsAtCompactionFloor: Bool
    /// Of the dots that the record was to reach, those below the foot.
    package let gone: Version

    package init(
        id: NoteID, created: Timestamp, vector: VersionVector, sequence: UInt64, floor: Floor?, tail: [Revision],
        endsAtCompactionFloor: Bool = false, gone: Version = .nothing
    ) {
        self.id = id
        self.created = created
        self.vector = vector
        self.sequence = sequence
        self.floor = floor
        self.tail = tail
        self.endsAtCompactionFloor = endsAtCompactionFloor
        self.gone = gone
    }

    /// A revision that has all earlier ones in its past, and is itself in the past of every later one: what the note showed there.
    package struct Floor: Sendable {
        package let dot: Dot
        /// "" where it is a tombstone.
        package let text: [UInt8]
        package let name: NoteName?
        package let isDeleted: Bool
        package let author: Author
        package let time: Timestamp
        /// Open there: whoever writes above may settle them.
        package let conflicts: [Conflict]

        package init(
            dot: Dot, text: [UInt8], name: NoteName?, isDeleted: Bool, author: Author, time: Timestamp,
            conflicts: [Conflict] = []
        ) {
            self.dot = dot
            self.text = text
            self.name = name
            self.isDeleted = isDeleted
            self.author = author
            self.time = time
            self.conflicts = conflicts
        }
    }
}
