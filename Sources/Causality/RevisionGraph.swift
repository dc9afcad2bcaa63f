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
        let inside = version.dots.filter { ordinals[$0] != nil }
        guard !inside.isEmpty else { return version }
        let marked = Set(inside.map { ordinal(required: $0) })
        let covered = strictPast(of: marked, downTo: marked.min() ?? 0)
        return Version(inside.filter { !covered.contains(ordinal(required: $0)) })
    }

    /// The union of two versions, reduced.
    package func join(_ left: Version, _ right: Version) -> Version {
        reduce(left.union(right))
    }

    /// Whether the version covers the revision: it is one of its dots or in their past.
    package func covers(_ version: Version, _ dot: Dot) -> Bool {
        guard let wanted = ordinals[dot] else { return floor.dots.contains(dot) && covers(floor: version) }
        let heads = Set(version.dots.compactMap { ordinals[$0] })
        return heads.contains(wanted) || strictPast(of: heads, downTo: wanted).contains(wanted)
    }

    /// A version below everything but itself sees the floor only if it names it or anything above it.
    private func covers(floor version: Version) -> Bool {
        !version.isNothing
    }

    /// The ordinals in the past of the version, itself included, above the floor; ascending.
    ///
    /// - Complexity: O(past log past).
    package func past(of version: Version) -> [Int] {
        let heads = Set(version.dots.compactMap { ordinals[$0] })
        return strictPast(of: heads, downTo: 0).union(heads).sorted()
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
        var pending = OrdinalHeap()
        var sides: [Int: Side] = [:]
        var unshared = 0
        var visits = 0
        func visit(_ ordinal: Int, _ side: Side) {
            let known = sides[ordinal]
            let joined = known?.union(side) ?? side
            guard known != joined else { return }
            sides[ordinal] = joined
            if known == nil {
                pending.push(ordinal)
                if joined != .both { unshared += 1 }
            } else if joined == .both {
                unshared -= 1
            }
        }
        for dot in left.dots { ordinals[dot].map { visit($0, .left) } }
        for dot in right.dots { ordinals[dot].map { visit($0, .right) } }
        var onlyLeft: [Int] = []
        var onlyRight: [Int] = []
        while unshared > 0, let ordinal = pending.popMax() {
            visits += 1
            guard visits <= visitsMax else { return nil }
            let side = sides[ordinal] ?? .both
            if side != .both { unshared -= 1 }
            if side == .left { onlyLeft.append(ordinal) }
            if side == .right { onlyRight.append(ordinal) }
            for parent in parentOrdinals[ordinal] { visit(parent, side) }
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

    private func ordinal(required dot: Dot) -> Int {
        guard let ordinal = ordinals[dot] else { preconditionFailure("the dot \(dot) is not in the graph") }
        return ordinal
    }

    /// The pasts of the given revisions without themselves (unless one is in another's past), looked for down to an ordinal.
    private func strictPast(of heads: Set<Int>, downTo least: Int) -> Set<Int> {
        var seen: Set<Int> = []
        var stack = heads.flatMap { parentOrdinals[$0] }
        while let ordinal = stack.popLast() {
            guard ordinal >= least, seen.insert(ordinal).inserted else { continue }
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

/// A binary heap of ordinals, greatest first.
private struct OrdinalHeap {
    private var nodes: [Int] = []

    mutating func push(_ ordinal: Int) {
        nodes.append(ordinal)
        var child = nodes.count - 1
        while child > 0, nodes[(child - 1) / 2] < nodes[child] {
            nodes.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popMax() -> Int? {
        guard let top = nodes.first else { return nil }
        let last = nodes.removeLast()
        guard !nodes.isEmpty else { return top }
        nodes[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < nodes.count else { return top }
            let greater = left + 1 < nodes.count && nodes[left + 1] > nodes[left] ? left + 1 : left
            guard nodes[greater] > nodes[parent] else { return top }
            nodes.swapAt(greater, parent)
            parent = greater
        }
    }
}
