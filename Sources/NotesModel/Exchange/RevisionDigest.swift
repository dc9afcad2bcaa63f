package import Causality

/// Identifies the revision that a store has for a dot. If two stores have different digests for one dot, the
/// dot was used for two revisions.
package struct RevisionDigest: Hashable, Sendable {
    /// The dot.
    package let dot: Dot
    /// The note of its revision.
    package let note: NoteID
    /// The hash of the revision; nil if only the dot is known, as below a purge.
    package let hash: RevisionHash?

    package init(dot: Dot, note: NoteID, hash: RevisionHash?) {
        self.dot = dot
        self.note = note
        self.hash = hash
    }

    /// Whether both can be of one revision.
    package func agrees(with other: RevisionDigest) -> Bool {
        guard dot == other.dot, note == other.note else { return false }
        guard let hash, let theirs = other.hash else { return true }
        return hash == theirs
    }

    /// Maximum number of digests of one request.
    package static let countMax = 1_024
}
