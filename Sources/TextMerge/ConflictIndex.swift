import Causality

/// The pairs of edits, deletions and renamings that are in conflict, and who settled which.
///
/// A pair is never forgotten: whether it is unsettled in a version is asked of the version. The components of those that nobody has
/// settled are kept as they grow (`ConflictGroup`), since that is what most versions have. The conflicts from below the floor stand
/// beside the pairs: nothing above the floor can join them, since all of it has seen them.
struct ConflictIndex: Sendable {
    struct Member: Hashable, Sendable {
        let ordinal: Int
        /// Which of the revision's edits; 0 for deletions and renamings.
        let index: Int
    }

    private struct Pair: Sendable {
        /// By their numbers in `members`.
        let one: Int
        let other: Int
        var settlers: [Int] = []
    }

    /// What may take part in conflicts of one kind.
    private struct Role: Hashable, Sendable {
        let kind: ConflictKind
        let member: Member
    }

    /// A conflict from below the floor.
    struct Inherited: Sendable {
        let conflict: Conflict
        var settlers: [Int] = []
    }

    private(set) var inherited: [Inherited]
    private var roles: [Role] = []
    private var numbers: [Role: Int] = [:]
    private var pairs: [Pair] = []
    /// By who settled them.
    private var settledBy: [Int: [Int]] = [:]
    /// The components of the pairs that nobody has settled, each under the same number while it lasts; and by role the group that it is in.
    private var groups: [Int: ConflictGroup] = [:]
    private var groupOfRole: [Int?] = []
    private var groupsMade = 0

    init(below conflicts: [Conflict]) {
        inherited = conflicts.map { Inherited(conflict: $0) }
    }

    var isEmpty: Bool { pairs.isEmpty && inherited.isEmpty }

    mutating func add(_ kind: ConflictKind, _ one: Member, _ other: Member) {
        pairs.append(Pair(one: number(of: Role(kind: kind, member: one)), other: number(of: Role(kind: kind, member: other))))
        joinGroups(pairs.count - 1)
    }

    private mutating func number(of role: Role) -> Int {
        if let number = numbers[role] { return number }
        numbers[role] = roles.count
        roles.append(role)
        groupOfRole.append(nil)
        return roles.count - 1
    }

    /// Puts a pair that nobody has settled into the group of its ends, which makes one of two.
    ///
    /// - Complexity: O(1), amortized O(log members) where groups become one: the smaller goes into the larger.
    private mutating func joinGroups(_ pair: Int) {
        let ends = [pairs[pair].one, pairs[pair].other]
        let found = ends.compactMap { groupOfRole[$0] }
        let target: Int
        switch found.count {
        case 0:
            target = groupsMade
            groupsMade += 1
            groups[target] = ConflictGroup(kind: roles[ends[0]].kind)
        case 2 where found[0] != found[1]:
            let isFirstLarger = group(found[0]).roles.count >= group(found[1]).roles.count
            target = isFirstLarger ? found[0] : found[1]
            if let smaller = groups.removeValue(forKey: isFirstLarger ? found[1] : found[0]) {
                for role in smaller.roles { groupOfRole[role] = target }
                groups[target]?.takeIn(smaller)
            }
        default: target = found[0]
        }
        for end in ends where groupOfRole[end] == nil {
            groupOfRole[end] = target
            groups[target]?.add(end)
        }
        groups[target]?.pairs.append(pair)
    }

    // MARK: What is unsettled

    /// A conflict that is unsettled in some version.
    enum UnresolvedConflict: Sendable {
        case inherited(Int)
        /// All of a group.
        case group(Int)
        case pairs(ConflictKind, [Int])
    }

    /// What is unsettled in the version that has not seen these, ascending.
    ///
    /// - Complexity: O(groups) where everything was seen; otherwise O(members), and O(pairs) of the groups that were seen in part. Where
    ///   one who was not seen settled something, O(unsettled pairs and those that they settled).
    func unresolved(unseen: [Int]) -> [UnresolvedConflict] {
        guard !isEmpty else { return [] }
        var hidden = [Bool](repeating: false, count: (unseen.last ?? -1) + 1)
        for ordinal in unseen { hidden[ordinal] = true }
        func isHidden(_ ordinal: Int) -> Bool { ordinal < hidden.count && hidden[ordinal] }
        func isHere(_ role: Int) -> Bool { !isHidden(roles[role].member.ordinal) }
        func isPairHere(_ pair: Int) -> Bool { isHere(pairs[pair].one) && isHere(pairs[pair].other) }
        var again: Set<Int> = []
        for settler in unseen {
            for pair in settledBy[settler] ?? [] where isPairHere(pair) && pairs[pair].settlers.allSatisfy(isHidden) {
                again.insert(pair)
            }
        }
        var result = inherited.indices.filter { inherited[$0].settlers.allSatisfy(isHidden) }.map(UnresolvedConflict.inherited)
        var rest = Array(again)
        for (number, group) in groups {
            if again.isEmpty, unseen.isEmpty || group.roles.allSatisfy(isHere) {
                result.append(.group(number))
            } else {
                rest += group.pairs.filter(isPairHere)
            }
        }
        return result + components(rest)
    }

    /// No role is one of two kinds, so neither is a component.
    private func components(_ pairs: [Int]) -> [UnresolvedConflict] {
        guard !pairs.isEmpty else { return [] }
        var union = DisjointSets(count: roles.count)
        for pair in pairs { union.join(self.pairs[pair].one, self.pairs[pair].other) }
        var byRoot: [Int: [Int]] = [:]
        for pair in pairs { byRoot[union.root(of: self.pairs[pair].one), default: []].append(pair) }
        return byRoot.map { root, pairs in .pairs(roles[root].kind, pairs) }
    }

    func kind(of unresolved: UnresolvedConflict) -> ConflictKind {
        switch unresolved {
        case .inherited(let index): inherited[index].conflict.kind
        case .group(let number): group(number).kind
        case .pairs(let kind, _): kind
        }
    }

    func members(of pairs: [Int]) -> [Member] {
        var isMember = [Bool](repeating: false, count: roles.count)
        for pair in pairs {
            isMember[self.pairs[pair].one] = true
            isMember[self.pairs[pair].other] = true
        }
        return roles.indices.filter { isMember[$0] }.map { roles[$0].member }
    }

    private func group(_ number: Int) -> ConflictGroup {
        guard let group = groups[number] else { preconditionFailure("what stands is asked for before it is settled") }
        return group
    }

    // MARK: Outlines

    /// The outlines that a group was put together from, and the members that are in none of them.
    func outlined(_ group: Int) -> (parts: [ConflictExtent], fresh: [Member]) {
        let group = self.group(group)
        return (group.outlines, group.roles.suffix(group.freshCount).map { roles[$0].member })
    }

    mutating func note(_ extent: ConflictExtent, of group: Int) {
        groups[group]?.note(extent)
    }

    // MARK: Settling

    mutating func settle(_ unresolved: UnresolvedConflict, by ordinal: Int) {
        let settled: [Int]
        switch unresolved {
        case .inherited(let index):
            inherited[index].settlers.append(ordinal)
            return
        case .group(let number):
            settled = group(number).pairs
            dissolve(number, without: Set(settled))
        case .pairs(_, let pairs):
            settled = pairs
            let open = pairs.filter { self.pairs[$0].settlers.isEmpty }
            let without = Set(open)
            for number in Set(open.compactMap { groupOfRole[self.pairs[$0].one] }) { dissolve(number, without: without) }
        }
        settledBy[ordinal, default: []] += settled
        for pair in settled { pairs[pair].settlers.append(ordinal) }
    }

    /// Makes what is left of a group of its other pairs.
    private mutating func dissolve(_ number: Int, without settled: Set<Int>) {
        let group = group(number)
        groups[number] = nil
        for role in group.roles { groupOfRole[role] = nil }
        for pair in group.pairs where !settled.contains(pair) { joinGroups(pair) }
    }
}

/// A component of the pairs that nobody has settled. Its outline is put together when it is asked for, from what was known of its
/// parts, so that what joins it does not cost what was there.
private struct ConflictGroup: Sendable {
    let kind: ConflictKind
    var pairs: [Int] = []
    /// The last `freshCount` of them are in no outline.
    private(set) var roles: [Int] = []
    private(set) var freshCount = 0
    private(set) var outlines: [ConflictExtent] = []

    init(kind: ConflictKind) {
        self.kind = kind
    }

    mutating func add(_ role: Int) {
        roles.append(role)
        freshCount += 1
    }

    mutating func takeIn(_ other: ConflictGroup) {
        pairs += other.pairs
        roles.insert(contentsOf: other.roles.dropLast(other.freshCount), at: 0)
        roles += other.roles.suffix(other.freshCount)
        freshCount += other.freshCount
        outlines += other.outlines
    }

    mutating func note(_ extent: ConflictExtent) {
        outlines = [extent]
        freshCount = 0
    }
}

/// Union-find over numbers.
private struct DisjointSets {
    private var parents: [Int]

    init(count: Int) {
        parents = Array(0..<count)
    }

    mutating func join(_ one: Int, _ other: Int) {
        let (left, right) = (root(of: one), root(of: other))
        if left != right { parents[max(left, right)] = min(left, right) }
    }

    mutating func root(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }
}
