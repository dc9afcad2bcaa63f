package import Causality

/// Some of what one store has and another lacks, in commit order, so that each revision stands after its parents unless the
/// other has them.
package struct RevisionPage: Sendable {
    package let revisions: [Revision]
    /// Those that the other lacks too, and that nobody can have from here any more: their texts were thinned out. What is built on them
    /// waits there until they come from elsewhere.
    package let gone: [Dot]
    /// Everything up to this commit has been looked at: the next page starts after it.
    package let through: UInt64
    /// Whether nothing was left to look at then.
    package let isLast: Bool

    package init(revisions: [Revision], gone: [Dot] = [], through: UInt64, isLast: Bool) {
        self.revisions = revisions
        self.gone = gone
        self.through = through
        self.isLast = isLast
    }
}

/// How much a page may hold. One revision always fits, however long it is.
package struct PageLimit: Hashable, Sendable {
    package var revisionsMax: Int
    /// Of edits, with `revisionOverheadBytes` a revision.
    package var bytesMax: Int

    package static let revisionOverheadBytes = 64

    /// - Precondition: both are at least 1.
    package init(revisionsMax: Int = 1_024, bytesMax: Int = 1 << 20) {
        precondition(revisionsMax >= 1 && bytesMax >= 1, "a page holds something")
        self.revisionsMax = revisionsMax
        self.bytesMax = bytesMax
    }
}
