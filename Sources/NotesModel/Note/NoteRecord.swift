package import Causality
package import NoteText
package import TextMerge

/// The input from which the model builds a `Note`: a critical version and every revision above it,
/// in commit order. A journal produces it.
package struct NoteRecord: Sendable {
    /// The note's id.
    package let id: NoteID
    /// See `Head.created`.
    package let created: Timestamp
    /// The newest counter of each replica, over the note's complete history up to `floor`.
    package let vector: VersionVector
    /// The commit sequence number of the newest revision in `tail`, or of the floor when `tail` is
    /// empty.
    package let sequence: UInt64
    /// The state at the critical version; nil when `tail` is the complete history.
    package let floor: Floor?
    /// The revisions above the floor, oldest commit first.
    package let tail: [Revision]
    /// Whether `floor` is the compaction floor, so that the journal cannot load anything older.
    package let endsAtCompactionFloor: Bool
    /// The requested dots that lie below the compaction floor.
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

    /// The note's state at a critical version of one revision.
    package struct Floor: Sendable {
        /// The dot of the critical version.
        package let dot: Dot
        /// The text, and what else a view needs to start there.
        package let state: ViewFloor
        /// The name there, even if the revision is a tombstone.
        package let name: NoteName?
        /// The author of the revision.
        package let author: Author
        /// The time of the revision.
        package let time: Timestamp
        /// See `Revision.modified`.
        package let modified: Timestamp
        /// Whether the revision is a purge. No store ever shows anything from below it again.
        package let isPurge: Bool

        package init(
            dot: Dot, _ state: ViewFloor, name: NoteName?, author: Author, time: Timestamp, modified: Timestamp,
            isPurge: Bool = false
        ) {
            self.dot = dot
            self.state = state
            self.name = name
            self.author = author
            self.time = time
            self.modified = modified
            self.isPurge = isPurge
        }
    }
}
