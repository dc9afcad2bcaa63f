package import Causality

/// What is left of a committed revision whose text was thinned out, for one who is offered it again.
package struct CompactedRevision: Hashable, Sendable {
    package let note: NoteID
    package let dot: Dot
    /// Of its content before; nil where the store kept none, as older ones did.
    package let hash: RevisionHash?

    package init(note: NoteID, dot: Dot, hash: RevisionHash?) {
        self.note = note
        self.dot = dot
        self.hash = hash
    }

    /// Whether the revision may be what this was: nothing that is left of it says otherwise.
    ///
    /// - Complexity: O(bytes of the revision).
    package func isOf(_ revision: Revision) -> Bool {
        revision.note == note && revision.dot == dot && (hash.map { $0 == RevisionHash(of: revision) } ?? true)
    }
}
