/// A committed revision in the form in which a store can still return it.
package enum CommittedRevision: Hashable, Sendable {
    /// The store still holds the revision's edits.
    case whole(LinkedRevision)
    /// Compaction removed the revision's text; the store holds only what identifies it.
    case compacted(CompactedRevision)

    /// The whole revision; nil when its text was compacted.
    package var revision: LinkedRevision? {
        if case .whole(let revision) = self { revision } else { nil }
    }
}
