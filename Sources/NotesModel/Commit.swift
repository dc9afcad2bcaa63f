package import Causality
package import TextMerge

/// One accepted revision on its way into the journal, with what the model worked out when it accepted it.
///
/// A class, since it goes through several lists, and a copy of all that it holds would count some thirty references.
package final class Commit: Sendable {
    /// Place in the store's commit order: the one before plus 1.
    package let sequence: UInt64
    /// The commit of this note before this one; 0 where there is none.
    package let previous: UInt64
    package let revision: Revision
    /// Whether the revision has every earlier revision of the note in its past, so that a walk may start at it.
    package let coversAll: Bool
    /// The revision's own version: the text that its writer was shown after it ("" for a tombstone), and the name there.
    package let text: [UInt8]
    package let name: NoteName?
    /// What the note shows after this commit.
    package let head: Head
    /// The conflicts open at the revision's own version. Kept where it covers all, for a walk that starts there.
    package let conflicts: [Conflict]
    /// What the note shows after this commit, where it does not cover all; where it does, that is the revision's own version.
    package let shown: MergedText?

    package init(
        sequence: UInt64, previous: UInt64, revision: Revision, coversAll: Bool, text: [UInt8], name: NoteName?, head: Head,
        conflicts: [Conflict] = [], shown: MergedText? = nil
    ) {
        self.sequence = sequence
        self.previous = previous
        self.revision = revision
        self.coversAll = coversAll
        self.text = text
        self.name = name
        self.head = head
        self.conflicts = conflicts
        self.shown = shown
    }
}

/// A line of a note's history.
package struct RevisionSummary: Hashable, Sendable {
    package let dot: Dot
    package let parents: Version
    package let author: Author
    package let time: Timestamp
    /// Size of the text of the revision's own version.
    package let bytes: Int
    package let isDeleted: Bool
    package let name: NoteName?
    package let isStated: Bool
    /// Whether its text was thinned out.
    package let isCompacted: Bool

    package init(
        dot: Dot, parents: Version, author: Author, time: Timestamp, bytes: Int, isDeleted: Bool, name: NoteName?,
        isStated: Bool, isCompacted: Bool = false
    ) {
        self.dot = dot
        self.parents = parents
        self.author = author
        self.time = time
        self.bytes = bytes
        self.isDeleted = isDeleted
        self.name = name
        self.isStated = isStated
        self.isCompacted = isCompacted
    }
}
