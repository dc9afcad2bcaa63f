package import Causality

/// The commits of a note up to its newest compaction floor, for the texts that come back to them
/// (`NoteReopening`).
package struct CompactedPast: Sendable {
    /// A committed revision.
    package struct Row: Hashable, Sendable {
        /// The commit sequence number.
        package let sequence: UInt64
        /// The revision's dot.
        package let dot: Dot
        /// The hash of the original content.
        package let hash: RevisionHash
        /// Whether its text was compacted or erased.
        package let isCompacted: Bool
        /// Whether a purge erased it.
        package let isErased: Bool
        /// Whether it is the compaction floor, or was it before, and no purge.
        package let isFloor: Bool
        /// Whether it has every earlier commit in its past, and no conflict is open there.
        package let mayBeFloor: Bool
        /// Whether its row has the whole text.
        package let storesText: Bool

        package init(
            sequence: UInt64, dot: Dot, hash: RevisionHash, isCompacted: Bool, isErased: Bool, isFloor: Bool, mayBeFloor: Bool,
            storesText: Bool
        ) {
            self.sequence = sequence
            self.dot = dot
            self.hash = hash
            self.isCompacted = isCompacted
            self.isErased = isErased
            self.isFloor = isFloor
            self.mayBeFloor = mayBeFloor
            self.storesText = storesText
        }
    }

    /// The rows, oldest first. The last one is the compaction floor.
    package let rows: [Row]
    /// The text at the compaction floor.
    package let floorText: [UInt8]

    package init(rows: [Row], floorText: [UInt8]) {
        self.rows = rows
        self.floorText = floorText
    }

    /// Maximum number of rows: a note with more of them stays compacted.
    package static let rowsMax = 20_000
}
