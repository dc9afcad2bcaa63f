import Causality

/// The pairs of edits, deletions and renamings that are in conflict, and who settled which.
///
/// A pair is never forgotten: whether it is unsettled in a version is asked of the version. The conflicts from below the floor stand
/// beside the pairs: nothing above the floor can join them, since all of it has seen them.
struct ConflictLedger: Sendable {
    struct Member: Hashable, Sendable {
        let ordinal: Int
        /// Which of the revision's edits; 0 for deletions and renamings.
        let index: Int
    }

    private struct Pair: Sendable {
        let kind: ConflictKind
        /// By their numbers in `members`.
        let one: Int
        let other: Int
    }

    /// A conflict from below the floor.
    struct Inherited: Sendable {
        let conflict: Conflict
        var settlers: [Int] = []
    }

    private(set) var inherited: [Inherited]
    private var members: [Member] = []
    private var numbers: [Member: Int] = [:]
    private var pairs: [Pair] = []
    /// The pairs that nobody has settled, ascending; of the others who did, and the same by who.
    private var unsettled: [Int] = []
    private var settlers: [Int: [Int]] = [:]
    private var settledBy: [Int: [Int]] = [:]
    /// What is unsettled in the version that has seen everything, where nothing has changed since it was asked for.
    private var standingNow: [Standing]?

    init(below conflicts: [Conflict]) {
        inherited = conflicts.map { Inherited(conflict: $0) }
    }

    var isEmpty: Bool { pairs.isEmpty && inherited.isEmpty }

    mutating func add(_ kind: ConflictKind, _ one: Member, _ other: Member) {
        unsettled.append(pairs.count)
        pairs.append(Pair(kind: kind, one: number(of: one), other: number(of: other)))
        standingNow = nil
    }

    private mutating func number(of member: Member) -> Int {
        if let number = numbers[member] { return number }
        numbers[member] = members.count
        members.append(member)
        return members.count - 1
    }

    /// A conflict that is unsettled in some version.
    enum Standing: Sendable {
        case inherited(Int)
        case pairs(ConflictKind, [Int])
    }

    /// What is unsettled in the version that has not seen these, ascending.
    ///
    /// - Complexity: O(1) where nothing has changed since and everything was seen; otherwise O(unsettled pairs + pairs settled by
    ///   those not seen).
    mutating func standing(unseen: [Int]) -> [Standing] {
        guard !isEmpty else { return [] }
        if unseen.isEmpty, let standingNow { return standingNow }
        var hidden = [Bool](repeating: false, count: (unseen.last ?? -1) + 1)
        for ordinal in unseen { hidden[ordinal] = true }
        func isHidden(_ ordinal: Int) -> Bool { ordinal < hidden.count && hidden[ordinal] }
        func isHere(_ pair: Int) -> Bool {
            !isHidden(members[pairs[pair].one].ordinal) && !isHidden(members[pairs[pair].other].ordinal)
        }
        var here = unsettled.filter(isHere)
        var again: Set<Int> = []
        for settler in unseen {
            for pair in settledBy[settler] ?? [] where isHere(pair) && settlers[pair]?.allSatisfy(isHidden) ?? true {
                if again.insert(pair).inserted { here.append(pair) }
            }
        }
        let old = inherited.indices.filter { inherited[$0].settlers.allSatisfy(isHidden) }.map(Standing.inherited)
        let result = old + components(here)
        if unseen.isEmpty { standingNow = result }
        return result
    }

    /// The connected components of pairs, those of one kind apart: no edit is a member of two kinds but by number 0, and the kinds
    /// are gone through one by one.
    private func components(_ pairs: [Int]) -> [Standing] {
        var result: [Standing] = []
        for kind in ConflictKind.allCases {
            let ofKind = pairs.filter { self.pairs[$0].kind == kind }
            guard !ofKind.isEmpty else { continue }
            var union = Union(count: members.count)
            for pair in ofKind { union.join(self.pairs[pair].one, self.pairs[pair].other) }
            var byRoot: [Int: [Int]] = [:]
            for pair in ofKind { byRoot[union.root(of: self.pairs[pair].one), default: []].append(pair) }
            result += byRoot.values.map { .pairs(kind, $0) }
        }
        return result
    }

    func kind(of standing: Standing) -> ConflictKind {
        switch standing {
        case .inherited(let index): inherited[index].conflict.kind
        case .pairs(let kind, _): kind
        }
    }

    func members(of pairs: [Int]) -> [Member] {
        var isMember = [Bool](repeating: false, count: members.count)
        for pair in pairs {
            isMember[self.pairs[pair].one] = true
            isMember[self.pairs[pair].other] = true
        }
        return members.indices.filter { isMember[$0] }.map { members[$0] }
    }

    mutating func settle(_ standing: Standing, by ordinal: Int) {
        standingNow = nil
        switch standing {
        case .inherited(let index): inherited[index].settlers.append(ordinal)
        case .pairs(_, let pairs):
            let settled = Set(pairs)
            unsettled.removeAll { settled.contains($0) }
            settledBy[ordinal, default: []] += pairs
            for pair in pairs { settlers[pair, default: []].append(ordinal) }
        }
    }
}

/// Union-find over numbers.
private struct Union {
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
