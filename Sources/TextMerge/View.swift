package import Causality

/// The text of one note as a pure function of its revisions: the order in which they are appended never shows.
///
/// A *critical version* is one that every revision outside it has all of in its past. The view holds nothing from below the
/// newest that it knows, its floor, but the text there; what came after is walked (`Walk`). Who writes on top of all that is
/// shown makes a critical version, so that sequential writing costs what applying the edits costs, and keeps nothing in memory.
///
/// A revision from below the floor cannot be appended: a new view is made at an older critical version, with all revisions
/// since appended together (`append(contentsOf:)`).
///
/// A copy shares its memory until one of the two is changed; the first change then copies what the view holds.
///
///     var view = View()
///     view.append(Event(dot: a1, parents: .nothing, edits: […"one\n"], origin: .found))   // the floor is a1
///     view.append(contentsOf: [a2, b1])    // both with the parents a1: the floor stays, both are walked
///     view.append(a3)                      // with the parents a2 and b1: the floor is a3
package struct View: Sendable {
    /// What is held above the floor: dots and their parents.
    package private(set) var graph: RevisionGraph
    /// By ordinal: whether the revision deletes the note.
    private var tombstones: [Bool]
    private let floorIsDeleted: Bool
    /// The text at the floor; "" where it is deleted.
    private let floorText: [UInt8]
    /// Nil while nothing is held above the floor.
    private(set) var walk: Walk?
    /// Unsettled at the floor, with their ranges in its text.
    private let floorConflicts: [Conflict]
    /// Unsettled at `version`, by id; what a deleted note hides too.
    private var unsettled: [Conflict]
    private let limits: WalkLimits
    private let naming: ConflictNaming

    /// A note before its first revision.
    package init(naming: ConflictNaming) {
        self.init(limits: WalkLimits(), naming: naming)
    }

    init(limits: WalkLimits, naming: ConflictNaming) {
        self.init(floor: .nothing, text: [], isDeleted: false, conflicts: [], limits: limits, naming: naming)
    }

    /// A note at a critical version of one dot.
    ///
    /// - Parameter text: what is shown there. Where the note is deleted it is "", and what stood below the mark is not needed:
    ///   whoever restores the note removes it.
    /// - Parameter conflicts: unsettled there, with their ranges in that text.
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

    package var floor: Version { graph.floor }

    /// The siblings: what the shown text covers.
    package var version: Version { graph.siblings }

    package func knows(_ dot: Dot) -> Bool { graph.knows(dot) }

    /// Whether the view can say what a version shows, and take a revision with it as its parents. Nothing seen is below
    /// every floor but the first.
    package func knows(_ version: Version) -> Bool {
        version.isNothing ? floor.isNothing : version.dots.allSatisfy(graph.knows)
    }

    /// The text of everything; "" where the note is deleted.
    package var text: [UInt8] { isDeleted ? [] : walk?.shown ?? floorText }

    /// Whether all siblings are tombstones.
    package var isDeleted: Bool { isDeleted(at: version) }

    /// Whether the version shows a tombstone: all its maximal dots are tombstones.
    ///
    /// - Precondition: the version is reduced and known.
    package func isDeleted(at version: Version) -> Bool {
        !version.isNothing
            && version.dots.allSatisfy { dot in graph.ordinal(of: dot).map { tombstones[$0] } ?? floorIsDeleted }
    }

    /// The text at a version; "" where it is deleted.
    ///
    /// - Precondition: the version is reduced and known.
    /// - Complexity: O(text + runs) where a branch stands at the version, as after its writer's own write; otherwise with the
    ///   cost of moving one there, bounded by what happened since the floor.
    package mutating func text(at version: Version) -> [UInt8] {
        precondition(knows(version), "the version is not below the floor")
        if isDeleted(at: version) { return [] }
        if version == self.version { return text }
        guard version != floor, let text = walk?.text(at: version, in: graph) else { return floorText }
        return text
    }

    /// The conflicts that are open, by id.
    package var conflicts: [Conflict] { isDeleted ? [] : unsettled }

    /// Those that are unsettled, whether a deleted note hides them or not: what is kept at a critical version.
    package var keptConflicts: [Conflict] { unsettled }

    /// The conflicts that are open at a version, by id.
    ///
    /// - Precondition: the version is reduced and known.
    /// - Complexity: as for the text there.
    package mutating func conflicts(at version: Version) -> [Conflict] {
        precondition(knows(version), "the version is not below the floor")
        return isDeleted(at: version) ? [] : unsettled(at: version)
    }

    private mutating func unsettled(at version: Version) -> [Conflict] {
        if version == floor { return floorConflicts }
        if version == self.version, walk?.conflictIndex.unresolved(unseen: []).isEmpty == true { return [] }
        guard walk?.conflictIndex.isEmpty == false, let conflicts = walk?.conflicts(at: version, of: graph, naming: naming) else {
            return []
        }
        return conflicts
    }

    /// What the sides of a text conflict that is open at a version show of its range; nil where they lie below the floor.
    ///
    /// - Precondition: the version is reduced and known.
    package mutating func texts(of conflict: Conflict, at version: Version) -> ConflictTexts? {
        let (graph, tombstones, floorIsDeleted) = (graph, tombstones, floorIsDeleted)
        return walk?.texts(of: conflict, at: version, in: graph, naming: naming) { base in
            !base.isNothing && base.dots.allSatisfy { dot in graph.ordinal(of: dot).map { tombstones[$0] } ?? floorIsDeleted }
        }
    }

    /// Of a conflict that is open now.
    package mutating func texts(of conflict: Conflict) -> ConflictTexts? {
        texts(of: conflict, at: version)
    }

    /// Appends a revision.
    ///
    /// - Precondition: its dot is new, its parents are known (`knows`) and an antichain, its edits are well-formed for the
    ///   text at its parents.
    /// - Complexity: O(text + edits) where it has seen all; otherwise that of `Walk.replay`.
    package mutating func append(_ event: Event) {
        append(contentsOf: [event])
    }

    /// Appends revisions in a causal order, together: the floor moves to the newest critical version of all, and no
    /// further than those after it allow.
    ///
    /// - Parameter holdsFloor: whether the floor stays where it is, for one who is about to write on a version below the newest.
    /// - Precondition: as for each alone.
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

    /// For each event, whether all after it have it in their past, provided that it has all before it in its own: none after
    /// it has a parent from before it.
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

    /// The event has seen all that is held: its version becomes the floor.
    private mutating func raiseFloor(to event: Event) {
        precondition(!graph.knows(event.dot), "a dot names one revision only")
        if walk != nil { unsettled = unsettled(at: version) }
        let text = event.isTombstone ? [] : event.edits.applied(to: text)
        let kept = unsettled.compactMap { unresolved($0, after: event, textBytes: text.count) }
        self = View(
            floor: Version(event.dot), text: text, isDeleted: event.isTombstone, conflicts: kept, limits: limits, naming: naming)
    }

    /// A conflict as it stands after a revision that has seen it; nil where that settles it.
    ///
    /// Below a tombstone only a renaming is worth keeping: whoever restores the note settles the rest.
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

    private mutating func walk(_ event: Event) {
        let restores = !event.isTombstone && isDeleted(at: event.parents)
        let ordinal = graph.count
        graph.insert(event.dot, parents: event.parents)
        tombstones.append(event.isTombstone)
        if walk == nil { walk = Walk(text: floorText, at: floor, conflicts: floorConflicts, limits: limits) }
        walk?.replay(event, ordinal: ordinal, restores: restores, in: graph, naming: naming)
    }
}
