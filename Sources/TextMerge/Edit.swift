/// A range of a text, in bytes, replaced by other bytes.
///
/// A list of edits speaks about one text: ranges ascend and do not overlap, several insertions at one offset stand in their
/// order, and all offsets are those of the text before any of them is made.
package struct Edit: Hashable, Sendable {
    package var start: Int
    package var end: Int
    package var replacement: [UInt8]

    /// - Precondition: `0 <= start <= end`.
    package init(start: Int, end: Int, replacement: [UInt8]) {
        precondition(start >= 0 && start <= end, "an edit's range ascends")
        self.start = start
        self.end = end
        self.replacement = replacement
    }

    /// By how many bytes the text grows.
    package var growth: Int { replacement.count - (end - start) }
}

/// How a revision's edits are known.
package enum EditOrigin: Hashable, Sendable {
    /// By the client, which gave the ranges.
    case stated
    /// By the daemon that took a whole text: the line diff from the base's text, made once and stored with the revision.
    case found
}
