package import TextMerge

/// A revision with everything that a store says of it, as `NoteAudit` works it out anew.
package struct StoredRevision: Sendable {
    package let revision: Revision
    /// Nil where the store kept none, as older ones did.
    package let hash: RevisionHash?
    /// Size of the revision's own text.
    package let bytes: Int
    /// The own text, where the store holds it whole.
    package let text: [UInt8]?
    /// The name of its own version; none where it deletes the note.
    package let name: NoteName?
    /// Whether it is marked as one that has every earlier revision of the note in its past.
    package let coversAll: Bool
    /// Where it does: what was unsettled there.
    package let conflicts: [Conflict]
    /// Whether its text was thinned out: `revision` has no edits then, whatever it had, and there is no `text`.
    package let isCompacted: Bool
    /// Whether everything before it may have been: its own text is there, whole.
    package let isCompactionFloor: Bool
    /// Where it is thinned, the hash of what was left of it then; at a foot, that of its text. Otherwise nil.
    package let kept: RevisionHash?
    /// What the note showed after it, where it does not cover all and the store keeps that.
    package let shown: Merged?

    package struct Merged: Sendable {
        package enum Text: Sendable {
            case whole([UInt8])
            /// Of what the note showed one commit before.
            case edits([Edit])
        }

        /// Its vector left out.
        package let head: Head
        package let text: Text

        package init(head: Head, text: Text) {
            self.head = head
            self.text = text
        }
    }

    package init(
        revision: Revision, hash: RevisionHash?, bytes: Int, text: [UInt8]?, name: NoteName?, coversAll: Bool,
        conflicts: [Conflict], isCompacted: Bool = false, isCompactionFloor: Bool = false,
        kept: RevisionHash? = nil, shown: Merged? = nil
    ) {
        self.revision = revision
        self.hash = hash
        self.bytes = bytes
        self.text = text
        self.name = name
        self.coversAll = coversAll
        self.conflicts = conflicts
        self.isCompacted = isCompacted
        self.isCompactionFloor = isCompactionFloor
        self.kept = kept
        self.shown = shown
    }
}
