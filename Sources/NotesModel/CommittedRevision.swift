/// A committed revision as a store can give it.
package enum CommittedRevision: Hashable, Sendable {
    case whole(Revision)
    case compacted(CompactedRevision)

    package var revision: Revision? {
        if case .whole(let revision) = self { revision } else { nil }
    }
}
