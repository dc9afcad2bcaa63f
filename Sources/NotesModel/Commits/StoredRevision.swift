package import NoteText
package import TextMerge

/// A revision with everything that the store derived from it. `NoteAudit` recomputes and compares
/// each derived value.
package struct StoredRevision: Sendable {
    /// The revision; without edits when it is compacted.
    package let revision: Revision
    /// The stored hashes of the parents, in the order of `revision.parents.dots`; nil if one of them
    /// cannot be read.
    package let parentHashes: [RevisionHash]?
    /// The hash stored with the revision.
    package let hash: RevisionHash
    /// The stored size of the revision's own text, in bytes.
    package let bytes: Int
    /// The revision's own text; nil when the row does not hold a full text.
    package let text: [UInt8]?
    /// The stored name at the revision's own version; nil for a tombstone.
    package let name: NoteName?
    /// Whether the row is marked as having every earlier revision of the note in its past.
    package let coversAll: Bool
    /// The stored open conflicts at the revision, if `coversAll`; otherwise empty.
    package let conflicts: [KeptConflict]
    /// The stored mark of the own text's last LF and its register, if `coversAll`.
    package let lastLine: LastLineFeed
    /// The stored mark that the note is deleted at the revision's own version.
    package let isDeleted: Bool
    /// Whether the text was compacted. Then `revision` has no edits and `text` is nil.
    package let isCompacted: Bool
    /// Whether the row is the compaction floor: every text before it may be gone, and its own text
    /// is complete.
    package let isCompactionFloor: Bool
    /// The hash that compaction stored: of what remains of a compacted revision, or of the text of
    /// a compaction floor. Otherwise nil.
    package let kept: RevisionHash?
    /// The note's stored state after the revision, for a revision that does not cover all earlier
    /// ones; nil when the store does not keep it.
    package let shown: Merged?

    /// A note's merged state after a commit, as a store keeps it.
    package struct Merged: Sendable {
        /// The stored form of the merged text.
        package enum Text: Sendable {
            /// The full text.
            case whole([UInt8])
            /// Edits to the merged text after the previous commit.
            case edits([Edit])
        }

        /// The note's head, with an empty version vector.
        package let head: Head
        /// The merged text.
        package let text: Text

        package init(head: Head, text: Text) {
            self.head = head
            self.text = text
        }
    }

    package init(
        revision: Revision, parentHashes: [RevisionHash]?, hash: RevisionHash, bytes: Int, text: [UInt8]?, name: NoteName?,
        coversAll: Bool,
        conflicts: [KeptConflict], lastLine: LastLineFeed = .shown, isDeleted: Bool? = nil, isCompacted: Bool = false,
        isCompactionFloor: Bool = false,
        kept: RevisionHash? = nil, shown: Merged? = nil
    ) {
        self.revision = revision
        self.parentHashes = parentHashes
        self.hash = hash
        self.bytes = bytes
        self.text = text
        self.name = name
        self.coversAll = coversAll
        self.conflicts = conflicts
        self.lastLine = lastLine
        self.isDeleted = isDeleted ?? revision.isTombstone
        self.isCompacted = isCompacted
        self.isCompactionFloor = isCompactionFloor
        self.kept = kept
        self.shown = shown
    }
}
