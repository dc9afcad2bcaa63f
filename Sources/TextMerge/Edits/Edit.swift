/// A range of a text, in bytes, replaced by other bytes.
///
/// In a list of edits, all offsets refer to the text before any of the edits. Ranges ascend and do
/// not overlap, and several insertions at one offset are made in the order of the list.
package struct Edit: Hashable, Sendable {
    /// The offset of the first replaced byte.
    package var start: Int
    /// The offset after the last replaced byte; equal to `start` for an insertion.
    package var end: Int
    /// The bytes that take the place of the range; empty for a removal.
    package var replacement: [UInt8]

    /// Creates an edit.
    ///
    /// - Precondition: `0 <= start <= end`.
    package init(start: Int, end: Int, replacement: [UInt8]) {
        precondition(start >= 0 && start <= end, "an edit's range ascends")
        self.start = start
        self.end = end
        self.replacement = replacement
    }

    /// The number of bytes by which the text grows; negative if it shrinks.
    package var growth: Int { replacement.count - (end - start) }
}

/// How a revision's edits are known.
package enum EditOrigin: Hashable, Sendable {
    /// By the client, which sent the ranges.
    case stated
    /// By the daemon, which received a whole text: the line diff from the text at the base,
    /// computed once and stored with the revision.
    case found
}
