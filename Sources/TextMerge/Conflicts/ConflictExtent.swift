import Algorithms
import Causality

/// What a conflict consists of, independently of the version that is asked about.
struct ConflictExtent: Sendable {
    let id: ConflictID
    /// The two least members, in order; empty for a conflict from below the floor.
    let least: [ConflictMember]
    /// The newest dot of each branch that takes part, sorted.
    var sides: [Dot]
    /// The sides that are withdrawn, sorted.
    var withdrawn: [Dot] = []
    /// The ordinals of the members that count and are sides or may become sides when further members
    /// join; empty without withdrawals (`Walk.findSides`).
    var candidates: [Int] = []
    /// The first and the last item of what its members inserted or removed.
    let bounds: ConflictBounds
    /// Versions with the same common past as the members' parents, which is the conflict's base.
    var pasts: [Version]
    /// The ranges of the floor's text that belong to a conflict from below the floor (`KeptConflict.own`).
    /// Nil if the whole text does, and for a conflict from above the floor.
    private(set) var ownBelow: [Range<Int>]?

    init(id: ConflictID, least: [ConflictMember], sides: [Dot], bounds: ConflictBounds, pasts: [Version]) {
        self.id = id
        self.least = least
        self.sides = sides
        self.bounds = bounds
        self.pasts = pasts
    }

    /// The extent of a conflict from below the floor. Its items are in hunk 0, which is the floor's
    /// text.
    init(below kept: KeptConflict) {
        let conflict = kept.conflict
        let range = kept.ownRange ?? conflict.range
        let end = range.upperBound == 0 ? nil : Item(hunk: 0, offset: range.upperBound - 1)
        let start = range.isEmpty ? nil : Item(hunk: 0, offset: range.lowerBound)
        self.init(
            id: conflict.id, least: [], sides: conflict.sides,
            bounds: ConflictBounds(first: start, last: end, isGap: range.isEmpty), pasts: [])
        withdrawn = conflict.withdrawn
        if !kept.own.isEmpty { ownBelow = kept.own }
    }
}

/// From the first to the last item of a conflict's members. A deletion and a name have none.
struct ConflictBounds: Sendable {
    /// The first item; nil if there is none, or for a gap.
    var first: Item?
    /// The last item; for a gap, the item before it, or nil at the start of the text.
    var last: Item?
    /// Whether the conflict has an empty range in the floor's text.
    var isGap = false
}

/// The members of a conflict and the revisions that their writers had seen. For a conflict from below the
/// floor, also the ranges of the floor's text that belong to it.
struct ConflictPast {
    /// The ordinals of the sides. Every other member is in the past of a side.
    private let sides: Set<Int>
    private let newest: Int
    private let graph: RevisionGraph
    private let version: Version
    private let ownBelow: [Range<Int>]?

    /// - Complexity: O(sides).
    init(of extent: ConflictExtent, in graph: RevisionGraph) {
        // Nobody who wrote above the floor is a member of a conflict from below it.
        sides = extent.least.isEmpty ? [] : Set(extent.sides.compactMap { graph.ordinal(of: $0) })
        newest = sides.max() ?? Copy.start
        version = Version(extent.sides)
        ownBelow = extent.ownBelow
        self.graph = graph
    }

    /// Whether a run of the floor's text is part of the conflict. A run does not cross the ends of such parts
    /// (`Walk.init`).
    ///
    /// - Complexity: O(log parts).
    func contains(floorOffset offset: Int) -> Bool {
        guard let ownBelow else { return true }
        let index = ownBelow.partitioningIndex { $0.upperBound > offset }
        return index < ownBelow.endIndex && ownBelow[index].contains(offset)
    }

    /// Whether the revision with an ordinal is among them; the text that the walk starts from always is.
    ///
    /// - Complexity: O(1), or that of `RevisionGraph.covers` for a revision that is neither a side
    ///   nor newer than all sides.
    func contains(_ ordinal: Int) -> Bool {
        if ordinal == Copy.start || sides.contains(ordinal) { return true }
        return ordinal < newest && graph.covers(version, graph.dots[ordinal])
    }
}
