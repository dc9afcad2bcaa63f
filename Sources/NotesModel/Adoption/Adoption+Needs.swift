package import Causality

extension Adoption {
    /// Data that the caller must supply before `run()` can continue.
    package enum Need: Hashable, Sendable {
        /// The store's content for a dot.
        case held(Dot)
        /// The revisions in the store that wait for a dot.
        case waiting(on: Dot)
        /// A note, loaded down to a depth.
        case note(NoteID, downTo: LoadDepth)
    }

    /// The store's content for a dot.
    package enum Held: Sendable {
        /// No revision has the dot.
        case nothing
        /// A committed revision.
        case committed(LinkedRevision)
        /// A committed revision whose text was compacted.
        case compacted(CompactedRevision)
        /// A revision that waits for a parent.
        case waiting(LinkedRevision)

        /// Whether a committed revision has the dot, and is another one.
        func differs(from revision: LinkedRevision) -> Bool {
            switch self {
            case .nothing, .waiting: false
            case .committed(let other): other != revision
            case .compacted(let other): !other.isOf(revision)
            }
        }

        /// The hash of a committed revision; nil for `nothing`, `waiting` and an erased revision.
        ///
        /// - Complexity: O(bytes of the revision).
        var hash: RevisionHash? {
            switch self {
            case .nothing, .waiting: nil
            case .committed(let revision): RevisionHash(of: revision)
            case .compacted(let compacted): compacted.isErased ? nil : compacted.hash
            }
        }

        /// The note of a committed revision; nil for `nothing` and `waiting`.
        var note: NoteID? {
            switch self {
            case .nothing, .waiting: nil
            case .committed(let revision): revision.note
            case .compacted(let compacted): compacted.note
            }
        }

        /// The revision that waits; nil if none does.
        var waiting: LinkedRevision? {
            if case .waiting(let revision) = self { revision } else { nil }
        }
    }
}
