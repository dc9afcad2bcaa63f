import BitCollections
package import Causality

/// The text and the conflicts of one note, as a pure function of its revisions. The order in which
/// revisions are appended has no influence.
///
/// Of everything below the newest critical version that it knows, its floor, the view holds only the
/// text and the unresolved conflicts there. Later revisions are walked (`Walk`). A revision whose writer has
/// seen everything makes a critical version. So a sequence of such writes costs what applying the
/// edits costs, and leaves nothing else in memory.
///
/// A revision with parents below the floor cannot be appended. The caller then makes a new view at
/// an older critical version and appends all revisions since (`append(contentsOf:)`).
///
/// Of a conflict that is unresolved at the floor, the view knows the range but not the edits, so it
/// cannot tell where the conflict is when the write that resolves it is withdrawn. A view that walks a
/// withdrawal therefore starts at a floor without unresolved conflicts (`canWithdraw`).
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
    /// Whether one of them does.
    private var hasTombstone = false
    /// Whether the note is deleted at the floor.
    private let floorIsDeleted: Bool
    /// The text at the floor; empty if the note is deleted there.
    let floorText: [UInt8]
    /// Whether texts lack the last LF of the kept sequence.
    private var lastLine: LastLineRegister
    /// Whether the text at the floor does.
    private let floorHidesLast: Bool
    /// The walk above the floor; nil while there is no revision above it.
    private(set) var walk: Walk?
    /// The conflicts that are unresolved at the floor.
    private let floorConflicts: [KeptConflict]
    /// The conflicts that are unresolved at `version`, by id, including those that a deleted note
    /// hides, with their ranges in the kept sequence.
    private var unresolved: [Conflict]
    private let limits: WalkLimits
    private let naming: ConflictNaming

    /// Creates the view of a note before its first revision.
    package init(naming: ConflictNaming) {
        self.init(limits: WalkLimits(), naming: naming)
    }

    init(limits: WalkLimits, naming: ConflictNaming) {
        self.init(
            floor: .nothing, ViewFloor(text: [], lastLine: .shown, isDeleted: false, conflicts: []), limits: limits,
            naming: naming)
    }

    /// Creates the view of a note at a critical version of one dot.
    package init(floor: Dot, _ state: ViewFloor, naming: ConflictNaming) {
        self.init(floor: Version(floor), state, limits: WalkLimits(), naming: naming)
    }

    private init(floor: Version, _ state: ViewFloor, limits: WalkLimits, naming: ConflictNaming) {
        self.limits = limits
        self.naming = naming
        graph = RevisionGraph(floor: floor)
        tombstones = []
        floorText = state.isDeleted ? [] : state.text
        floorHidesLast = !state.isDeleted && state.lastLine == .hidden
        lastLine = LastLineRegister(floor: state.lastLine.registerHides)
        floorIsDeleted = state.isDeleted
        floorConflicts = state.conflicts
        keptConflicts = state.conflicts
        unresolved = state.conflicts.map(\.conflict)
    }

    /// The newest critical version that the view knows; nothing below it is held.
    package var floor: Version { graph.floor }

    /// The siblings: the newest version, which the merged text shows.
    package var version: Version { graph.siblings }

    /// Whether a revision is above the floor or is a dot of the floor.
    package func knows(_ dot: Dot) -> Bool { graph.knows(dot) }

    /// Whether the view can append a withdrawal of revisions above the floor: no conflict is unresolved
    /// at the floor.
    package var canWithdraw: Bool { floorConflicts.isEmpty }

    /// Whether the view can compute the text at a version and append a revision with it as parents.
    /// The empty version is below every floor but the empty one.
    package func knows(_ version: Version) -> Bool {
        version.isNothing ? floor.isNothing : version.dots.allSatisfy(graph.knows)
    }

    /// The merged text; empty if the note is deleted.
    package var text: [UInt8] {
        guard !isDeleted else { return [] }
        guard let walk else { return floorText }
        return shown(walk.shown, at: version)
    }

    /// The text that a kept sequence shows at a version.
    private func shown(_ kept: [UInt8], at version: Version) -> [UInt8] {
        hidesLast(kept, at: version) ? kept.withoutLast : kept
    }

    /// Whether the text at a version lacks the last LF of its kept sequence.
    private func hidesLast(_ kept: [UInt8], at version: Version) -> Bool {
        kept.last == lineFeed && registerHidesLast(at: version)
    }

    /// The value of the register of the last line at a version.
    private func registerHidesLast(at version: Version) -> Bool {
        lastLine.hidesLast(at: version, in: graph, withdrawn: withdrawnOrdinals(at: version))
    }

    /// Whether the merged text lacks the last LF of its kept sequence (`KeptEdits`).
    package var hidesLast: Bool {
        guard let walk, !isDeleted else { return !isDeleted && floorHidesLast }
        return hidesLast(walk.shown, at: version)
    }

    /// The last LF and its register in the newest version, from which a view can start
    /// (`ViewFloor.lastLine`).
    package var lastLineFeed: LastLineFeed { LastLineFeed(isHidden: hidesLast, registerHides: registerHidesLast(at: version)) }

    /// Whether the note is deleted in the newest version.
    package var isDeleted: Bool { isDeleted(at: version) }

    /// Whether the note is deleted at a version: of the revisions that count there, all maximal
    /// ones are tombstones.
    ///
    /// - Precondition: the version is reduced and known.
    package func isDeleted(at version: Version) -> Bool {
        guard !version.isNothing else { return false }
        guard let walk, !walk.withdrawals.isEmpty else { return isDeleted(heads: version) }
        // Without a tombstone, no revision that counts can be one.
        guard floorIsDeleted || hasTombstone else { return false }
        let withdrawn = walk.withdrawn(at: version, in: graph)
        return isDeleted(heads: walk.withdrawals.countingHeads(of: version, in: graph, withdrawn: withdrawn))
    }

    private func isDeleted(heads: Version) -> Bool {
        heads.dots.allSatisfy { dot in graph.ordinal(of: dot).map { tombstones[$0] } ?? floorIsDeleted }
    }

    private func withdrawnOrdinals(at version: Version) -> BitSet {
        walk?.withdrawn(at: version, in: graph) ?? []
    }

    /// Whether withdrawing revisions above the floor cannot change the name of a note that is not
    /// deleted: none of the revisions that stop or start to count sets the name or deletes the note.
    package func keepsName(withdrawing dots: [Dot]) -> Bool {
        let ordinals = dots.compactMap { graph.ordinal(of: $0) }
        guard let walk, ordinals.count == dots.count else { return false }
        return (ordinals + walk.withdrawals.reach(of: ordinals)).allSatisfy {
            walk.facts[$0].name == .none && !walk.facts[$0].isTombstone
        }
    }

    /// The revisions above the floor that are withdrawn at a version.
    ///
    /// - Precondition: the version is known.
    package func withdrawn(at version: Version) -> Set<Dot> {
        Set(withdrawnOrdinals(at: version).map { graph.dots[$0] })
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
        guard version != floor, let kept = walk?.text(at: version, in: graph) else { return floorText }
        return shown(kept, at: version)
    }

    /// The open conflicts, by id: the unresolved ones, unless the note is deleted.
    package var conflicts: [Conflict] {
        guard !unresolved.isEmpty, !isDeleted else { return [] }
        let length = shownLength
        return unresolved.map { $0.shown(in: text, length: length) }
    }

    /// The length of the merged text.
    private var shownLength: Int { walk.map { $0.shown.count - (hidesLast ? 1 : 0) } ?? floorText.count }

    /// Whether a conflict is unresolved, even if a deleted note hides it.
    package var hasUnresolved: Bool { !unresolved.isEmpty }

    /// The unresolved conflicts, by id, whether or not a deleted note hides them: what has to be kept at a
    /// critical version. Empty if the newest version has several dots.
    package private(set) var keptConflicts: [KeptConflict]

    /// The conflicts that are open at a version, by id.
    ///
    /// - Precondition: the version is reduced and known.
    /// - Complexity: as for the text there.
    package mutating func conflicts(at version: Version) -> [Conflict] {
        precondition(knows(version), "the version is not below the floor")
        guard !isDeleted(at: version) else { return [] }
        let unresolved = unresolved(at: version)
        // Where the last LF is shown, text and kept sequence are the same.
        guard !unresolved.isEmpty, registerHidesLast(at: version) else { return unresolved }
        let text = text(at: version)
        return unresolved.map { $0.shown(in: text, length: text.count) }
    }

    /// The conflicts that are unresolved after the revisions that were appended so far, by id.
    private mutating func unresolvedNow() -> [KeptConflict] {
        guard walk?.hasConflictNow == true else { return walk == nil ? floorConflicts : [] }
        let (graph, version) = (graph, version)
        return walk?.keptConflicts(at: version, of: graph, naming: naming) ?? []
    }

    /// Updates what is known of the newest version's conflicts.
    private mutating func updateConflicts() {
        guard walk != nil else { return }
        keptConflicts = version.dots.count == 1 ? unresolvedNow() : []
        unresolved = version.dots.count == 1 ? keptConflicts.map(\.conflict) : unresolved(at: version)
    }

    /// The conflicts that are unresolved at a version, by id.
    private mutating func unresolved(at version: Version) -> [Conflict] {
        if version == floor { return floorConflicts.map(\.conflict) }
        if version == self.version, walk?.hasConflictNow == false { return [] }
        guard walk?.conflictIndex.isEmpty == false, let conflicts = walk?.conflicts(at: version, of: graph, naming: naming) else {
            return []
        }
        return conflicts
    }

    /// The texts of a conflict's range in its base and its sides; nil unless it is a text conflict
    /// that is unresolved at the version and has no part below the floor.
    ///
    /// - Precondition: the version is reduced and known.
    package mutating func texts(of conflict: Conflict, at version: Version) -> ConflictTexts? {
        let hidesLast = registerHidesLast(at: version)
        let graph = graph
        guard let texts = walk?.texts(of: conflict, at: version, hidesLast: hidesLast, in: graph, naming: naming) else {
            return nil
        }
        func shown(_ part: (version: Version, text: [UInt8])) -> [UInt8] {
            let isShort = hidesLast && texts.endsKept && part.text.last == lineFeed
            return isDeleted(at: part.version) ? [] : isShort ? part.text.withoutLast : part.text
        }
        return ConflictTexts(base: shown(texts.base), sides: texts.sides.map(shown))
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
    /// - Precondition: as for each revision alone. What a withdrawal names is above the floor or
    ///   earlier in the list. If the list contains a withdrawal, the view `canWithdraw`.
    package mutating func append(contentsOf events: [Event], holdsFloor: Bool = false) {
        let splitting = splittingIndexes(of: events)
        let newestWithdrawal = events.lastIndex { $0.isWithdrawal } ?? -1
        for (index, event) in events.enumerated() {
            if !holdsFloor, splitting[index], event.parents == version, event.mayBeFloor,
                index > newestWithdrawal || !(walk?.hasConflictNow ?? !floorConflicts.isEmpty)
            {
                raiseFloor(to: event)
            } else {
                walk(event)
            }
        }
        updateConflicts()
    }

    /// Gives the newest revision another dot, for a caller that appended it before it knew the dot. The view is then
    /// as if it had been appended with that dot.
    ///
    /// - Precondition: the revision is a withdrawal, the dot is new, and it is in the same order to all other dots as
    ///   the former one.
    package mutating func renameNewest(to dot: Dot) {
        guard let newest = graph.dots.last, walk?.facts.last?.isWithdrawal == true else {
            preconditionFailure("the newest revision is a withdrawal")
        }
        graph.renameNewest(to: dot)
        walk?.rename(newest, to: dot)
    }

    /// For each event, whether no event after it has a parent from before it or withdraws it or a
    /// revision before it. If such an event has seen all events before it, its version is critical
    /// and may become the floor.
    private func splittingIndexes(of events: [Event]) -> [Bool] {
        guard events.count > 1 else { return events.map { _ in true } }
        var indexes: [Dot: Int] = [:]
        for (index, event) in events.enumerated() { indexes[event.dot] = index }
        var result = [Bool](repeating: true, count: events.count)
        var oldestParent = Int.max
        for (index, event) in events.enumerated().reversed() {
            result[index] = oldestParent >= index
            let parents = event.parents.dots.map { indexes[$0] ?? -1 }
            let named = event.withdraws.map { (indexes[$0] ?? -1) - 1 }
            oldestParent = min(oldestParent, parents.min() ?? -1, named.min() ?? .max)
        }
        return result
    }

    /// Raises the floor to an event whose writer has seen everything.
    private mutating func raiseFloor(to event: Event) {
        precondition(!graph.knows(event.dot), "a dot names one revision only")
        let before = text
        let text = event.edits.applied(to: before)
        let isShortened = hidesLast
        let keptBefore = before.count + (isShortened ? 1 : 0)
        let registerHides = registerHidesLast(at: version)
        let kept = keptEdits(of: event, on: before, hidesLast: isShortened, registerHides: registerHides)
        let keptAfter = kept.edits.reduce(keptBefore) { $0 + $1.growth }
        let lastLine = LastLineFeed(isHidden: keptAfter > text.count, registerHides: kept.hidesLast ?? registerHides)
        let base = KeptEdits.Base(showing: before, isShortened: isShortened, hidesLast: isShortened)
        let unresolved = unresolvedNow()
        let keptText = unresolved.isEmpty || keptAfter == text.count ? text : text + [lineFeed]
        let conflicts = unresolved.compactMap {
            $0.carried(after: event, kept: kept.edits, restores: isDeleted, on: (before, base), keptText: keptText)
        }
        self = View(
            floor: Version(event.dot),
            ViewFloor(text: text, lastLine: lastLine, isDeleted: false, conflicts: conflicts), limits: limits,
            naming: naming)
    }

    /// A revision's edits in terms of the kept sequence (`KeptEdits`), which the walk replays.
    ///
    /// - Precondition: the revision's parents are known and reduced.
    package mutating func keptEdits(of event: Event) -> [Edit] {
        let text = event.parents.isNothing ? [] : text(at: event.parents)
        let hidesLast = !event.parents.isNothing && hidesLast(at: event.parents)
        return keptEdits(of: event, on: text, hidesLast: hidesLast, registerHides: hidesLast).edits
    }

    private func keptEdits(of event: Event, on text: [UInt8], hidesLast: Bool, registerHides: Bool) -> KeptEdits {
        let base = KeptEdits.Base(showing: text, isShortened: hidesLast, hidesLast: registerHides)
        return KeptEdits(event, on: base) { $0 < text.count ? text[$0] : lineFeed }
    }

    /// Whether the text at a version lacks the last LF of its kept sequence.
    private mutating func hidesLast(at version: Version) -> Bool {
        guard !isDeleted(at: version) else { return false }
        guard version != floor, let kept = walk?.text(at: version, in: graph) else { return floorHidesLast }
        return hidesLast(kept, at: version)
    }

    /// Appends an event to the graph and replays it.
    private mutating func walk(_ event: Event) {
        let restores = !event.isTombstone && !event.isWithdrawal && isDeleted(at: event.parents)
        let hidesLast = lastLine.hidesLast(at: event.parents, in: graph, withdrawn: withdrawnOrdinals(at: event.parents))
        let ordinal = graph.count
        graph.insert(event.dot, parents: event.parents)
        tombstones.append(event.isTombstone)
        if event.isTombstone { hasTombstone = true }
        if walk == nil {
            walk = Walk(
                text: floorText + (floorHidesLast ? [lineFeed] : []), at: floor, conflicts: floorConflicts, limits: limits)
        }
        if event.isWithdrawal {
            walk?.replay(withdrawal: event, ordinal: ordinal, in: graph)
            lastLine.record(nil, in: graph)
        } else {
            let set = walk?.replay(event, ordinal: ordinal, restores: restores, hidesLast: hidesLast, in: graph, naming: naming)
            lastLine.record(set ?? nil, in: graph)
        }
    }
}

extension [UInt8] {
    /// The bytes except the last one. `dropLast` returns an array too, but copies byte by byte.
    fileprivate var withoutLast: [UInt8] { Array(self[..<(count - 1)]) }
}
