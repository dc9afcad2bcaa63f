import BitCollections
import Causality

/// The inputs of a search for edits that touch the newest revision's edits.
struct OverlapSearch {
    let newest: Int
    let reader: Reader
    /// The rivals, by number, whose edits may be in conflict with the newest revision.
    let editors: BitSet
    /// The editors whose edits were found by the line diff.
    let found: BitSet
    /// The editors that are in conflict only where one of the two revisions is withdrawn.
    var over = BitSet()
    /// Whether that one is the newest revision; otherwise it is the editor.
    var isForWithdrawn = false
    let rivals: Rivals
}

/// The version of the revision that a search is for.
enum Reader {
    /// The version of a branch.
    case branch(Int)
    /// The revisions that count in the version.
    case counting(BitSet)

    /// The version of an older revision, without a branch: moving one there may cost all that was
    /// written since.
    ///
    /// - Complexity: O(revisions).
    init(of ordinal: Int, in graph: RevisionGraph, _ withdrawals: Withdrawals) {
        let version = Version(graph.dots[ordinal])
        self = .counting(BitSet(graph.past(of: version)).subtracting(withdrawals.withdrawn(at: version, in: graph)))
    }

    /// Whether a revision counts in the version.
    func counts(_ ordinal: Int) -> Bool {
        guard case .counting(let counting) = self else { preconditionFailure("a branch has states of copies") }
        return ordinal == Copy.start || counting.contains(ordinal)
    }
}

/// An edit of a concurrent revision that the search met, identified by its footprint.
struct Candidate: Hashable, Comparable {
    let footprint: Int
    let ordinal: Int
    let number: Int

    static func == (left: Candidate, right: Candidate) -> Bool { left.footprint == right.footprint }

    func hash(into hasher: inout Hasher) { hasher.combine(footprint) }

    static func < (left: Candidate, right: Candidate) -> Bool { left.footprint < right.footprint }
}
