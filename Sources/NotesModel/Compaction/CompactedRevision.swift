package import Causality

/// The remaining identity of a committed revision whose text was compacted. It recognizes the
/// revision when a peer sends it again.
package struct CompactedRevision: Hashable, Sendable {
    /// The revision's note.
    package let note: NoteID
    /// The revision's dot.
    package let dot: Dot
    /// The hash of the original content.
    package let hash: RevisionHash

    package init(note: NoteID, dot: Dot, hash: RevisionHash) {
        self.note = note
        self.dot = dot
        self.hash = hash
    }

    /// Whether the given revision can be the original one: nothing that remains contradicts it.
    ///
    /// - Complexity: O(bytes of the revision).
    package func isOf(_ revision: LinkedRevision) -> Bool {
        revision.note == note && revision.dot == dot && hash == RevisionHash(of: revision)
    }
}
