import Causality

/// What is known of a conflict whatever version it is looked at in.
struct ConflictExtent: Sendable {
    let id: ConflictID
    /// Its two least members, in order; none of one from below the floor.
    let least: [ConflictMember]
    let sides: [Dot]
    let bounds: ConflictBounds
    /// Versions whose common past is that of the members: what everybody who takes part had been shown.
    var pasts: [Version]

    init(id: ConflictID, least: [ConflictMember], sides: [Dot], bounds: ConflictBounds, pasts: [Version]) {
        self.id = id
        self.least = least
        self.sides = sides
        self.bounds = bounds
        self.pasts = pasts
    }

    /// Hunk 0 is the floor's text, if there is any.
    init(below conflict: Conflict) {
        let range = conflict.range
        let end = range.upperBound == 0 ? nil : Item(hunk: 0, offset: range.upperBound - 1)
        let start = range.isEmpty ? nil : Item(hunk: 0, offset: range.lowerBound)
        self.init(
            id: conflict.id, least: [], sides: conflict.sides,
            bounds: ConflictBounds(first: start, last: end, isGap: range.isEmpty), pasts: [])
    }
}

/// From the first to the last item of what takes part; of a gap, the item before it, nil at the start of the text. A deletion and
/// a name have none.
struct ConflictBounds: Sendable {
    var first: Item?
    var last: Item?
    var isGap = false
}
