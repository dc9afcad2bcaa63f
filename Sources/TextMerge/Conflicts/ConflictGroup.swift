/// A component of the unresolved pairs.
///
/// Its extent is computed when it is first asked for, from the extents of the parts that were
/// merged into it and from the members added since. So a new member does not cost as much as all
/// members.
struct ConflictGroup: Sendable {
    let kind: ConflictKind
    /// The group's pairs, by number.
    var pairs: [Int] = []
    /// The fans of which pairs are in the group, by number.
    var fans = SparseSet()
    /// Some of the group's roles: all to which pairs of fans have led.
    var reached = SparseSet()
    /// The group's roles. The last `freshCount` of them are in no extent of `extents`.
    private(set) var roles: [Int] = []
    /// The number of roles that were added since an extent was stored.
    private(set) var freshCount = 0
    /// The known extents of parts of the group, which together cover all roles but the fresh ones.
    private(set) var extents: [ConflictExtent] = []

    init(kind: ConflictKind) {
        self.kind = kind
    }

    /// Adds a role that is in no group.
    mutating func add(_ role: Int) {
        roles.append(role)
        freshCount += 1
    }

    /// Merges another group into this one; fresh roles stay at the end.
    mutating func takeIn(_ other: ConflictGroup) {
        pairs += other.pairs
        fans.formUnion(other.fans)
        reached.formUnion(other.reached)
        roles.insert(contentsOf: other.roles.dropLast(other.freshCount), at: 0)
        roles += other.roles.suffix(other.freshCount)
        freshCount += other.freshCount
        extents += other.extents
    }

    /// Makes all roles fresh.
    mutating func forgetExtents() {
        (extents, freshCount) = ([], roles.count)
    }

    /// Replaces the extents of parts by the extent of the whole group.
    mutating func note(_ extent: ConflictExtent) {
        extents = [extent]
        freshCount = 0
    }
}

/// Disjoint sets of numbers (union-find with path halving).
struct DisjointSets {
    private var parents: [Int]
    /// The numbers that were joined as sets, by the representative of their common set.
    private var joined: [Int: SparseSet] = [:]
    /// All of these.
    private var allJoined = SparseSet()

    init(count: Int) {
        parents = Array(0..<count)
    }

    /// Merges the sets of two numbers.
    mutating func join(_ one: Int, _ other: Int) {
        let (left, right) = (root(of: one), root(of: other))
        if left != right { parents[max(left, right)] = min(left, right) }
    }

    /// Merges the sets of a number and of all numbers of a set.
    ///
    /// - Precondition: numbers are joined one by one only before.
    /// - Complexity: O(words) for each set that is merged and for each number that was not joined before.
    mutating func join(_ one: Int, _ others: SparseSet) {
        var all = joined.removeValue(forKey: root(of: one)) ?? SparseSet()
        func takeIn(_ other: Int, _ sets: inout DisjointSets) {
            if let more = sets.joined.removeValue(forKey: sets.root(of: other)) { all.formUnion(more) }
            sets.join(one, other)
        }
        for other in others.subtracting(allJoined) { takeIn(other, &self) }
        var rest = others.intersection(allJoined).subtracting(all)
        while let other = rest.first {
            takeIn(other, &self)
            rest.subtract(all)
        }
        all.formUnion(others)
        allJoined.formUnion(others)
        joined[root(of: one)] = all
    }

    /// The representative of a number's set, which is its least member.
    mutating func root(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }
}
