import Algorithms
import BitCollections

/// The revisions of one note and what their writers had seen: each dot with its parents, in a
/// causal order.
///
/// The *parents* of a revision are the maximal dots of the version that its writer had seen. Its
/// *past* is its parents and their pasts. The graph may start above a critical version, its
/// `floor`: every revision in the graph has all of the floor in its past, and nothing below the
/// floor is held. The dots of the floor count as known, and as in the past of every revision.
///
/// Invariants (`checkInvariants`): every parent belongs to the floor or is earlier in the order; no
/// sibling is in the past of another; no dot occurs twice.
///
/// A revision is identified by its ordinal in the order of arrival, which is a causal order.
/// Reachability queries follow parents from the newest ordinal downwards and stop below the oldest
/// one that matters. So their cost depends on what happened since then, not on the length of the
/// history.
package struct RevisionGraph: Sendable {
    /// The critical version above which the graph starts; empty if it starts at the first revision.
    package let floor: Version
    /// The revisions above the floor, by ordinal.
    package private(set) var dots: [Dot] = []
    /// The parents of each revision, by ordinal.
    private var parentsByOrdinal: [Version] = []
    /// The ordinals of the parents that are above the floor, ascending, by ordinal.
    private var parentOrdinals: [[Int]] = []
    /// The ordinal of each revision.
    private var ordinals: [Dot: Int] = [:]
    /// The revisions that are in no other revision's past; the floor while the graph is empty.
    package private(set) var siblings: Version

    /// Creates a graph without revisions.
    package init(floor: Version = .nothing) {
        self.floor = floor
        siblings = floor
    }

    /// The number of revisions above the floor.
    package var count: Int { dots.count }

    /// Whether a revision is in the graph or a dot of the floor.
    package func knows(_ dot: Dot) -> Bool {
        ordinals[dot] != nil || floor.dots.contains(dot)
    }

    /// The ordinal of a revision; nil if it is not in the graph, as for the dots of the floor.
    package func ordinal(of dot: Dot) -> Int? {
        ordinals[dot]
    }

    /// The parents of a revision; nil if it is not in the graph.
    package func parents(of dot: Dot) -> Version? {
        ordinals[dot].map { parentsByOrdinal[$0] }
    }

    /// The parents of the revision with an ordinal.
    package func parents(at ordinal: Int) -> Version {
        parentsByOrdinal[ordinal]
    }

    /// Gives the newest revision another dot.
    ///
    /// - Precondition: there is a revision, and the dot is new.
    package mutating func renameNewest(to dot: Dot) {
        precondition(!knows(dot), "a dot names one revision only")
        guard let newest = dots.popLast() else { preconditionFailure("a revision is above the floor") }
        dots.append(dot)
        ordinals[dot] = ordinals.removeValue(forKey: newest)
        siblings = siblings.renaming(newest, to: dot)
    }

    /// Whether a revision is in no other revision's past.
    ///
    /// - Complexity: O(log siblings).
    package func isSibling(_ ordinal: Int) -> Bool { siblings.contains(dots[ordinal]) }

    /// The ordinals of a revision's parents, ascending, without those that belong to the floor.
    package func parentOrdinals(at ordinal: Int) -> [Int] {
        parentOrdinals[ordinal]
    }

    /// Inserts a revision: a new write (`put`), or one that another store sent (`sync`).
    ///
    /// - Precondition: the dot is new, and its parents are known and an antichain (none is in the
    ///   past of another).
    /// - Complexity: O(siblings + parents).
    package mutating func insert(_ dot: Dot, parents: Version) {
        precondition(!knows(dot), "a dot names one revision only")
        precondition(parents.dots.allSatisfy(knows), "a revision is adopted after its parents")
        precondition(!parents.isNothing || floor.isNothing, "above a floor everything has the floor in its past")
        ordinals[dot] = dots.count
        dots.append(dot)
        parentsByOrdinal.append(parents)
        parentOrdinals.append(parents.dots.compactMap { ordinals[$0] }.sorted())
        // A sibling in the past of the new revision is one of its parents, because the siblings are
        // maximal in that past.
        siblings = Version(siblings.dots.filter { !parents.dots.contains($0) } + [dot])
    }

    /// The version that some dots name, by its maximal dots.
    ///
    /// - Precondition: every dot is known.
    /// - Complexity: O(revisions between the oldest and the newest of the dots); O(1) for a single
    ///   dot.
    package func reduce(_ version: Version) -> Version {
        guard version.dots.count > 1 else { return version }
        let marked = version.dots.compactMap { ordinals[$0] }
        guard let oldest = marked.min() else { return version }
        let covered = strictPast(of: marked, downTo: oldest)
        return Version(marked.filter { !covered.contains($0) }.map { dots[$0] })
    }

    /// The union of two versions, reduced.
    package func join(_ left: Version, _ right: Version) -> Version {
        reduce(left.union(right))
    }

    /// Whether a version covers a revision: the revision is one of its dots or in their past.
    ///
    /// - Complexity: O(log dots) for one of the dots; otherwise that of the revisions from the newest
    ///   dot down to this one.
    package func covers(_ version: Version, _ dot: Dot) -> Bool {
        guard let wanted = ordinals[dot] else { return floor.dots.contains(dot) && covers(floor: version) }
        if version.contains(dot) { return true }
        let heads = version.dots.compactMap { ordinals[$0] }
        return strictPast(of: heads, downTo: wanted).contains(wanted)
    }

    /// The given revisions that a version covers.
    ///
    /// - Complexity: O(dots + revisions from the newest dot down to the oldest of these).
    package func covered(_ dots: some Sequence<Dot>, by version: Version) -> Set<Dot> {
        let wanted = dots.map { ($0, ordinals[$0]) }
        let heads = version.dots.compactMap { ordinals[$0] }
        let past = strictPast(of: heads, downTo: wanted.lazy.compactMap(\.1).min() ?? count)
        return Set(
            wanted.filter { dot, ordinal in
                ordinal.map { version.contains(dot) || past.contains($0) } ?? (floor.dots.contains(dot) && covers(floor: version))
            }.map(\.0))
    }

    /// Whether a version covers the floor. Every known version does, except the empty one.
    private func covers(floor version: Version) -> Bool {
        !version.isNothing
    }

    /// The ordinals of the revisions that a version covers above the floor, ascending.
    ///
    /// - Complexity: O(revisions).
    package func past(of version: Version) -> [Int] {
        let heads = version.dots.compactMap { ordinals[$0] }
        var past = strictPast(of: heads, downTo: 0)
        for head in heads { past.insert(head) }
        return past.members
    }

    /// The revisions that only one of two versions covers, for each of the two, ascending.
    ///
    /// The walk goes down from the newest ordinal and stops when both versions cover everything
    /// that is left to visit. Below that point the versions agree, so the cost depends only on what
    /// happened since.
    /// - Complexity: O(revisions between the newest and the oldest one visited).
    package func difference(_ left: Version, _ right: Version) -> (onlyLeft: [Int], onlyRight: [Int]) {
        difference(left, right, visitsMax: .max) ?? ([], [])
    }

    /// The difference of two versions if it can be computed by visiting at most `visitsMax`
    /// revisions; otherwise nil.
    ///
    /// Worked example: revisions 0 to 3, where 1 and 2 have the parent 0, and 3 has the parent 2;
    /// the versions are {1} and {3}. Visited are 3 (only right), 2 (only right) and 1 (only left). Then 0,
    /// which both cover, is all that is left, and the result is ([1], [2, 3]).
    package func difference(_ left: Version, _ right: Version, visitsMax: Int) -> (onlyLeft: [Int], onlyRight: [Int])? {
        guard left != right else { return ([], []) }
        var descent = Descent<UInt8>(through: newestOrdinal(of: [left, right]), whole: 0b11)
        for dot in left.dots { ordinals[dot].map { descent.reach($0, from: 0b01) } }
        for dot in right.dots { ordinals[dot].map { descent.reach($0, from: 0b10) } }
        var onlyLeft: [Int] = []
        var onlyRight: [Int] = []
        var visits = 0
        while let (ordinal, sides) = descent.next() {
            visits += 1
            guard visits <= visitsMax else { return nil }
            if sides == 0b01 { onlyLeft.append(ordinal) }
            if sides == 0b10 { onlyRight.append(ordinal) }
            for parent in parentOrdinals[ordinal] { descent.reach(parent, from: sides) }
        }
        return (onlyLeft.reversed(), onlyRight.reversed())
    }

    /// The oldest revision that a version covers and at least one of some others does not; nil if there
    /// is none.
    ///
    /// - Complexity: that of `difference`, for each 63 of the other versions.
    package func oldestMissed(of version: Version, by others: [Version]) -> Int? {
        others.chunks(ofCount: 63).compactMap { oldestMissed(of: version, by: $0) }.min()
    }

    private func oldestMissed(of version: Version, by others: ArraySlice<Version>) -> Int? {
        let own: UInt64 = 1 << 63
        var descent = Descent(through: newestOrdinal(of: others + [version]), whole: own | ((1 << others.count) - 1))
        for dot in version.dots { ordinals[dot].map { descent.reach($0, from: own) } }
        for (index, other) in others.enumerated() {
            for dot in other.dots { ordinals[dot].map { descent.reach($0, from: 1 << index) } }
        }
        var oldest: Int?
        while let (ordinal, sides) = descent.next() {
            if sides & own != 0, sides != descent.whole { oldest = ordinal }
            for parent in parentOrdinals[ordinal] { descent.reach(parent, from: sides) }
        }
        return oldest
    }

    private func newestOrdinal(of versions: some Sequence<Version>) -> Int {
        versions.reduce(0) { newest, version in version.dots.reduce(newest) { max($0, ordinals[$1] ?? 0) } }
    }

    /// The version that both versions cover; the floor if they share nothing above it.
    ///
    /// - Complexity: that of `difference` and of `reduce`.
    package func commonPast(_ left: Version, _ right: Version) -> Version {
        let only = difference(left, right).onlyLeft
        let different = Set(only)
        // Maximal shared revisions are either dots of the left version or parents of revisions that
        // only the left version covers.
        var heads = left.dots.filter { dot in ordinals[dot].map { !different.contains($0) } ?? true }
        for ordinal in only {
            heads += parentsByOrdinal[ordinal].dots.filter { dot in ordinals[dot].map { !different.contains($0) } ?? true }
        }
        return reduce(Version(heads))
    }

    /// The revisions in the past of the given ones, down to the ordinal `least`. A given revision
    /// is included only if it is in the past of another.
    private func strictPast(of heads: [Int], downTo least: Int) -> OrdinalSet {
        var seen = OrdinalSet(from: least, through: heads.max() ?? least)
        var stack = heads.flatMap { parentOrdinals[$0] }
        while let ordinal = stack.popLast() {
            guard ordinal >= least, seen.insert(ordinal) else { continue }
            stack.append(contentsOf: parentOrdinals[ordinal])
        }
        return seen
    }

    /// Traps if an invariant of the type does not hold. For tests only.
    package func checkInvariants() {
        precondition(Set(dots).count == dots.count, "no dot occurs twice")
        for (ordinal, parents) in parentsByOrdinal.enumerated() {
            precondition(parentOrdinals[ordinal].allSatisfy { $0 < ordinal }, "parents come before their children")
            precondition(reduce(parents) == parents, "parents are an antichain")
        }
        precondition(reduce(siblings) == siblings, "siblings are not in each other's past")
        precondition(past(of: siblings).count == count, "the siblings cover everything")
    }
}

/// A walk from some versions down through their pasts, newest revision first, which ends when all of
/// the versions cover whatever is left to visit.
private struct Descent<Versions: FixedWidthInteger & UnsignedInteger> {
    /// The versions from which each revision was reached, as bits. The index is the distance from
    /// `newest`. Ordinals are dense enough that an array is faster than a heap.
    private var sides: [Versions] = []
    private let newest: Int
    /// The bits of all versions.
    let whole: Versions
    /// The number of revisions that are left to visit and were not reached from all versions.
    private var unshared = 0
    private var distance = 0

    /// - Parameter newest: the greatest ordinal that is reached.
    init(through newest: Int, whole: Versions) {
        self.newest = newest
        self.whole = whole
    }

    /// Records that a revision was reached from some versions.
    mutating func reach(_ ordinal: Int, from versions: Versions) {
        let index = newest - ordinal
        if index >= sides.count { sides += repeatElement(0, count: index + 1 - sides.count) }
        let old = sides[index]
        sides[index] = old | versions
        if old == 0 { unshared += 1 }
        if old != whole, old | versions == whole { unshared -= 1 }
    }

    /// The next revision to visit, with the versions that cover it. The caller then reaches its parents.
    mutating func next() -> (ordinal: Int, sides: Versions)? {
        guard unshared > 0 else { return nil }
        while sides[distance] == 0 { distance += 1 }
        defer { distance += 1 }
        if sides[distance] != whole { unshared -= 1 }
        return (newest - distance, sides[distance])
    }
}

/// A set of ordinals that are not below `least`.
private struct OrdinalSet {
    let least: Int
    private var offsets: BitSet

    /// The empty set for a range, which may be empty.
    init(from least: Int, through greatest: Int) {
        self.least = least
        offsets = BitSet(reservingCapacity: max(greatest - least + 1, 0))
    }

    func contains(_ ordinal: Int) -> Bool { ordinal >= least && offsets.contains(ordinal - least) }

    /// Inserts an ordinal of the range.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ ordinal: Int) -> Bool { offsets.insert(ordinal - least).inserted }

    /// The ordinals, ascending.
    var members: [Int] { offsets.map { $0 + least } }
}
