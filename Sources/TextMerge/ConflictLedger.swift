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

    struct Pair: Sendable {
        let kind: ConflictKind
        let one: Member
        let other: Member
        /// The revisions that settled it.
        var settlers: [Int] = []
    }

    /// A conflict from below the floor.
    struct Inherited: Sendable {
        let conflict: Conflict
        var settlers: [Int] = []
    }

    private(set) var pairs: [Pair] = []
    private(set) var inherited: [Inherited]
    /// The pairs that nobody has settled, and those that somebody has, by who.
    private var unsettled: [Int] = []
    private var settledBy: [Int: [Int]] = [:]

    init(below conflicts: [Conflict]) {
        inherited = conflicts.map { Inherited(conflict: $0) }
    }

    var isEmpty: Bool { pairs.isEmpty && inherited.isEmpty }

    mutating func add(_ kind: ConflictKind, _ one: Member, _ other: Member) {
        unsettled.append(pairs.count)
        pairs.append(Pair(kind: kind, one: one, other: other))
    }

    /// A conflict that is unsettled in some version.
    enum Standing: Sendable {
        case inherited(Int)
        case pairs(ConflictKind, [Int])
    }

    /// What is unsettled in the version that has not seen these, ascending.
    ///
    /// - Complexity: O(unsettled pairs + pairs settled by those not seen).
    func standing(unseen: [Int]) -> [Standing] {
        guard !isEmpty else { return [] }
        let hidden = Set(unseen)
        func isHere(_ pair: Int) -> Bool {
            !hidden.contains(pairs[pair].one.ordinal) && !hidden.contains(pairs[pair].other.ordinal)
        }
        var here = Set(unsettled.filter(isHere))
        for settler in unseen {
            for pair in settledBy[settler] ?? [] where isHere(pair) && pairs[pair].settlers.allSatisfy(hidden.contains) {
                here.insert(pair)
            }
        }
        let old = inherited.indices.filter { inherited[$0].settlers.allSatisfy(hidden.contains) }.map(Standing.inherited)
        return old + components(here.sorted())
    }

    /// The connected components of pairs of one kind.
    private func components(_ pairs: [Int]) -> [Standing] {
        var result: [Standing] = []
        for kind in ConflictKind.allCases {
            var union = MemberUnion()
            let ofKind = pairs.filter { self.pairs[$0].kind == kind }
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

    func members(of pairs: [Int]) -> Set<Member> {
        pairs.reduce(into: []) { $0.formUnion([self.pairs[$1].one, self.pairs[$1].other]) }
    }

    mutating func settle(_ standing: Standing, by ordinal: Int) {
        switch standing {
        case .inherited(let index): inherited[index].settlers.append(ordinal)
        case .pairs(_, let pairs):
            let settled = Set(pairs)
            unsettled.removeAll { settled.contains($0) }
            settledBy[ordinal, default: []] += pairs
            for pair in pairs { self.pairs[pair].settlers.append(ordinal) }
        }
    }
}

/// Union-find over members.
private struct MemberUnion {
    private var numbers: [ConflictLedger.Member: Int] = [:]
    private var parents: [Int] = []

    mutating func join(_ one: ConflictLedger.Member, _ other: ConflictLedger.Member) {
        let (left, right) = (root(of: one), root(of: other))
        if left != right { parents[max(left, right)] = min(left, right) }
    }

    mutating func root(of member: ConflictLedger.Member) -> Int {
        guard var number = numbers[member] else {
            numbers[member] = parents.count
            parents.append(parents.count)
            return parents.count - 1
        }
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }
}
