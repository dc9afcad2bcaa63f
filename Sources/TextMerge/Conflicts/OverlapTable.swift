import BitCollections
import Causality

/// What searches meet at each run, computed once for all revisions that an undo withdraws.
///
/// Every one of thousands of searches may pass every run that lines ever had.
final class OverlapTable {
    /// The concurrent edits at the runs, run after run.
    private let candidates: [Candidate]
    /// The start of each run's part of `candidates`, by run.
    private let starts: [Int]
    /// The copy of each run that has only one, with one removal at most, which nobody makes void; nil for
    /// the other runs.
    private let simple: [SimpleCopy?]
    /// The roles of the footprints that were asked for, by the number of the footprint.
    private var roles: [Int?]

    /// The one copy of a run.
    struct SimpleCopy {
        let inserter: Int
        let remover: Int?
    }

    /// - Parameters:
    ///   - runs: what is at each run, by run.
    ///   - footprints: the number of footprints.
    init(_ runs: [(candidates: [Candidate], simple: SimpleCopy?)], footprints: Int) {
        candidates = runs.flatMap(\.candidates)
        starts = runs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.candidates.count) }
        simple = runs.map(\.simple)
        roles = [Int?](repeating: nil, count: footprints)
    }

    /// The concurrent edits at a run.
    func candidates(at run: Int) -> ArraySlice<Candidate> { candidates[starts[run]..<starts[run + 1]] }

    /// Whether the writer of a revision had a run in the text, and the revision did not remove it; nil if the
    /// table does not tell.
    ///
    /// - Parameter reader: the revision's own version, in which it counts itself.
    func keeps(_ run: Int, of ordinal: Int, to reader: Reader) -> Bool? {
        guard let copy = simple[run] else { return nil }
        guard copy.inserter != ordinal else { return false }
        return reader.counts(copy.inserter) && !(copy.remover.map { reader.counts($0) } ?? false)
    }

    /// The role of a footprint.
    ///
    /// - Parameter find: finds it when it is asked for first.
    func role(of footprint: Int, _ find: () -> Int) -> Int {
        if let role = roles[footprint] { return role }
        let role = find()
        roles[footprint] = role
        return role
    }
}

/// The revisions that count in the versions of revisions, one after another.
///
/// A branch could tell it, too, but moving one to an old version may cost all that was written since.
struct CountingPasts {
    private let withdrawals: Withdrawals
    private var version = Version.nothing
    private var past = BitSet()

    init(_ withdrawals: Withdrawals) {
        self.withdrawals = withdrawals
    }

    /// The revisions that count in the version of a revision.
    ///
    /// - Complexity: O(revisions / 64 + revisions that are only in one of this version and the one that was
    ///   asked for before).
    mutating func revisions(countingAt ordinal: Int, in graph: RevisionGraph) -> BitSet {
        let next = Version(graph.dots[ordinal])
        if past.isEmpty {
            past = BitSet(graph.past(of: next))
        } else {
            let (gone, new) = graph.difference(version, next)
            for ordinal in gone { past.remove(ordinal) }
            for ordinal in new { past.insert(ordinal) }
        }
        version = next
        return past.subtracting(withdrawals.withdrawn(within: past))
    }
}
