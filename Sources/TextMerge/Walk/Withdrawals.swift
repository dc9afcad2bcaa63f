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
    /// The ordinals of the revisions that each withdrawal names, by the withdrawal's ordinal.
    private(set) var named: [Int: [Int]] = [:]
    /// The withdrawals that name a revision, by its ordinal.
    private(set) var namers: [Int: [Int]] = [:]
    /// The ordinals of the withdrawals, ascending.
    private(set) var ordinals: [Int] = []

    /// Whether no revision withdraws another.
    var isEmpty: Bool { ordinals.isEmpty }

    /// Records a withdrawal.
    ///
    /// - Precondition: it is newer than all that were recorded before.
    /// - Returns: the revisions that no earlier withdrawal names.
    mutating func record(_ ordinal: Int, naming names: [Int]) -> [Int] {
        ordinals.append(ordinal)
        named[ordinal] = names
        let new = names.filter { namers[$0] == nil }
        for name in names { namers[name, default: []].append(ordinal) }
        return new
    }

    func isWithdrawal(_ ordinal: Int) -> Bool { named[ordinal] != nil }

    /// The revisions that are withdrawn in a version.
    ///
    /// - Complexity: O(1) if there is no withdrawal; otherwise O(revisions + names).
    func withdrawn(at version: Version, in graph: RevisionGraph) -> Set<Int> {
        guard !isEmpty else { return [] }
        let past = version == graph.siblings ? nil : Set(graph.past(of: version))
        var withdrawn: Set<Int> = []
        for ordinal in ordinals.reversed() where past?.contains(ordinal) ?? true && !withdrawn.contains(ordinal) {
            withdrawn.formUnion(named[ordinal] ?? [])
        }
        return withdrawn
    }

    /// The maximal revisions of a version among those that count.
    ///
    /// - Parameter withdrawn: the revisions that are withdrawn in the version.
    /// - Complexity: O(1) if there is no withdrawal; otherwise that of reducing a version.
    func countingHeads(of version: Version, in graph: RevisionGraph, withdrawn: Set<Int>) -> Version {
        guard !isEmpty else { return version }
        var heads: [Dot] = []
        var visited: Set<Dot> = []
        var stack = version.dots
        while let dot = stack.popLast() {
            guard visited.insert(dot).inserted else { continue }
            if let ordinal = graph.ordinal(of: dot), isWithdrawal(ordinal) || withdrawn.contains(ordinal) {
                stack += graph.parents(at: ordinal).dots
            } else {
                heads.append(dot)
            }
        }
        return graph.reduce(Version(heads))
    }
}

/// The number of effective withdrawals that name each revision, in one version.
struct WithdrawalCounts: Sendable {
    private var counts: [Int: Int] = [:]

    /// Whether a revision is withdrawn.
    func isWithdrawn(_ ordinal: Int) -> Bool { counts[ordinal] != nil }

    /// Makes a withdrawal effective (`step` is 1) or not (-1).
    ///
    /// If it names a withdrawal, that one's effect is reversed in the same way. A plain count of
    /// withdrawals for each run would be wrong: two concurrent undos of a removal would bring back
    /// what a third writer removed.
    ///
    /// - Returns: the writes that thereby stopped or started to count, in the order of the changes.
    mutating func move(_ withdrawal: Int, by step: Int, _ withdrawals: Withdrawals) -> [(ordinal: Int, counts: Bool)] {
        var changes: [(ordinal: Int, counts: Bool)] = []
        var stack = [(withdrawal, step)]
        while let (mover, step) = stack.popLast() {
            for name in withdrawals.named[mover] ?? [] {
                let before = counts[name] ?? 0
                counts[name] = before + step == 0 ? nil : before + step
                guard before == 0 || before + step == 0 else { continue }
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
