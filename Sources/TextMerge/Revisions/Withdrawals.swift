import Algorithms
import BitCollections
import Causality

/// The withdrawals of a walk: revisions that withdraw others, and what they name
/// (`docs/causality.md`, "Undo").
///
/// In a version, a withdrawal is *effective* unless an effective withdrawal names it. A revision is
/// *withdrawn* if an effective withdrawal names it, and *counts* if it is in the version, is not
/// withdrawn and is not a withdrawal itself. A withdrawal has everything that it names in its past,
/// so what is withdrawn is decided from the newest withdrawal to the oldest.
///
/// Worked example: A writes; U withdraws A; U' withdraws U (a redo); V withdraws A concurrently with
/// U'. With all of them, U' and V are effective and U is not, so V alone withdraws A.
struct Withdrawals: Sendable {
    /// The ordinals of the revisions that each withdrawal names, by the withdrawal's ordinal; shorter
    /// than the graph if the newest revisions are no withdrawals.
    private var named: [[Int]?] = []
    /// The withdrawals that name each revision, by its ordinal; likewise.
    private var namers: [[Int]] = []
    /// The ordinals of the withdrawals, ascending.
    private(set) var ordinals: [Int] = []
    /// The ordinals of the writes that a withdrawal names, ascending.
    private(set) var namedWrites: [Int] = []

    /// Whether no revision withdraws another.
    var isEmpty: Bool { ordinals.isEmpty }

    /// Records a withdrawal.
    ///
    /// - Precondition: it is newer than all that were recorded before.
    /// - Returns: the writes that no earlier withdrawal names.
    mutating func record(_ ordinal: Int, naming names: [Int]) -> [Int] {
        ordinals.append(ordinal)
        named += [[Int]?](repeating: nil, count: ordinal - named.count) + [names]
        let new = names.filter { namers(of: $0).isEmpty && !isWithdrawal($0) }
        for name in names {
            if name >= namers.count { namers += [[Int]](repeating: [], count: name + 1 - namers.count) }
            namers[name].append(ordinal)
        }
        for write in new { namedWrites.insert(write, at: namedWrites.partitioningIndex { $0 > write }) }
        return new
    }

    func isWithdrawal(_ ordinal: Int) -> Bool { ordinal < named.count && named[ordinal] != nil }

    /// The revisions that a withdrawal names; none for a write.
    func named(by ordinal: Int) -> [Int] { ordinal < named.count ? named[ordinal] ?? [] : [] }

    /// The withdrawals that name a revision.
    ///
    /// - Parameter ordinal: any revision, or `Copy.start`.
    func namers(of ordinal: Int) -> [Int] { ordinal >= 0 && ordinal < namers.count ? namers[ordinal] : [] }

    /// The revisions that some withdrawals name, directly or through other withdrawals. Only their
    /// states can differ between a version with these withdrawals and one without them.
    ///
    /// - Parameter revisions: the withdrawals, and any other revisions.
    func reach(of revisions: some Sequence<Int>) -> [Int] {
        guard !isEmpty else { return [] }
        var stack = revisions.flatMap { named(by: $0) }
        var found: Set<Int> = []
        while let name = stack.popLast() {
            if found.insert(name).inserted { stack += named(by: name) }
        }
        return Array(found)
    }

    /// The revisions that are withdrawn in a version.
    ///
    /// - Complexity: O(revisions + names).
    func withdrawn(at version: Version, in graph: RevisionGraph) -> BitSet {
        guard !isEmpty else { return [] }
        return withdrawn(within: version == graph.siblings ? nil : BitSet(graph.past(of: version)))
    }

    /// The revisions that are withdrawn in a version.
    ///
    /// - Parameter past: the revisions of the version; nil for all.
    /// - Complexity: O(withdrawals + names).
    func withdrawn(within past: BitSet?) -> BitSet {
        var withdrawn = BitSet()
        for ordinal in ordinals.reversed() where past?.contains(ordinal) ?? true && !withdrawn.contains(ordinal) {
            for name in named(by: ordinal) { withdrawn.insert(name) }
        }
        return withdrawn
    }

    /// The maximal revisions of a version among those that count.
    ///
    /// - Parameter withdrawn: the revisions that are withdrawn in the version.
    /// - Complexity: O(1) if there is no withdrawal; otherwise that of reducing a version, and the
    ///   newest revisions that do not count.
    func countingHeads(of version: Version, in graph: RevisionGraph, withdrawn: BitSet) -> Version {
        guard !isEmpty else { return version }
        var heads = version.dots.filter { graph.ordinal(of: $0) == nil }
        var visited = BitSet()
        var stack = version.dots.compactMap { graph.ordinal(of: $0) }
        while let ordinal = stack.popLast() {
            guard visited.insert(ordinal).inserted else { continue }
            if isWithdrawal(ordinal) || withdrawn.contains(ordinal) {
                let parents = graph.parentOrdinals(at: ordinal)
                stack += parents
                if parents.count < graph.parents(at: ordinal).dots.count {
                    heads += graph.parents(at: ordinal).dots.filter { graph.ordinal(of: $0) == nil }
                }
            } else {
                heads.append(graph.dots[ordinal])
            }
        }
        return graph.reduce(Version(heads))
    }
}

/// The number of effective withdrawals that name each revision, in one version.
struct WithdrawalCounts: Sendable {
    /// The numbers by ordinal; shorter than the graph if the newest revisions are not withdrawn.
    private var counts: [Int32] = []
    /// The revisions that are withdrawn.
    private(set) var withdrawn = BitSet()

    /// Whether a revision is withdrawn.
    func isWithdrawn(_ ordinal: Int) -> Bool { withdrawn.contains(ordinal) }

    /// Makes a withdrawal effective (`step` is 1) or not (-1).
    ///
    /// If it names a withdrawal, that one's effect is reversed in the same way. A plain count of
    /// withdrawals for each run would be wrong: two concurrent undos of a removal would bring back
    /// what a third writer removed.
    ///
    /// - Returns: the writes that thereby stopped or started to count, in the order of the changes.
    mutating func move(_ withdrawal: Int, by step: Int, _ withdrawals: Withdrawals) -> [(ordinal: Int, counts: Bool)] {
        var changes: [(ordinal: Int, counts: Bool)] = []
        var stack = [(withdrawal, Int32(step))]
        while let (mover, step) = stack.popLast() {
            for name in withdrawals.named(by: mover) {
                if name >= counts.count { counts += [Int32](repeating: 0, count: name + 1 - counts.count) }
                let before = counts[name]
                counts[name] += step
                // A count may be below 0 until the steps that are still on the stack are taken.
                guard (before > 0) != (before + step > 0) else { continue }
                if step > 0 { withdrawn.insert(name) } else { withdrawn.remove(name) }
                if withdrawals.isWithdrawal(name) {
                    stack.append((name, -step))
                } else {
                    changes.append((name, step < 0))
                }
            }
        }
        return changes
    }
}
