import Algorithms
import BitCollections
import Causality

/// The revisions that may be in conflict with one revision, and the answers to one question about
/// them: to which of their writers was a given revision shown?
///
/// A revision is *shown* to a writer if it counts in the version that the writer saw. Conflict
/// detection asks this for the inserter and the removers of every run that it passes. The answer is
/// a set of bits, one for each rival in ascending order, so that one operation combines 64 of them.
/// Everything is computed on first use and kept: most writes have no rival, and of the others, most
/// are separated by text that everybody has seen.
///
/// Without withdrawals, the rivals of the newest revision are the concurrent ones, and a revision
/// was shown to all that have it in their past (`having`). There are three cases for a revision x,
/// from the cheapest to the most expensive:
///
/// 1. x is below `leastMissed` and not concurrent, or it is the text that the walk starts from: all
///    have seen it.
/// 2. x is itself concurrent: `having(bystander:)` walks up through the concurrent revisions.
/// 3. The newest revision has seen x, and x is at or above `leastMissed`, so some concurrent
///    revision may not have seen it: `having(missed:)` looks x up in a past block.
///
/// Worked example, as ordinals with their parents, where 3 is the newest:
///
///     0 (none)    1 (0)    2 (0)    3 (1)
///
/// Revision 2 is the only concurrent one. Revision 0 is all that both 2 and 3 have seen, so
/// `leastMissed` is 1. For 0 the answer is {2}, by case 1. For 1 it is the empty set, by case 3:
/// bit 0 of the first past block means revision 1, and it is not set in the word of revision 2.
///
/// With withdrawals, a rival may be in the past of the other revision, so only case 3 applies, with
/// past blocks of all revisions. A revision is shown to those that have it in their past, except
/// those in whose past an effective withdrawal names it.
final class Rivals {
    /// The rivals, ascending. The index in this list is a revision's number in the sets.
    let ordinals: [Int]
    /// The revision after the last that is asked about.
    private let end: Int
    private let graph: RevisionGraph
    private let withdrawals: Withdrawals
    /// Whether the rivals are all revisions that are concurrent with the one at `end`.
    private let areConcurrent: Bool
    /// The number of each revision from the oldest rival to the newest; -1 for the others.
    private lazy var numbers: [Int32] = {
        guard let first = ordinals.first, let last = ordinals.last else { return [] }
        var numbers = [Int32](repeating: -1, count: last - first + 1)
        for (number, ordinal) in ordinals.enumerated() { numbers[ordinal - first] = Int32(number) }
        return numbers
    }()
    /// The answers so far, by ordinal.
    private var seeing: [Int: BitSet] = [:]
    /// The rivals to whose writers the first keepers of each line were shown, and the number of these.
    private var keeping: [Int: (count: Int, rivals: BitSet)] = [:]
    /// The rivals in whose past each withdrawal is effective, by ordinal.
    private var effects: [Int: BitSet] = [:]
    /// The first revision that the newest has seen and some concurrent revision has not; `newest`
    /// if there is none. Everything below it that is not concurrent has been seen by all.
    private lazy var leastMissed = areConcurrent ? findLeastMissed() : 0
    /// The past blocks by key. Block k covers the 64 revisions from `leastMissed` + 64k on. It has
    /// one word for each revision from the first of these up to the one before `end`. Bit i of
    /// a word says whether the i-th revision of the block is that revision or in its past.
    private var pasts: [Int: [UInt64]] = [:]

    /// Creates the answers for all revisions that are concurrent with one, in a graph without
    /// withdrawals.
    ///
    /// - Parameter ordinals: the concurrent revisions, ascending.
    init(concurrent ordinals: [Int], with newest: Int, of graph: RevisionGraph) {
        self.ordinals = ordinals
        self.graph = graph
        (end, areConcurrent, withdrawals) = (newest, true, Withdrawals())
    }

    /// Creates the answers for any revisions.
    ///
    /// - Parameter ordinals: the revisions, ascending.
    init(_ ordinals: [Int], of graph: RevisionGraph, _ withdrawals: Withdrawals) {
        self.ordinals = ordinals
        self.graph = graph
        self.withdrawals = withdrawals
        (end, areConcurrent) = ((ordinals.last ?? -1) + 1, false)
    }

    /// The number of a revision; nil if it is not concurrent with the newest.
    ///
    /// - Complexity: O(1), and once O(revisions from the oldest rival to the newest).
    func number(of ordinal: Int) -> Int? {
        guard let first = ordinals.first, ordinal >= first, ordinal - first < numbers.count else { return nil }
        let number = numbers[ordinal - first]
        return number < 0 ? nil : Int(number)
    }

    /// The rivals to whose writers a revision was shown.
    ///
    /// - Parameter ordinal: any revision, or `Copy.start`.
    /// - Complexity: that of `having` for the revision and for each withdrawal that it depends on.
    func shown(_ ordinal: Int) -> BitSet {
        withdrawals.namers(of: ordinal).reduce(having(ordinal)) { $0.subtracting(effect(of: $1)) }
    }

    /// The rivals to whose writers any keeper of a line was shown (`KeptLines`).
    ///
    /// - Parameters:
    ///   - keepers: the line's keepers, to which others may be added between calls.
    ///   - line: the line.
    func shown(anyOf keepers: [Int], line: Int) -> BitSet {
        var (count, found) = keeping[line, default: (0, BitSet())]
        guard count < keepers.count else { return found }
        for keeper in keepers[count...] { found.formUnion(shown(keeper)) }
        count = keepers.count
        keeping[line] = (count, found)
        return found
    }

    /// The rivals in whose past a withdrawal is effective.
    private func effect(of withdrawal: Int) -> BitSet {
        if let known = effects[withdrawal] { return known }
        let found = shown(withdrawal)
        effects[withdrawal] = found
        return found
    }

    /// The rivals that have a revision in their past.
    ///
    /// - Parameter ordinal: any revision, or `Copy.start`.
    /// - Complexity: O(rivals) on first use. Each past block also costs once, at its first use, the
    ///   number of revisions from its start to `end`.
    func having(_ ordinal: Int) -> BitSet {
        guard ordinal < end else { return BitSet() }
        if let known = seeing[ordinal] { return known }
        let found: BitSet
        if ordinal == Copy.start {
            found = BitSet(0..<ordinals.count)
        } else if !areConcurrent {
            found = having(missed: ordinal)
        } else if number(of: ordinal) != nil {
            found = having(bystander: ordinal)
        } else {
            found = ordinal < leastMissed ? BitSet(0..<ordinals.count) : having(missed: ordinal)
        }
        if seeing.count >= max(64, Self.keptBytesMax / (ordinals.count / 8 + 1)) { seeing = [:] }
        seeing[ordinal] = found
        return found
    }

    /// The memory of the past blocks, and that of the answers, if there are more than 64 of each, in bytes.
    private static let keptBytesMax = 32 << 20

    /// The concurrent revisions that descend from a concurrent one.
    ///
    /// A path of parents between two concurrent revisions leads only through concurrent ones: if
    /// the newest had seen a revision on the path, it would have seen the lower end too. So one
    /// pass upwards over the concurrent revisions suffices.
    private func having(bystander ordinal: Int) -> BitSet {
        var result = BitSet()
        guard !graph.isSibling(ordinal) else { return result }
        for index in ordinals.partitioningIndex(where: { $0 > ordinal })..<ordinals.count {
            let has = graph.parentOrdinals(at: ordinals[index]).contains { parent in
                parent == ordinal || parent > ordinal && number(of: parent).map { result.contains($0) } ?? false
            }
            if has { result.insert(index) }
        }
        return result
    }

    /// The rivals that descend from a revision.
    ///
    /// Such a path may lead through revisions that the newest has seen, which may be many more than
    /// the concurrent ones. A pass over them for each question would be quadratic, so one pass
    /// answers it for 64 neighbours at once.
    private func having(missed ordinal: Int) -> BitSet {
        var result = BitSet()
        let (key, bit) = (ordinal - leastMissed).quotientAndRemainder(dividingBy: 64)
        let start = leastMissed + 64 * key
        let pasts = pasts(of: key, from: start)
        for index in ordinals.partitioningIndex(where: { $0 > ordinal })..<ordinals.count {
            if pasts[ordinals[index] - start] >> bit & 1 == 1 { result.insert(index) }
        }
        return result
    }

    /// The words of a past block: each revision's own bit, if it is in the block, and the bits of
    /// its parents.
    ///
    /// The order of arrival is a causal order, so each parent's word is complete before it is
    /// needed.
    ///
    /// Worked example: the block starts at 1, and the parents are 2 (1), 3 (none at or above 1) and
    /// 4 (2, 3). The words are 0001 for revision 1, 0011 for 2, 0100 for 3, and 1111 for 4:
    /// revision 4 has all the others in its past.
    private func pasts(of key: Int, from start: Int) -> [UInt64] {
        if let known = pasts[key] { return known }
        var found = [UInt64](repeating: 0, count: end - start)
        for index in found.indices {
            var past: UInt64 = index < 64 ? 1 << index : 0
            for parent in graph.parentOrdinals(at: start + index) where parent >= start { past |= found[parent - start] }
            found[index] = past
        }
        // One block takes 8 bytes for each revision since its start, and there may be a block for
        // every 64 of them, so the number of blocks kept is bounded.
        if pasts.count >= max(64, Self.keptBytesMax / (8 * end)) { pasts = [:] }
        pasts[key] = found
        return found
    }

    /// The first revision that the newest has seen and some concurrent revision has not.
    ///
    /// Every concurrent revision has in its past one that has no concurrent parent. So what all of
    /// them have seen, apart from each other, is the common past of the parents of these.
    private func findLeastMissed() -> Int {
        let lowest = ordinals.filter { graph.parentOrdinals(at: $0).allSatisfy { number(of: $0) == nil } }
        return graph.oldestMissed(of: graph.parents(at: end), by: lowest.map(graph.parents(at:))) ?? end
    }
}
