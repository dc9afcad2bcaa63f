package import Causality

/// The text and the conflicts of one note, as a pure function of its revisions. The order in which
/// revisions are appended has no influence.
///
/// A version is *critical* if every revision outside it has all of it in its past. Of everything
/// below the newest critical version that it knows (its *floor*), the view holds only the text and
/// the unsettled conflicts there. Later revisions are walked (`Walk`). A revision whose writer has
/// seen everything makes a critical version. So a sequence of such writes costs what applying the
/// edits costs, and leaves nothing else in memory.
///
/// A revision with parents below the floor cannot be appended. The caller then makes a new view at
/// an older critical version and appends all revisions since (`append(contentsOf:)`).
///
/// A copy shares its memory with the original until one of them changes; the first change copies
/// all that the view holds.
///
///     var view = View(naming: naming)
///     view.append(Event(dot: a1, parents: .nothing, edits: […"one\n"], origin: .found))   // the floor is a1
///     view.append(contentsOf: [a2, b1])    // both with the parents a1: the floor stays, both are walked
///     view.append(a3)                      // with the parents a2 and b1: the floor is a3
package struct View: Sendable {
    /// The revisions above the floor, with their parents.
    package private(set) var graph: RevisionGraph
    /// Whether each revision deletes the note, by ordinal.
    private var tombstones: [Bool]
    /// Whether the note is deleted at the floor.
    private let floorIsDeleted: Bool
    /// The text at the floor; empty if the note is deleted there.
    private let floorText: [UInt8]
    /// The walk above the floor; nil while there is no revision above it.
    private(set) var walk: Walk?
    /// The conflicts that are unsettled at the floor, with their ranges in its text.
    private let floorConflicts: [Conflict]
    /// The conflicts that are unsettled at `version`, by id, including those that a deleted note
    /// hides.
    private var unsettled: [Conflict]
    private let limits: WalkLimits
    private let naming: ConflictNaming

    /// Creates the view of a note before its first revision.
    package init(naming: ConflictNaming) {
        self.init(limits: WalkLimits(), naming: naming)
    }

    init(limits: WalkLimits, naming: ConflictNaming) {
        self.init(floor: .nothing, text: [], isDeleted: false, conflicts: [], limits: limits, naming: naming)
    }

    /// Creates the view of a note at a critical version of one dot.
    ///
    /// - Parameters:
    ///   - text: the text there. If the note is deleted it is ignored: a write that restores the
    ///     note removes the old text anyway.
    ///   - conflicts: the conflicts that are unsettled there, with their ranges in that text.
    package init(floor: Dot, text: [UInt8], isDeleted: Bool, conflicts: [Conflict], naming: ConflictNaming) {
        self.init(
            floor: Version(floor), text: isDeleted ? [] : text, isDeleted: isDeleted, conflicts: conflicts, limits: WalkLimits(),
            naming: naming)
    }

    private init(
        floor: Version, text: [UInt8], isDeleted: Bool, conflicts: [Conflict], limits: WalkLimits, naming: ConflictNaming
    ) {
        self.limits = limits
        self.naming = naming
        graph = RevisionGraph(floor: floor)
        tombstones = []
        floorText = text
        floorIsDeleted = isDeleted
        floorConflicts = conflicts
        unsettled = conflicts
    }

    /// The newest critical version that the view knows; nothing below it is held.
    package var floor: Version { graph.floor }

    /// The siblings: the newest version, which the merged text shows.
    package var version: Version { graph.siblings }

    /// Whether a revision is above the floor or is a dot of the floor.
    package func knows(_ dot: Dot) -> Bool { graph.knows(dot) }

    /// Whether the view can compute the text at a version and append a revision with it as parents.
    /// The empty version is below every floor but the empty one.
    package func knows(_ version: Version) -> Bool {
        version.isNothing ? floor.isNothing : version.dots.allSatisfy(graph.knows)
    }

    /// The merged text; empty if the note is deleted.
    package var text: [UInt8] { isDeleted ? [] : walk?.shown ?? floorText }

    /// Whether all siblings are tombstones.
    package var isDeleted: Bool { isDeleted(at: version) }

    /// Whether the note is deleted at a version: all its maximal dots are tombstones.
    ///
    /// - Precondition: the version is reduced and known.
    package func isDeleted(at version: Version) -> Bool {
        !version.isNothing
            && version.dots.allSatisfy { dot in graph.ordinal(of: dot).map { tombstones[$0] } ?? floorIsDeleted }
    }

    /// The text at a version; empty if the note is deleted there.
    ///
    /// - Precondition: the version is reduced and known.
    /// - Complexity: O(text + runs) if a branch is at the version, as after its writer's own write.
    ///   Otherwise in addition the cost of moving a branch, which is bounded by what happened since
    ///   the floor.
    package mutating func text(at version: Version) -> [UInt8] {
        precondition(knows(version), "the version is not below the floor")
        if isDeleted(at: version) { return [] }
        if version == self.version { return text }
        guard version != floor, let text = walk?.text(at: version, in: graph) else { return floorText }
        return text
    }

    /// The open conflicts, by id: the unsettled ones, unless the note is deleted.
    package var conflicts: [Conflict] { isDeleted ? [] : unsettled }

    /// The unsettled conflicts, by id, whether or not a deleted note hides them: what has to be
    /// kept at a critical version.
    package var keptConflicts: [Conflict] { unsettled }

    /// The conflicts that are open at a version, by id.
    ///
    /// - Precondition: the version is reduced and known.
    /// - Complexity: as for the text there.
    package mutating func conflicts(at version: Version) -> [Conflict] {
        precondition(knows(version), "the version is not below the floor")
        return isDeleted(at: version) ? [] : unsettled(at: version)
    }

    /// The conflicts that are unsettled at a version, by id.
    private mutating func unsettled(at version: Version) -> [Conflict] {
        if version == floor { return floorConflicts }
        if version == self.version, walk?.conflictIndex.unresolved(unseen: []).isEmpty == true { return [] }
        guard walk?.conflictIndex.isEmpty == false, let conflicts = walk?.conflicts(at: version, of: graph, naming: naming) else {
            return []
        }
        return conflicts
    }

    /// The texts of a conflict's range in its base and its sides; nil unless it is a text conflict
    /// that is unsettled at the version and has no part below the floor.
    ///
    /// - Precondition: the version is reduced and known.
    package mutating func texts(of conflict: Conflict, at version: Version) -> ConflictTexts? {
        let (graph, tombstones, floorIsDeleted) = (graph, tombstones, floorIsDeleted)
        return walk?.texts(of: conflict, at: version, in: graph, naming: naming) { base in
            !base.isNothing && base.dots.allSatisfy { dot in graph.ordinal(of: dot).map { tombstones[$0] } ?? floorIsDeleted }
        }
    }

    /// The texts of a conflict that is open at the newest version; nil as for `texts(of:at:)`.
    package mutating func texts(of conflict: Conflict) -> ConflictTexts? {
        texts(of: conflict, at: version)
    }

    /// Appends a revision.
    ///
    /// - Precondition: its dot is new, its parents are known (`knows`) and reduced, and its edits
    ///   are well-formed for the text at its parents.
    /// - Complexity: O(text + edits) if its parents are the newest version; otherwise that of
    ///   `Walk.replay`.
    package mutating func append(_ event: Event) {
        append(contentsOf: [event])
    }

    /// Appends revisions in a causal order, as one step. The floor moves to the newest version that
    /// is critical with all of them present: a revision that has seen everything before it does not
    /// raise the floor if a later one in the list has older parents.
    ///
    /// - Parameter holdsFloor: whether to leave the floor where it is, because the caller is about
    ///   to append a revision with older parents.
    /// - Precondition: as for each revision alone.
    package mutating func append(contentsOf events: [Event], holdsFloor: Bool = false) {
        let splitting = splittingIndexes(of: events)
        for (index, event) in events.enumerated() {
            if !holdsFloor, splitting[index], event.parents == version {
                raiseFloor(to: event)
            } else {
                walk(event)
            }
        }
        if walk != nil { unsettled = unsettled(at: version) }
    }

    /// For each event, whether no event after it has a parent from before it. If such an event has
    /// seen all events before it, its version is critical.
    private func splittingIndexes(of events: [Event]) -> [Bool] {
        guard events.count > 1 else { return events.map { _ in true } }
        var indexes: [Dot: Int] = [:]
        for (index, event) in events.enumerated() { indexes[event.dot] = index }
        var result = [Bool](repeating: true, count: events.count)
        var oldestParent = Int.max
        for (index, event) in events.enumerated().reversed() {
            result[index] = oldestParent >= index
            let parents = event.parents.dots.map { indexes[$0] ?? -1 }
            oldestParent = min(oldestParent, parents.min() ?? -1)
        }
        return result
    }

    /// Raises the floor to an event whose writer has seen everything.
    private mutating func raiseFloor(to event: Event) {
        precondition(!graph.knows(event.dot), "a dot names one revision only")
        if walk != nil { unsettled = unsettled(at: version) }
        let text = event.isTombstone ? [] : event.edits.applied(to: text)
        let kept = unsettled.compactMap { unresolved($0, after: event, textBytes: text.count) }
        self = View(
            floor: Version(event.dot), text: text, isDeleted: event.isTombstone, conflicts: kept, limits: limits, naming: naming)
    }

    /// A conflict as it is after a revision whose writer has seen it; nil if the revision settles
    /// it.
    ///
    /// At a deleted note only a conflict of names is kept: the write that restores the note settles
    /// all others.
    private func unresolved(_ conflict: Conflict, after event: Event, textBytes: Int) -> Conflict? {
        let restores = isDeleted && !event.isTombstone
        guard !event.resolves.contains(conflict.id),
            !event.settles(conflict.kind, restores: restores, range: { conflict.range }),
            !event.isTombstone || conflict.kind == .name
        else { return nil }
        let range: Range<Int>
        switch conflict.kind {
        case .name: range = 0..<0
        case .deletion: range = 0..<textBytes
        case .text:
            let growth = event.edits.reduce(0) { $1.end < conflict.range.lowerBound ? $0 + $1.growth : $0 }
            range = conflict.range.lowerBound + growth..<conflict.range.upperBound + growth
        }
        return Conflict(id: conflict.id, kind: conflict.kind, sides: conflict.sides, range: range)
    }

    /// Appends an event to the graph and replays it.
    private mutating func walk(_ event: Event) {
        let restores = !event.isTombstone && isDeleted(at: event.parents)
        let ordinal = graph.count
        graph.insert(event.dot, parents: event.parents)
        tombstones.append(event.isTombstone)
        if walk == nil { walk = Walk(text: floorText, at: floor, conflicts: floorConflicts, limits: limits) }
        walk?.replay(event, ordinal: ordinal, restores: restores, in: graph, naming: naming)
    }
}
