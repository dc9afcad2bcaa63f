/// The revisions of one note by who had been shown what: each dot with its parents, in a causal order.
///
/// A *parent* is a maximal dot of what the writer had been shown; a *past* is the parents and their pasts. The graph may
/// start above a critical version, its `floor`: every revision in the graph has all of the floor in its past, and what
/// lies below is not held. Dots of the floor count as known and are in the past of everything.
///
/// Invariants (`checkInvariants`): every parent is the floor or stands earlier in the order; siblings are pairwise not in
/// each other's past; no dot stands twice.
///
/// Inside, a revision is known by its ordinal in the order of arrival, which is a causal order. Reachability walks parents
/// from the newest ordinal down and stops below the oldest that it looks for, so that its cost is bounded by what happened
/// since, not by the length of the history.
package struct RevisionGraph: Sendable {
    package let floor: Version
    package private(set) var dots: [Dot] = []
    private var parentsByOrdinal: [Version] = []
    private var parentOrdinals: [[Int]] = []
    private var ordinals: [Dot: Int] = [:]
    /// The revisions that no other in the graph has in its past; the floor's own while the graph is empty.
    package private(set) var siblings: Version

    package init(floor: Version = .nothing) {
        self.floor = floor
        siblings = floor
    }

    package var count: Int { dots.count }

    package func knows(_ dot: Dot) -> Bool {
        ordinals[dot] != nil || floor.dots.contains(dot)
    }

    package func ordinal(of dot: Dot) -> Int? {
        ordinals[dot]
    }

    package func parents(of dot: Dot) -> Version? {
        ordinals[dot].map { parentsByOrdinal[$0] }
    }

    package func parents(at ordinal: Int) -> Version {
        parentsByOrdinal[ordinal]
    }

    /// The parents that are in the graph; those of the floor are left out.
    package func parentOrdinals(at ordinal: Int) -> [Int] {
        parentOrdinals[ordinal]
    }

    /// Adds a revision: `put` where its parents are what a client had been shown, or one of a `sync`.
    ///
    /// - Precondition: the dot is new and its parents are known and an antichain.
    /// - Complexity: O(siblings + parents).
    package mutating func insert(_ dot: Dot, parents: Version) {
        precondition(!knows(dot), "a dot names one revision only")
        precondition(parents.dots.allSatisfy(knows), "a revision is adopted after its parents")
        precondition(!parents.isNothing || floor.isNothing, "above a floor everything has the floor in its past")
        ordinals[dot] = dots.count
        dots.append(dot)
        parentsByOrdinal.append(parents)
        parentOrdinals.append(parents.dots.compactMap { ordinals[$0] }.sorted())
        // A sibling that is in the past of the new one is one of its parents: they are maximal in that past.
        siblings = Version(siblings.dots.filter { !parents.dots.contains($0) } + [dot])
    }

    /// The version named by these dots, as its maximal dots.
    ///
    /// - Precondition: every dot is known.
    /// - Complexity: O(revisions between the oldest and the newest of the dots); O(dots) where it is one.
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

    /// Whether the version covers the revision: it is one of its dots or in their past.
    package func covers(_ version: Version, _ dot: Dot) -> Bool {
        guard let wanted = ordinals[dot] else { return floor.dots.contains(dot) && covers(floor: version) }
        let heads = version.dots.compactMap { ordinals[$0] }
        return heads.contains(wanted) || strictPast(of: heads, downTo: wanted).contains(wanted)
    }

    /// A version below everything but itself sees the floor only if it names it or anything above it.
    private func covers(floor version: Version) -> Bool {
        !version.isNothing
    }

    /// The ordinals in the past of the version, itself included, above the floor; ascending.
    ///
    /// - Complexity: O(revisions).
    package func past(of version: Version) -> [Int] {
        let heads = version.dots.compactMap { ordinals[$0] }
        var past = strictPast(of: heads, downTo: 0)
        for head in heads { past.insert(head) }
        return past.members
    }

    /// What the one version covers and the other does not, both ways, each ascending.
    ///
    /// Walks down from the newest ordinal; stops where all that is left to visit is covered by both. That is the point
    /// below which the two agree, so the cost is bounded by what happened since they were one.
    /// - Complexity: O(d log d) in the number d of revisions visited.
    package func difference(_ left: Version, _ right: Version) -> (onlyLeft: [Int], onlyRight: [Int]) {
        difference(left, right, visitsMax: .max) ?? ([], [])
    }

    /// The difference, for one who has a use for it only if it is small: nil where more than `visitsMax` revisions would
    /// have to be visited to know it.
    package func difference(_ left: Version, _ right: Version, visitsMax: Int) -> (onlyLeft: [Int], onlyRight: [Int])? {
        guard left != right else { return ([], []) }
        var pending = VisitHeap()
        var unshared = 0
        var visits = 0
        func reach(_ ordinal: Int, _ side: Side) {
            pending.push(Visit(ordinal: ordinal, side: side))
            if side != .both { unshared += 1 }
        }
        for dot in left.dots { ordinals[dot].map { reach($0, .left) } }
        for dot in right.dots { ordinals[dot].map { reach($0, .right) } }
        var onlyLeft: [Int] = []
        var onlyRight: [Int] = []
        // What is not shared is in the heap.
        while unshared > 0 {
            let newest = pending.popMax()
            visits += 1
            guard visits <= visitsMax else { return nil }
            if newest.side != .both { unshared -= 1 }
            var side = newest.side
            while let same = pending.max, same.ordinal == newest.ordinal {
                if same.side != .both { unshared -= 1 }
                side.formUnion(same.side)
                _ = pending.popMax()
            }
            if side == .left { onlyLeft.append(newest.ordinal) }
            if side == .right { onlyRight.append(newest.ordinal) }
            for parent in parentOrdinals[newest.ordinal] { reach(parent, side) }
        }
        return (onlyLeft.reversed(), onlyRight.reversed())
    }

    /// What both versions cover; the floor's version where that is all that they share.
    ///
    /// - Complexity: that of `difference`, and of `reduce`.
    package func commonPast(_ left: Version, _ right: Version) -> Version {
        let only = difference(left, right).onlyLeft
        let different = Set(only)
        // What is shared and nothing shared is above: of the left version itself, or a parent of what only the left covers.
        var heads = left.dots.filter { dot in ordinals[dot].map { !different.contains($0) } ?? true }
        for ordinal in only {
            heads += parentsByOrdinal[ordinal].dots.filter { dot in ordinals[dot].map { !different.contains($0) } ?? true }
        }
        return reduce(Version(heads))
    }

    /// The pasts of the given revisions without themselves (unless one is in another's past), looked for down to an ordinal.
    private func strictPast(of heads: [Int], downTo least: Int) -> OrdinalSet {
        var seen = OrdinalSet(from: least, through: heads.max() ?? least)
        var stack = heads.flatMap { parentOrdinals[$0] }
        while let ordinal = stack.popLast() {
            guard ordinal >= least, seen.insert(ordinal) else { continue }
            stack.append(contentsOf: parentOrdinals[ordinal])
        }
        return seen
    }

    /// Traps, in tests, where an invariant of the type does not hold.
    package func checkInvariants() {
        precondition(Set(dots).count == dots.count, "no dot stands twice")
        for (ordinal, parents) in parentsByOrdinal.enumerated() {
            precondition(parentOrdinals[ordinal].allSatisfy { $0 < ordinal }, "parents stand before their children")
            precondition(reduce(parents) == parents, "parents are an antichain")
        }
        precondition(reduce(siblings) == siblings, "siblings are not in each other's past")
        precondition(past(of: siblings).count == count, "the siblings cover everything")
    }
}

/// From which of two versions a revision was reached.
private struct Side: OptionSet {
    let rawValue: UInt8
    static let left = Side(rawValue: 1)
    static let right = Side(rawValue: 2)
    static let both: Side = [.left, .right]
}

/// A set of the ordinals of a range, a byte each.
private struct OrdinalSet {
    private let least: Int
    private var flags: [Bool]

    /// Empty where the range is.
    init(from least: Int, through greatest: Int) {
        self.least = least
        flags = [Bool](repeating: false, count: max(greatest - least + 1, 0))
    }

    func contains(_ ordinal: Int) -> Bool {
        ordinal >= least && ordinal - least < flags.count && flags[ordinal - least]
    }

    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ ordinal: Int) -> Bool {
        guard !flags[ordinal - least] else { return false }
        flags[ordinal - least] = true
        return true
    }

    /// Ascending.
    var members: [Int] { flags.indices.filter { flags[$0] }.map { $0 + least } }
}

/// A revision, and from where it was reached; once for each of its children that was visited.
private struct Visit {
    let ordinal: Int
    let side: Side
}

/// A binary heap, the greatest ordinal first.
private struct VisitHeap {
    private var nodes: [Visit] = []

    var max: Visit? { nodes.first }

    mutating func push(_ reached: Visit) {
        nodes.append(reached)
        var child = nodes.count - 1
        while child > 0, nodes[(child - 1) / 2].ordinal < reached.ordinal {
            nodes.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// - Precondition: it is not empty.
    mutating func popMax() -> Visit {
        let top = nodes[0]
        let last = nodes.removeLast()
        guard !nodes.isEmpty else { return top }
        nodes[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < nodes.count else { return top }
            let greater = left + 1 < nodes.count && nodes[left + 1].ordinal > nodes[left].ordinal ? left + 1 : left
            guard nodes[greater].ordinal > nodes[parent].ordinal else { return top }
            nodes.swapAt(greater, parent)
            parent = greater
        }
    }
}
