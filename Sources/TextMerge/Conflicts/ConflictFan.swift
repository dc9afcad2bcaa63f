/// The pairs of one edit with edits of revisions that were written on it. They are in conflict in the
/// versions in which the one edit is withdrawn, and not in those in which both count.
///
/// An undo may withdraw thousands of revisions, and each of them may touch thousands of later ones. So
/// these pairs are not kept one by one: a fan has one bit for each.
struct ConflictFan: Sendable {
    /// The role of the edit that may be withdrawn.
    let center: Int
    /// The roles of the edits that were written on it and touch it.
    var others = SparseSet()
    /// Those with which it is unresolved in the newest version, and so in one group.
    var open = SparseSet()
    /// The revisions that resolved some of the pairs, in the order of replay.
    var resolvers: [(ordinal: Int, others: SparseSet)] = []

    /// Some pairs of a fan.
    struct Part: Sendable {
        /// The fan's number.
        let fan: Int
        let others: SparseSet
    }

    /// The pairs among `part` that are unresolved in a version in which the center is withdrawn.
    ///
    /// - Parameters:
    ///   - part: some of the others.
    ///   - absent: the roles of which the revisions do not count in the version.
    ///   - counts: whether a revision counts in the version.
    /// - Complexity: O(words), for the part and for each resolver.
    func unresolved(among part: SparseSet, absent: SparseSet, counts: (Int) -> Bool) -> SparseSet {
        var rest = part.subtracting(absent)
        for resolver in resolvers where !rest.isEmpty && counts(resolver.ordinal) { rest.subtract(resolver.others) }
        return rest
    }
}

/// Some pairs of edits that are in conflict.
struct ConflictPairs: Sendable {
    /// Pairs that are in conflict where both members count, by number.
    var pairs: [Int] = []
    /// Pairs that are in conflict where one member is withdrawn.
    var fans: [ConflictFan.Part] = []

    var isEmpty: Bool { pairs.isEmpty && fans.isEmpty }
}
