extension ConflictIndex {
    /// One edit, deletion or renaming of a revision.
    struct Member: Hashable, Sendable {
        /// The revision.
        let ordinal: Int
        /// Which of the revision's edits; 0 for deletions and renamings.
        let index: Int
    }

    /// Two members of one kind that are in conflict in the versions in which both count.
    struct Pair: Sendable {
        /// The members, by their numbers in `roles`.
        let one: Int
        let other: Int
        /// The revisions that resolved the pair, in the order of replay.
        var resolvers: [Int] = []
        /// Whether the pair is unresolved in the newest version, and so in a group.
        var isOpen = false
    }

    /// A member in conflicts of one kind. The same revision may have a role of each kind.
    struct Role: Hashable, Sendable {
        let kind: ConflictKind
        let member: Member
    }

    /// A conflict from below the floor, and the revisions that resolved it.
    struct Inherited: Sendable {
        let kept: KeptConflict
        var resolvers: [Int] = []
    }

    /// A conflict that is unresolved in some version.
    enum UnresolvedConflict: Sendable {
        /// A conflict from below the floor, by its index.
        case inherited(Int)
        /// All pairs of a group, by its number.
        case group(Int)
        /// Some pairs that are a component only in an older version.
        case pairs(ConflictKind, ConflictPairs)
    }
}
