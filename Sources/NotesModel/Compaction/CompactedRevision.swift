package import Causality

/// The remaining identity of a committed revision whose text was compacted. It recognizes the
/// revision when a peer sends it again.
package struct CompactedRevision: Hashable, Sendable {
    /// The revision's note.
    package let note: NoteID
    /// The revision's dot.
    package let dot: Dot
    /// The hash of the original content; 0 if the revision was erased.
    package let hash: RevisionHash
    /// Whether a purge erased the revision, its hash included.
    package let isErased: Bool

    package init(note: NoteID, dot: Dot, hash: RevisionHash, isErased: Bool = false) {
        self.note = note
        self.dot = dot
        self.hash = hash
        self.isErased = isErased
    }

    /// Whether the given revision can be the original one: nothing that remains contradicts it. A
    /// revision of the note with the dot of an erased one is always taken for it, so that no erased byte
    /// comes back.
    ///
    /// - Complexity: O(bytes of the revision).
    package func isOf(_ revision: LinkedRevision) -> Bool {
        revision.note == note && revision.dot == dot && (isErased || hash == RevisionHash(of: revision))
    }
}
