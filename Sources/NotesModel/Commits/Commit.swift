package import Causality
package import NoteText
package import TextMerge

/// An accepted revision with the values that the model derived from it, ready for the journal.
///
/// It is a class because several lists hold it, and copying a struct with these members would
/// retain about thirty references.
package final class Commit: Sendable {
    /// The commit sequence number in the store: the previous one plus 1.
    package let sequence: UInt64
    /// The sequence number of the note's previous commit; 0 when there is none.
    package let previous: UInt64
    /// The revision to append.
    package let revision: Revision
    /// Whether the revision has every earlier revision of the note in its past, so that a walk may
    /// start at it.
    package let coversAll: Bool
    /// The text at the revision's own version, which is what its writer wrote. Empty for a
    /// tombstone.
    package let text: [UInt8]
    /// The name at the revision's own version.
    package let name: NoteName?
    /// The note's state after this commit.
    package let head: Head
    /// The conflicts that are open at the revision's own version, if `coversAll`, for a walk that
    /// starts there. Their ranges are those of the kept sequence.
    package let conflicts: [KeptConflict]
    /// The last LF of `text` and its register, if `coversAll` (`ViewFloor.lastLine`).
    package let lastLine: LastLineFeed
    /// Whether the note is deleted at the revision's own version.
    package let isDeleted: Bool
    /// The edits that turn the text at the parents into `text`: those of the revision, or for a
    /// withdrawal the difference.
    package let textEdits: [Edit]
    /// The note's merged text after this commit; nil if `coversAll`, because then it equals `text`.
    package let shown: MergedText?
    /// Whether the revision is a purge, of this store or of a `NoteBeginning`: the store erases everything
    /// below it.
    package let isPurge: Bool
    /// The hashes of the parents, in the order of their dots, if the revision is the floor of a
    /// `NoteBeginning`; otherwise nil, since the store has the parents.
    package let parentHashes: [RevisionHash]?

    package init(
        sequence: UInt64, previous: UInt64, revision: Revision, coversAll: Bool, text: [UInt8], name: NoteName?, head: Head,
        conflicts: [KeptConflict] = [], lastLine: LastLineFeed = .shown, isDeleted: Bool? = nil, textEdits: [Edit]? = nil,
        shown: MergedText? = nil, isPurge: Bool = false, parentHashes: [RevisionHash]? = nil
    ) {
        self.sequence = sequence
        self.previous = previous
        self.revision = revision
        self.coversAll = coversAll
        self.text = text
        self.name = name
        self.head = head
        self.conflicts = conflicts
        self.lastLine = lastLine
        self.isDeleted = isDeleted ?? revision.isTombstone
        self.textEdits = textEdits ?? revision.edits
        self.shown = shown
        self.isPurge = isPurge
        self.parentHashes = parentHashes
    }
}

/// One entry of a note's history.
package struct RevisionSummary: Hashable, Sendable {
    /// The revision's dot.
    package let dot: Dot
    /// The revision's parents.
    package let parents: Version
    /// The user and label that made the write.
    package let author: Author
    /// The wall-clock time of the write.
    package let time: Timestamp
    /// Size of the text at the revision's own version, in bytes.
    package let bytes: Int
    /// Whether the note is deleted at the revision's own version.
    package let isDeleted: Bool
    /// The name at the revision's own version.
    package let name: NoteName?
    /// Whether the client stated the edits (`edited`) instead of sending a whole text (`saved`).
    package let isStated: Bool
    /// Whether the revision's text was compacted.
    package let isCompacted: Bool
    /// Whether the revision is a purge.
    package let isPurge: Bool
    /// The revisions that this one withdrew; empty for a write.
    package let withdraws: [Dot]
    /// Whether the revision is withdrawn in the note's newest version.
    package let isWithdrawn: Bool
    /// The conflicts that the writer named as resolved.
    package let resolves: [ConflictID]
    /// The times that the writer took from a file; nil for any other write.
    package let times: FileTimes?

    package init(
        dot: Dot, parents: Version, author: Author, time: Timestamp, bytes: Int, isDeleted: Bool, name: NoteName?,
        isStated: Bool, isCompacted: Bool = false, isPurge: Bool = false, withdraws: [Dot] = [], isWithdrawn: Bool = false,
        resolves: [ConflictID] = [], times: FileTimes? = nil
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
        self.isPurge = isPurge
        self.withdraws = withdraws
        self.isWithdrawn = isWithdrawn
        self.resolves = resolves
        self.times = times
    }
}
