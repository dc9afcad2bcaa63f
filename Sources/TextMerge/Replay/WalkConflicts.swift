import BitCollections
import Causality

/// The conflicts of a version: which are unresolved, which lines they span, which revisions resolve
/// them, and the texts of their sides.
///
/// The work is divided in two. What a conflict consists of (its *extent*: id, sides, first and last
/// item) does not depend on the version, and is computed from the members and kept in the conflict
/// index. Where it lies (its *range*) is computed for each version, as the visible bytes from the
/// extent's first item through its last, widened to whole lines.
///
/// Worked example: the text is `a b c`, one letter a line. r saved `B` for `b`, and s saved `β` (2
/// bytes in UTF-8). The extent goes from the first inserted item through the LF of the removed line
/// `b`. Between these two items, r's version has `B\n` at 2..<4, s's version has `β\n` at 2..<5,
/// and the merged text has both lines at 2..<7, which is the conflict's range there.
extension Walk {
    /// The conflicts that are unresolved in a version, sorted by id.
    ///
    /// - Complexity: that of `prepare` and of `ConflictIndex.unresolved`, and for each conflict the
    ///   lines that it spans.
    mutating func conflicts(at version: Version, of graph: RevisionGraph, naming: ConflictNaming) -> [Conflict] {
        let branch = prepare(version, in: graph)
        return extents(in: branch, of: graph, naming: naming).map { kind, extent in
            conflict(kind, extent, range: range(of: extent, kind, in: branch, of: graph))
        }
    }

    /// The conflicts that are unresolved in a version, sorted by id, with the bytes that belong to each. A
    /// view that starts at the version needs these.
    ///
    /// - Complexity: that of `conflicts(at:of:naming:)`, and the runs that the conflicts span.
    mutating func keptConflicts(at version: Version, of graph: RevisionGraph, naming: ConflictNaming) -> [KeptConflict] {
        let branch = prepare(version, in: graph)
        return extents(in: branch, of: graph, naming: naming).map { kind, extent in
            let range = range(of: extent, kind, in: branch, of: graph)
            let own = kind == .text ? own(of: extent, in: branch, of: graph) : []
            return KeptConflict(conflict(kind, extent, range: range), own: own)
        }
    }

    private func conflict(_ kind: ConflictKind, _ extent: ConflictExtent, range: Range<Int>) -> Conflict {
        Conflict(id: extent.id, kind: kind, sides: extent.sides, withdrawn: extent.withdrawn, range: range)
    }

    /// The unresolved conflicts of a branch's version, by id.
    private mutating func extents(
        in branch: Int, of graph: RevisionGraph, naming: ConflictNaming
    ) -> [(kind: ConflictKind, extent: ConflictExtent)] {
        var found: [(kind: ConflictKind, extent: ConflictExtent)] = []
        for unresolved in unresolved(in: branch) {
            let extent = extent(of: unresolved, in: branch, of: graph, naming: naming)
            found.append((conflictIndex.kind(of: unresolved), extent))
        }
        return found.sorted { $0.extent.id < $1.extent.id }
    }

    /// The conflicts that are unresolved in a branch's version.
    func unresolved(in branch: Int) -> [ConflictIndex.UnresolvedConflict] {
        let unseen = branches[branch].unseen
        // A closure that reads a property of the walk copies the whole walk for each call.
        let withdrawn = branches[branch].withdrawn
        return conflictIndex.unresolved(unseen: unseen, changed: withdrawals.reach(of: unseen)) { withdrawn.isWithdrawn($0) }
    }

    /// Whether any conflict is unresolved in the newest version.
    var hasConflictNow: Bool { conflictIndex.hasUnresolved }

    /// Records which conflicts a revision resolves, before the revision is replayed.
    ///
    /// - Parameters:
    ///   - restores: whether the revision brings back a note that was deleted in its writer's
    ///     version.
    ///   - hidesLast: whether the text that the writer saw lacks the last LF of the kept sequence.
    ///   - branch: the branch that is at the version that the writer saw.
    mutating func resolve(
        _ event: Event, ordinal: Int, restores: Bool, hidesLast: Bool, branch: Int, in graph: RevisionGraph,
        naming: ConflictNaming
    ) {
        guard !conflictIndex.isEmpty else { return }
        for unresolved in unresolved(in: branch) {
            let kind = conflictIndex.kind(of: unresolved)
            let extent = extent(of: unresolved, in: branch, of: graph, naming: naming)
            let isNamed = event.resolves.contains(extent.id)
            func shown() -> ShownConflict {
                let text = KeptEdits.Base(
                    length: branches[branch].visibleBytes, endsWithLineFeed: endsWithLineFeed(branch), hidesLast: hidesLast)
                let own = ownRange(of: extent, in: branch, of: graph)
                if event.origin == .stated, !own.isEmpty {
                    let kept = KeptEdits(event, on: text) { byte(atVisible: $0, in: branch) }
                    return .own(
                        isRemoved: kept.edits.contains { hasOwn(of: extent, within: $0.start..<$0.end, in: branch, of: graph) })
                }
                let range = lines(of: own, in: branch)
                guard range.upperBound > text.shownLength else { return .range(range, text) }
                // The edits are those of the shown text.
                let end = text.shownLength
                return .range((range.lowerBound <= end ? range.lowerBound : lineStart(before: end, in: branch))..<end, text)
            }
            if isNamed || event.changeResolves(kind, restores: restores, shown: shown) {
                conflictIndex.resolve(unresolved, by: ordinal)
                conflictTexts.forget(extent.id)
            }
        }
    }

    /// The extent of a conflict; of a group, the stored one if it is still complete.
    mutating func extent(
        of unresolved: ConflictIndex.UnresolvedConflict, in branch: Int, of graph: RevisionGraph, naming: ConflictNaming
    ) -> ConflictExtent {
        switch unresolved {
        case .inherited(let index): return ConflictExtent(below: conflictIndex.inherited[index].kept)
        case .group(let group):
            let (parts, fresh) = conflictIndex.outlined(group)
            if fresh.isEmpty, parts.count == 1 { return parts[0] }
            let extent = extent(of: conflictIndex.kind(of: unresolved), parts, fresh, in: branch, of: graph, naming: naming)
            conflictIndex.note(extent, of: group)
            return extent
        case .pairs(let kind, let pairs):
            return extent(of: kind, [], conflictIndex.members(of: pairs), in: branch, of: graph, naming: naming)
        }
    }

    /// The extent that follows from known extents of parts and from further members.
    ///
    /// The parts keep enough for this: the two least members of the whole are among the two least
    /// of each part, and the extreme items are among the extreme items of the parts.
    ///
    /// The base of a conflict with a withdrawn member is what that member showed, since the other side
    /// was written on it.
    ///
    /// - Parameter branch: the branch that is at the version; the members are in the same state in the
    ///   version in which the extents of the parts were computed.
    /// - Complexity: O(parts + fresh members), and the cost of reducing their dots to the sides.
    private func extent(
        of kind: ConflictKind, _ parts: [ConflictExtent], _ fresh: [ConflictIndex.Member], in branch: Int,
        of graph: RevisionGraph, naming: ConflictNaming
    ) -> ConflictExtent {
        let members = parts.flatMap(\.least) + fresh.map { ConflictMember(dot: graph.dots[$0.ordinal], index: $0.index) }
        let least = Array(members.sorted().prefix(2))
        let footprints = kind == .text ? fresh.map { footprint(of: $0) } : []
        let starts = parts.compactMap(\.bounds.first) + footprints.map { first(of: $0) }
        let ends = parts.compactMap(\.bounds.last) + footprints.map { last(of: $0) }
        let known = parts.first { $0.least == least }?.id
        var extent = ConflictExtent(
            id: known ?? naming.id(kind, least: (least[0], least[1])), least: least, sides: [],
            bounds: ConflictBounds(
                first: starts.min { position(of: $0) < position(of: $1) }, last: ends.max { position(of: $0) < position(of: $1) }),
            pasts: parts.flatMap(\.pasts))
        let ordinals = Set(fresh.map(\.ordinal))
        if withdrawals.isEmpty {
            extent.sides = graph.reduce(Version(parts.flatMap(\.sides) + ordinals.map { graph.dots[$0] })).dots
            extent.pasts += ordinals.map { graph.parents(at: $0) }
        } else {
            let withdrawn = ordinals.filter { branches[branch].withdrawn.isWithdrawn($0) }
            extent.pasts += ordinals.map { withdrawn.contains($0) ? Version(graph.dots[$0]) : graph.parents(at: $0) }
            extent.withdrawn = Set(parts.flatMap(\.withdrawn) + withdrawn.map { graph.dots[$0] }).sorted()
            findSides(of: &extent, among: ordinals.subtracting(withdrawn).union(parts.flatMap(\.candidates)), in: graph)
        }
        return extent
    }

    /// Finds the sides of a conflict in a version in which revisions may be withdrawn.
    ///
    /// The sides are the withdrawn members, and the members that count and were not shown to another
    /// such side. (If a member was withdrawn for a while, one that was written meanwhile is its rival,
    /// even if a third member leads from one to the other.) A member that no withdrawal ever named was
    /// shown to all that have it in their past. So when further members join, such a member stays what
    /// it is if it is no side, and is no longer a candidate.
    ///
    /// - Parameter counting: the members that count, without those that are no candidates.
    private func findSides(of extent: inout ConflictExtent, among counting: Set<Int>, in graph: RevisionGraph) {
        let ordinals = counting.sorted()
        let rivals = Rivals(ordinals, of: graph, withdrawals)
        var newest = BitSet()
        // A member was shown to later ones only, so those are decided first.
        for (number, ordinal) in ordinals.enumerated().reversed() {
            if rivals.shown(ordinal).isDisjoint(with: newest) {
                newest.insert(number)
            } else if withdrawals.namers(of: ordinal).isEmpty {
                continue
            }
            extent.candidates.append(ordinal)
        }
        extent.sides = (extent.withdrawn + newest.map { graph.dots[ordinals[$0]] }).sorted()
    }

    /// The lines that a conflict spans in a branch's text, in bytes. A name has the empty range at
    /// 0, and a deletion the whole text.
    func range(
        of extent: ConflictExtent, _ kind: ConflictKind, in branch: Int, of graph: RevisionGraph
    ) -> Range<Int> {
        switch kind {
        case .name: return 0..<0
        case .deletion: return 0..<branches[branch].visibleBytes
        case .text: return lines(of: ownRange(of: extent, in: branch, of: graph), in: branch)
        }
    }

    /// A range of a branch's text, widened to whole lines.
    private func lines(of range: Range<Int>, in branch: Int) -> Range<Int> {
        lineStart(before: range.lowerBound, in: branch)..<lineEnd(after: range.upperBound, in: branch)
    }

    /// From the first to the last visible byte of a conflict of texts in a branch's text: the bytes between
    /// its bounds, without text at either end that no member's writer knew. Such text is lines that
    /// somebody added beside the open conflict, and that landed among bytes that the members removed; or
    /// it was typed in the conflict's lines.
    private func ownRange(of extent: ConflictExtent, in branch: Int, of graph: RevisionGraph) -> Range<Int> {
        let bounds = extent.bounds
        var start = bounds.first.map { visibleBytes(before: position(of: $0), in: branch) } ?? 0
        var end = bounds.last.map { visibleBytes(through: $0, in: branch) } ?? 0
        // Of an empty range from below the floor, only the item before it is known.
        if bounds.isGap { start = end }
        let known = ConflictPast(of: extent, in: graph)
        while start < end {
            let last = position(ofVisible: end - 1, in: branch)
            if isKnown(run(at: last), to: known) { break }
            end -= min(last.offset + 1, end - start)
        }
        while start < end {
            let first = position(ofVisible: start, in: branch)
            let run = run(at: first)
            if isKnown(run, to: known) { break }
            start += min(runs[run].length - first.offset, end - start)
        }
        return start..<end
    }

    /// The visible bytes of a conflict that members' writers knew (`KeptConflict.own`).
    private func own(of extent: ConflictExtent, in branch: Int, of graph: RevisionGraph) -> [Range<Int>] {
        var own: [Range<Int>] = []
        forEachRun(of: extent, in: branch, of: graph) { range in
            own.append(range)
            return true
        }
        return own
    }

    /// Whether a range of a branch's text contains bytes of a conflict that members' writers knew.
    private func hasOwn(
        of extent: ConflictExtent, within range: Range<Int>, in branch: Int, of graph: RevisionGraph
    ) -> Bool {
        var found = false
        forEachRun(of: extent, within: range, in: branch, of: graph) { _ in
            found = true
            return false
        }
        return found
    }

    /// Calls `body` with the visible bytes of each run of a conflict that a member's writer knew, in order,
    /// until it returns false.
    ///
    /// - Parameter limit: the part of the branch's text to look at; nil for all of it.
    private func forEachRun(
        of extent: ConflictExtent, within limit: Range<Int>? = nil, in branch: Int, of graph: RevisionGraph,
        _ body: (Range<Int>) -> Bool
    ) {
        let all = ownRange(of: extent, in: branch, of: graph)
        let range = limit.map(all.clamped(to:)) ?? all
        guard !range.isEmpty else { return }
        let known = ConflictPast(of: extent, in: graph)
        let first = position(ofVisible: range.lowerBound, in: branch)
        var (gap, skipped, start) = (first.run, first.offset, range.lowerBound)
        while start < range.upperBound, let run = sequence.run(at: &gap) {
            gap.index += 1
            guard isVisible(run, in: branch) else { continue }
            let end = min(start + runs[run].length - skipped, range.upperBound)
            if isKnown(run, to: known), !body(start..<end) { return }
            (start, skipped) = (end, 0)
        }
    }

    /// Whether one of some revisions inserted a run.
    private func isKnown(_ run: Int, to known: ConflictPast) -> Bool {
        if runs[run].hunk == 0, hunks[0].writer == nil { return known.contains(floorOffset: runs[run].offset) }
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if known.contains(copies[copy].inserter) { return true }
            next = copies[copy].next
        }
        return false
    }

    /// What a member did.
    private func footprint(of member: ConflictIndex.Member) -> EditFootprint {
        guard let footprint = footprints(of: member.ordinal).first(where: { footprints[$0].edit == member.index }) else {
            preconditionFailure("a member is an edit that changed something")
        }
        return footprints[footprint]
    }
}
