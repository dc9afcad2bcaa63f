package import Causality

/// A page of the revisions that this store holds and a peer lacks, in commit order.
///
/// Each revision comes after its parents, unless the peer already has them or a beginning has them below
/// its floor.
package struct RevisionPage: Hashable, Sendable {
    /// The beginnings of notes that the peer lacks and of which earlier texts are gone. The revisions of
    /// the page may be based on them.
    package let beginnings: [NoteBeginning]
    /// The revisions, oldest commit first.
    package let revisions: [LinkedRevision]
    /// Revisions that the peer lacks and that this store cannot send: their rows are damaged, or their
    /// texts were compacted and the beginning of the note is too large. The peer holds revisions built on
    /// them until another peer supplies them.
    package let gone: [Dot]
    /// The last commit that the page covers. The next page starts after it.
    package let through: UInt64
    /// Whether the page reached the newest commit.
    package let isLast: Bool

    package init(
        beginnings: [NoteBeginning] = [], revisions: [LinkedRevision], gone: [Dot] = [], through: UInt64, isLast: Bool
    ) {
        self.beginnings = beginnings
        self.revisions = revisions
        self.gone = gone
        self.through = through
        self.isLast = isLast
    }
}
