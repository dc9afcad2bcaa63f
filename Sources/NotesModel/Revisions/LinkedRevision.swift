package import Causality

/// A revision with the hashes of its parents: the unit that stores exchange.
///
/// A dot alone does not identify a parent across stores. A store that was copied or restored while it
/// ran can mint a dot a second time, with other content. The hashes prevent a revision from being
/// attached to a parent that its writer never saw.
package struct LinkedRevision: Hashable, Sendable {
    /// The revision.
    package let content: Revision
    /// The hash of each parent, in the order of `content.parents.dots`.
    package let parentHashes: [RevisionHash]

    /// Links a revision to its parents.
    ///
    /// - Precondition: there is one hash for each parent.
    package init(_ content: Revision, parentHashes: [RevisionHash]) {
        precondition(parentHashes.count == content.parents.dots.count, "each parent has a hash")
        self.content = content
        self.parentHashes = parentHashes
    }

    /// The revision's dot.
    package var dot: Dot { content.dot }
    /// The revision's note.
    package var note: NoteID { content.note }

    /// The revision as compaction leaves it: without its edits.
    package var compacted: LinkedRevision { LinkedRevision(content.compacted, parentHashes: parentHashes) }
}
