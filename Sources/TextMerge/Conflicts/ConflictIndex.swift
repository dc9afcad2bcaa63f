import BitCollections
import Causality

/// The pairs of edits, deletions and renamings that are in conflict, and which revisions resolved
/// them.
///
/// A conflict is a connected component of the unresolved pairs of one kind. Which pairs are
/// unresolved depends on the version: both members must be in it, and no revision in it may have
/// resolved the pair. So a pair is never removed; resolving only adds a resolver to it.
///
/// Most queries ask about the newest version. For it, the components of the unresolved pairs are
/// kept up to date as pairs arrive and revisions are withdrawn (`ConflictGroup`). An older version
/// may contain only a part of such a component, or pairs that were resolved later, so the components
/// that differ there are computed from the pairs again. The conflicts from below the floor are kept
/// apart from the pairs: nothing above the floor can join them, because every revision above the
/// floor has seen them.
///
/// Worked example: A, B and C concurrently save different texts for one line. The pairs AB, AC and
/// BC form one group, hence one conflict with three sides. D has seen A and B and changes the line
/// again. It resolves AB, which is the conflict in the version that its writer saw, and it makes the
/// pair CD.
///
///     version      unresolved     conflict
///     {A, B}       AB            with the sides A and B, although D has resolved it since
///     {D}          none          none
///     {C, D}       AC, BC, CD    with the sides C and D; A and B are in D's past
struct ConflictIndex: Sendable {
    /// The conflicts that were unresolved at the floor.
    private(set) var inherited: [Inherited]
    /// All roles, by number.
    private(set) var roles: [Role] = []
    /// The numbers of the roles.
    private var numbers: [Role: Int] = [:]
    /// All pairs that are in conflict where both members count, resolved or not.
    private var pairs: [Pair] = []
    /// All other pairs (`ConflictFan`).
    private(set) var fans: [ConflictFan] = []
    /// The fan of each role that has one.
    private var fanOfCenter: [Int: Int] = [:]
    /// The pairs that each revision resolved, by ordinal.
    private var resolvedBy: [Int: [Int]] = [:]
    /// The components of the unresolved pairs. A component keeps its number while it exists.
    private(set) var groups: [Int: ConflictGroup] = [:]
    /// The group of each role; nil if the role is in no unresolved pair.
    private(set) var groupOfRole: [Int?] = []
    /// The next group's number.
    private var groupsMade = 0
    /// The pairs of which each revision is a member, by ordinal, up to the last member; nil while no
    /// revision is a withdrawal.
    private var pairsOf: [[Int]]?
    /// The revisions that are withdrawn in the newest version.
    private var withdrawn = BitSet()
    /// The roles of texts that each revision has, by ordinal.
    private var textRoles: [Int: [Int]] = [:]
    /// The roles of texts that the withdrawn revisions have.
    private var withdrawnRoles = SparseSet()

    /// Creates an index without pairs.
    ///
    /// - Parameter conflicts: the conflicts that are unresolved at the floor.
    init(below conflicts: [KeptConflict]) {
        inherited = conflicts.map { Inherited(kept: $0) }
    }

    /// Whether no version has a conflict.
    var isEmpty: Bool { pairs.isEmpty && fans.isEmpty && inherited.isEmpty }

    /// Adds a pair that no revision has resolved.
    mutating func add(_ kind: ConflictKind, _ one: Member, _ other: Member) {
        pairs.append(
            Pair(one: number(of: Role(kind: kind, member: one)), other: number(of: Role(kind: kind, member: other))))
        if pairsOf != nil { noteMembers(of: pairs.count - 1) }
        openIfUnresolved(pairs.count - 1)
    }

    /// Adds pairs of texts that no revision has resolved. They are in conflict in the versions in which
    /// `one` is withdrawn.
    ///
    /// - Parameter others: the roles of the edits that were written on it.
    /// - Complexity: O(words of the fan), and for each group that they join O(its words).
    mutating func add(withdrawn one: Member, with others: SparseSet) {
        precondition(pairsOf != nil, "the index was made ready for withdrawals")
        guard !others.isEmpty else { return }
        let center = textRole(of: one)
        let fan = fanOfCenter[center] ?? fans.count
        if fan == fans.count {
            fanOfCenter[center] = fan
            fans.append(ConflictFan(center: center))
        }
        fans[fan].others.formUnion(others)
        open(ConflictFan.Part(fan: fan, others: unresolved(fan, among: others)))
    }

    /// The role of an edit in conflicts of texts.
    mutating func textRole(of member: Member) -> Int { number(of: Role(kind: .text, member: member)) }

    /// The pairs of a fan that are unresolved in the newest version.
    private func unresolved(_ fan: Int, among part: SparseSet) -> SparseSet {
        guard withdrawn.contains(roles[fans[fan].center].member.ordinal) else { return SparseSet() }
        return fans[fan].unresolved(among: part, absent: withdrawnRoles) { !withdrawn.contains($0) }
    }

    /// Makes the index ready for revisions that are withdrawn (`change`).
    ///
    /// - Precondition: no conflict was unresolved at the floor (`View.canWithdraw`).
    mutating func allowWithdrawals() {
        precondition(inherited.isEmpty, "a view that walks a withdrawal starts without unresolved conflicts")
        pairsOf = []
        for pair in pairs.indices { noteMembers(of: pair) }
        // The sides of a conflict are computed otherwise from now on.
        for number in groups.keys { groups[number]?.forgetExtents() }
    }

    /// Enters a pair under its two revisions.
    private mutating func noteMembers(of pair: Int) {
        let ordinals = (roles[pairs[pair].one].member.ordinal, roles[pairs[pair].other].member.ordinal)
        let missing = max(ordinals.0, ordinals.1) + 1 - (pairsOf?.count ?? 0)
        if missing > 0 { pairsOf? += [[Int]](repeating: [], count: missing) }
        pairsOf?[ordinals.0].append(pair)
        pairsOf?[ordinals.1].append(pair)
    }

    /// The pairs of which a revision is a member.
    private func pairs(of ordinal: Int) -> [Int] {
        guard let pairsOf, ordinal < pairsOf.count else { return [] }
        return pairsOf[ordinal]
    }

    /// Updates the groups after revisions were withdrawn, or count again, in the newest version.
    ///
    /// A revision is a member of a pair in one of its two states only, so it leaves all groups that it
    /// is in. What it resolved opens, or is resolved again.
    ///
    /// - Complexity: O(pairs that the revisions are members of or resolved, and the pairs of the groups
    ///   that thereby lose a pair), and O(words) for each fan.
    mutating func change(_ changes: [(ordinal: Int, counts: Bool)]) {
        var touched: Set<Int> = []
        for (ordinal, counts) in changes {
            if counts { withdrawn.remove(ordinal) } else { withdrawn.insert(ordinal) }
            touched.formUnion(pairs(of: ordinal))
            touched.formUnion(resolvedBy[ordinal] ?? [])
            for role in textRoles[ordinal] ?? [] {
                if counts { withdrawnRoles.remove(role) } else { withdrawnRoles.insert(role) }
            }
        }
        let now = fans.indices.map { unresolved($0, among: fans[$0].others) }
        func parts(_ others: (Int) -> SparseSet) -> [ConflictFan.Part] {
            fans.indices.map { ConflictFan.Part(fan: $0, others: others($0)) }.filter { !$0.others.isEmpty }
        }
        let gained = parts { now[$0].subtracting(fans[$0].open) }
        close(touched.filter { pairs[$0].isOpen && !isUnresolved($0) }, parts { fans[$0].open.subtracting(now[$0]) })
        for pair in touched.sorted() { openIfUnresolved(pair) }
        for part in gained { open(part) }
    }

    /// Whether a pair is unresolved in the newest version.
    private func isUnresolved(_ pair: Int) -> Bool {
        isUnresolved(pair, isHere: { _ in true }, isWithdrawn: { withdrawn.contains($0) })
    }

    /// Whether a pair is unresolved in a version.
    private func isUnresolved(_ pair: Int, isHere: (Int) -> Bool, isWithdrawn: (Int) -> Bool) -> Bool {
        let pair = pairs[pair]
        func counts(_ ordinal: Int) -> Bool { isHere(ordinal) && !isWithdrawn(ordinal) }
        let (one, other) = (roles[pair.one].member.ordinal, roles[pair.other].member.ordinal)
        return counts(one) && counts(other) && !pair.resolvers.contains(where: counts)
    }

    /// Puts a pair into a group if it is unresolved in the newest version and in none.
    private mutating func openIfUnresolved(_ pair: Int) {
        guard !pairs[pair].isOpen, isUnresolved(pair) else { return }
        pairs[pair].isOpen = true
        joinGroups(pair)
    }

    /// Puts pairs that are unresolved in the newest version, and in no group, into one.
    private mutating func open(_ part: ConflictFan.Part) {
        guard !part.others.isEmpty else { return }
        fans[part.fan].open.formUnion(part.others)
        joinGroups(part)
    }

    /// Takes pairs out of their groups.
    private mutating func close(_ closed: Set<Int>, _ parts: [ConflictFan.Part]) {
        for pair in closed { pairs[pair].isOpen = false }
        for part in parts { fans[part.fan].open.subtract(part.others) }
        let ends = closed.map { pairs[$0].one } + parts.map { fans[$0.fan].center }
        for number in Set(ends.compactMap { groupOfRole[$0] }) { removeGroup(number) }
    }

    /// The number of a role, which it gets on first use.
    private mutating func number(of role: Role) -> Int {
        if let number = numbers[role] { return number }
        numbers[role] = roles.count
        roles.append(role)
        groupOfRole.append(nil)
        guard role.kind == .text else { return roles.count - 1 }
        textRoles[role.member.ordinal, default: []].append(roles.count - 1)
        if withdrawn.contains(role.member.ordinal) { withdrawnRoles.insert(roles.count - 1) }
        return roles.count - 1
    }

    /// Puts an unresolved pair into the group of its members. If they are in two groups, the pair
    /// joins these into one.
    ///
    /// The smaller group is merged into the larger one, so each role changes its group O(log roles)
    /// times.
    ///
    /// - Complexity: O(1) without a merge of groups; otherwise amortized O(log roles).
    private mutating func joinGroups(_ pair: Int) {
        groups[joinedGroup(of: [pairs[pair].one, pairs[pair].other])]?.pairs.append(pair)
    }

    /// Puts unresolved pairs of a fan into the group of their members.
    ///
    /// - Complexity: O(words of the part), for each of its members that is in no group or that its group
    ///   reaches only through others, and for each group that it joins.
    private mutating func joinGroups(_ part: ConflictFan.Part) {
        var rest = part.others
        while let role = rest.first {
            let group = joinedGroup(of: [fans[part.fan].center, role])
            groups[group]?.fans.insert(part.fan)
            groups[group]?.reached.insert(role)
            rest.subtract(self.group(group).reached)
        }
    }

    /// The group of two roles, of which each enters it if it is in none. Two groups become one.
    private mutating func joinedGroup(of ends: [Int]) -> Int {
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
        return target
    }

    // MARK: What is unresolved

    /// The conflicts that are unresolved in the version that lacks the given revisions.
    ///
    /// A group whose members are all in the version, in the same state, is a conflict as it is. The
    /// other groups may fall apart, because a pair that connects them may be missing. And a pair that
    /// is not in conflict in the newest version, or that was resolved later, may be unresolved in this
    /// version and connect two groups. In both cases the components are computed from the pairs again.
    ///
    /// - Parameters:
    ///   - unseen: the ordinals of the replayed revisions that are not in the version, ascending.
    ///   - changed: revisions that include all that are withdrawn in only one of this version and
    ///     the newest (`Withdrawals.reach`).
    ///   - isWithdrawn: whether a revision is withdrawn in this version.
    /// - Complexity: O(groups) if `unseen` is empty. Otherwise O(roles in groups + pairs of the groups
    ///   that differ and have two members in the version + pairs that the unseen and the changed revisions resolved or are members of).
    func unresolved(
        unseen: [Int], changed: [Int] = [], isWithdrawn: (Int) -> Bool = { _ in false }
    ) -> [UnresolvedConflict] {
        guard !isEmpty else { return [] }
        var hidden = [Bool](repeating: false, count: (unseen.last ?? -1) + 1)
        for ordinal in unseen { hidden[ordinal] = true }
        func isHidden(_ ordinal: Int) -> Bool { ordinal < hidden.count && hidden[ordinal] }
        var result = inherited.indices.filter { inherited[$0].resolvers.allSatisfy(isHidden) }.map(UnresolvedConflict.inherited)
        guard !unseen.isEmpty else { return result + groups.keys.map(UnresolvedConflict.group) }
        func isHere(_ ordinal: Int) -> Bool { !isHidden(ordinal) }
        func isUnresolvedHere(_ pair: Int) -> Bool { isUnresolved(pair, isHere: isHere, isWithdrawn: isWithdrawn) }
        var rest: Set<Int> = []
        var fansHere = FansHere(self, isHere: isHere, isWithdrawn: isWithdrawn)
        var differing: Set<Int> = []
        func visit(_ pair: Int) {
            let isUnresolved = isUnresolvedHere(pair)
            guard isUnresolved != pairs[pair].isOpen else { return }
            if isUnresolved { rest.insert(pair) }
            differing.formUnion([groupOfRole[pairs[pair].one], groupOfRole[pairs[pair].other]].compactMap { $0 })
        }
        for resolver in unseen { resolvedBy[resolver]?.forEach(visit) }
        for ordinal in changed {
            resolvedBy[ordinal]?.forEach(visit)
            pairs(of: ordinal).forEach(visit)
        }
        differing.formUnion(fansHere.differing)
        for (number, group) in groups {
            let here = group.roles.count { isHere(roles[$0].member.ordinal) }
            if here == group.roles.count, !differing.contains(number) {
                result.append(.group(number))
            } else if here > 1 {
                rest.formUnion(group.pairs.filter(isUnresolvedHere))
                fansHere.addOpen(of: group.fans)
            }
        }
        return result + components(ConflictPairs(pairs: rest.sorted(), fans: fansHere.rest))
    }

    /// Whether a conflict is unresolved in the newest version.
    var hasUnresolved: Bool { !groups.isEmpty || inherited.contains { $0.resolvers.isEmpty } }

    /// The components of some pairs. Every pair is of one kind, and so is every component.
    private func components(_ some: ConflictPairs) -> [UnresolvedConflict] {
        guard !some.isEmpty else { return [] }
        var union = DisjointSets(count: roles.count)
        for pair in some.pairs { union.join(pairs[pair].one, pairs[pair].other) }
        for part in some.fans { union.join(fans[part.fan].center, part.others) }
        var byRoot: [Int: ConflictPairs] = [:]
        for pair in some.pairs { byRoot[union.root(of: pairs[pair].one), default: ConflictPairs()].pairs.append(pair) }
        for part in some.fans { byRoot[union.root(of: fans[part.fan].center), default: ConflictPairs()].fans.append(part) }
        return byRoot.map { root, pairs in .pairs(roles[root].kind, pairs) }
    }

    /// The kind of a conflict.
    func kind(of unresolved: UnresolvedConflict) -> ConflictKind {
        switch unresolved {
        case .inherited(let index): inherited[index].kept.conflict.kind
        case .group(let number): group(number).kind
        case .pairs(let kind, _): kind
        }
    }

    /// The members of some pairs, each once, in the order of their numbers.
    func members(of some: ConflictPairs) -> [Member] {
        var members = SparseSet(some.pairs.flatMap { [pairs[$0].one, pairs[$0].other] } + some.fans.map { fans[$0.fan].center })
        for part in some.fans { members.formUnion(part.others) }
        return members.map { roles[$0].member }
    }

    /// The group with a number.
    private func group(_ number: Int) -> ConflictGroup {
        guard let group = groups[number] else { preconditionFailure("a group exists until its pairs are resolved") }
        return group
    }

    // MARK: Outlines

    /// What is known of a group's extent: the extents that were computed for its parts, and the
    /// members that are in none of them.
    ///
    /// When a conflict with many members gets one more, its new extent is computed from the old
    /// extent and that member, not from all members.
    func outlined(_ group: Int) -> (parts: [ConflictExtent], fresh: [Member]) {
        let group = self.group(group)
        return (group.extents, group.roles.suffix(group.freshCount).map { roles[$0].member })
    }

    /// Stores the extent of a whole group.
    mutating func note(_ extent: ConflictExtent, of group: Int) {
        groups[group]?.note(extent)
    }

    // MARK: Resolving

    /// Marks every pair of a conflict as resolved by a revision, permanently.
    ///
    /// If the revision saw only a part of a group, as D does in the example at the top of this
    /// type, the remaining pairs form groups again. The revision is the newest, so it counts.
    mutating func resolve(_ unresolved: UnresolvedConflict, by ordinal: Int) {
        let resolved: ConflictPairs
        switch unresolved {
        case .inherited(let index):
            inherited[index].resolvers.append(ordinal)
            return
        case .group(let number):
            let parts = group(number).fans.map { ConflictFan.Part(fan: $0, others: fans[$0].open) }
            resolved = ConflictPairs(pairs: group(number).pairs, fans: parts)
        case .pairs(_, let pairs): resolved = pairs
        }
        resolvedBy[ordinal, default: []] += resolved.pairs
        for pair in resolved.pairs { pairs[pair].resolvers.append(ordinal) }
        for part in resolved.fans { fans[part.fan].resolvers.append((ordinal, part.others)) }
        let closed = resolved.fans.map { part in
            ConflictFan.Part(fan: part.fan, others: part.others.intersection(fans[part.fan].open))
        }
        close(Set(resolved.pairs.filter { pairs[$0].isOpen }), closed.filter { !$0.others.isEmpty })
    }

    /// Removes a group and forms groups of its pairs that remain unresolved.
    private mutating func removeGroup(_ number: Int) {
        let group = group(number)
        groups[number] = nil
        for role in group.roles { groupOfRole[role] = nil }
        for pair in group.pairs where pairs[pair].isOpen { joinGroups(pair) }
        for fan in group.fans { joinGroups(ConflictFan.Part(fan: fan, others: fans[fan].open)) }
    }
}
