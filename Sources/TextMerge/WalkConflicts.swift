import Causality

/// Conflicts as a version has them: which are unsettled, where they lie, who settles them, what their sides say.
extension Walk {
    /// The conflicts that are unsettled in a version, by id.
    mutating func conflicts(at version: Version, of graph: RevisionGraph, naming: ConflictNaming) -> [Conflict] {
        let branch = prepare(version, in: graph)
        var result: [Conflict] = []
        for unresolved in conflictIndex.unresolved(unseen: branches[branch].unseen) {
            let extent = extent(of: unresolved, in: graph, naming: naming)
            result.append(
                Conflict(
                    id: extent.id, kind: conflictIndex.kind(of: unresolved), sides: extent.sides,
                    range: range(of: extent, conflictIndex.kind(of: unresolved), in: branch)))
        }
        return result.sorted { $0.id < $1.id }
    }

    /// Notes what a revision settles, on the branch that stands at what its writer was shown, before it is replayed.
    mutating func settle(
        _ event: Event, ordinal: Int, restores: Bool, branch: Int, in graph: RevisionGraph, naming: ConflictNaming
    ) {
        guard !conflictIndex.isEmpty else { return }
        for unresolved in conflictIndex.unresolved(unseen: branches[branch].unseen) {
            let kind = conflictIndex.kind(of: unresolved)
            let extent = extent(of: unresolved, in: graph, naming: naming)
            let isNamed = event.resolves.contains(extent.id)
            if isNamed || event.settles(kind, restores: restores, range: { range(of: extent, kind, in: branch) }) {
                conflictIndex.settle(unresolved, by: ordinal)
                conflictTexts.forget(extent.id)
            }
        }
    }

    private mutating func extent(
        of unresolved: ConflictIndex.UnresolvedConflict, in graph: RevisionGraph, naming: ConflictNaming
    ) -> ConflictExtent {
        switch unresolved {
        case .inherited(let index): return ConflictExtent(below: conflictIndex.inherited[index].conflict)
        case .group(let group):
            let (parts, fresh) = conflictIndex.outlined(group)
            if fresh.isEmpty, parts.count == 1 { return parts[0] }
            let extent = extent(of: conflictIndex.kind(of: unresolved), parts, fresh, in: graph, naming: naming)
            conflictIndex.note(extent, of: group)
            return extent
        case .pairs(let kind, let pairs):
            return extent(of: kind, [], conflictIndex.members(of: pairs), in: graph, naming: naming)
        }
    }

    /// - Complexity: O(parts + fresh members), and what reducing their dots costs.
    private func extent(
        of kind: ConflictKind, _ parts: [ConflictExtent], _ fresh: [ConflictIndex.Member], in graph: RevisionGraph,
        naming: ConflictNaming
    ) -> ConflictExtent {
        let members = parts.flatMap(\.least) + fresh.map { ConflictMember(dot: graph.dots[$0.ordinal], index: $0.index) }
        let least = Array(members.sorted().prefix(2))
        let sides = graph.reduce(Version(parts.flatMap(\.sides) + fresh.map { graph.dots[$0.ordinal] })).dots
        let footprints = kind == .text ? fresh.map { footprint(of: $0) } : []
        let starts = parts.compactMap(\.bounds.first) + footprints.map { first(of: $0) }
        let ends = parts.compactMap(\.bounds.last) + footprints.map { last(of: $0) }
        let known = parts.first { $0.least == least }?.id
        return ConflictExtent(
            id: known ?? naming.id(kind, least: (least[0], least[1])), least: least, sides: sides,
            bounds: ConflictBounds(
                first: starts.min { position(of: $0) < position(of: $1) }, last: ends.max { position(of: $0) < position(of: $1) }),
            pasts: parts.flatMap(\.pasts) + fresh.map { graph.parents(at: $0.ordinal) })
    }

    /// Where a conflict lies in a branch's text, in whole lines.
    private func range(of extent: ConflictExtent, _ kind: ConflictKind, in branch: Int) -> Range<Int> {
        switch kind {
        case .name: return 0..<0
        case .deletion: return 0..<branches[branch].visibleBytes
        case .text: break
        }
        let bounds = extent.bounds
        let start = bounds.first.map { visibleBytes(before: position(of: $0), in: branch) } ?? 0
        let end = bounds.last.map { visibleBytes(through: $0, in: branch) } ?? 0
        // Of an empty range from below the floor only the item before is known.
        let low = bounds.isGap ? end : start
        return lineStart(before: low, in: branch)..<lineEnd(after: end, in: branch)
    }

    private func footprint(of member: ConflictIndex.Member) -> EditFootprint {
        guard let footprint = footprints(of: member.ordinal).first(where: { footprints[$0].edit == member.index }) else {
            preconditionFailure("a member is an edit that did something")
        }
        return footprints[footprint]
    }

    private func visibleBytes(through item: Item, in branch: Int) -> Int {
        let before = visibleBytes(before: position(of: item), in: branch)
        return before + (isVisible(run(holding: item), in: branch) ? 1 : 0)
    }
}

// MARK: - What the sides say

extension Walk {
    /// What the sides and the base show of a conflict's range; nil where that lies below the floor.
    ///
    /// - Parameter isDeleted: whether a version is one of a deleted note, which shows nothing.
    mutating func texts(
        of conflict: Conflict, at version: Version, in graph: RevisionGraph, naming: ConflictNaming, isDeleted: (Version) -> Bool
    ) -> ConflictTexts? {
        let branch = prepare(version, in: graph)
        var found: (unresolved: ConflictIndex.UnresolvedConflict, extent: ConflictExtent)?
        for unresolved in conflictIndex.unresolved(unseen: branches[branch].unseen) where conflictIndex.kind(of: unresolved) == conflict.kind {
            let extent = extent(of: unresolved, in: graph, naming: naming)
            if extent.id == conflict.id { found = (unresolved, extent) }
        }
        guard conflict.kind == .text, let (unresolved, extent) = found, let first = extent.bounds.first,
            let last = extent.bounds.last, !extent.least.isEmpty
        else { return nil }
        let range = range(of: extent, .text, in: branch)
        var (start, end) = (position(of: first), position(of: last))
        if visibleBytes(before: start, in: branch) > range.lowerBound {
            start = position(ofVisible: range.lowerBound, in: branch)
        }
        if visibleBytes(through: last, in: branch) < range.upperBound {
            end = position(ofVisible: range.upperBound - 1, in: branch)
        }
        let base = base(of: extent, in: graph)
        if case .group(let group) = unresolved {
            var folded = extent
            folded.pasts = [base]
            conflictIndex.note(folded, of: group)
        }
        var excerpts = conflictTexts.excerpts(of: conflict.id, from: item(at: start), through: item(at: end))
        let versions = (isDeleted(base) ? [] : [base]) + extent.sides.map { Version($0) }
        excerpts.texts = Dictionary(
            uniqueKeysWithValues: Set(versions).map { version in
                (version, excerpts.texts[version] ?? text(from: start, through: end, at: version, in: graph))
            })
        conflictTexts.keep(excerpts, of: conflict.id, bytesMax: limits.excerpts)
        return ConflictTexts(base: excerpts.texts[base] ?? [], sides: extent.sides.map { excerpts.texts[Version($0)] ?? [] })
    }

    /// What all who take part had been shown. Who joins a conflict has mostly been shown what those before had in common.
    private mutating func base(of extent: ConflictExtent, in graph: RevisionGraph) -> Version {
        var base = extent.pasts[0]
        for past in extent.pasts.dropFirst() where !covers(past, base, in: graph) { base = graph.commonPast(base, past) }
        return base
    }

    private mutating func covers(_ version: Version, _ base: Version, in graph: RevisionGraph) -> Bool {
        base.dots.allSatisfy { dot in
            // What is not above the floor is the floor's, which all but the start have seen.
            guard let ordinal = graph.ordinal(of: dot) else { return !version.isNothing }
            if descendants[ordinal] == nil, descendants.count >= limits.descendants { descendants = [:] }
            return descendants[ordinal, default: Descendants(of: ordinal)].contain(version, of: graph)
        }
    }

    private func item(at position: ItemPosition) -> Item {
        let run = runs[sequence.blocks[sequence.order[position.run.rank]][position.run.index]]
        return Item(hunk: run.hunk, offset: run.offset + position.offset)
    }

    private mutating func text(
        from start: ItemPosition, through end: ItemPosition, at version: Version, in graph: RevisionGraph
    ) -> [UInt8] {
        let branch = prepare(version, in: graph)
        var text: [UInt8] = []
        var gap = start.run
        while let run = sequence.run(at: &gap), gap <= end.run {
            if isVisible(run, in: branch) {
                let content = content(of: run)
                let from = gap == start.run ? start.offset : 0
                let through = gap == end.run ? end.offset + 1 : content.count
                if from < through { text += content.dropFirst(from).prefix(through - from) }
            }
            gap.index += 1
        }
        return text
    }

    /// - Precondition: the branch shows more bytes than that.
    private func position(ofVisible offset: Int, in branch: Int) -> ItemPosition {
        var rest = offset
        for (rank, block) in sequence.order.enumerated() {
            guard branches[branch].visible[block] > rest else {
                rest -= branches[branch].visible[block]
                continue
            }
            for (index, run) in sequence.blocks[block].enumerated() where isVisible(run, in: branch) {
                if rest < runs[run].length { return ItemPosition(run: .init(rank: rank, index: index), offset: rest) }
                rest -= runs[run].length
            }
        }
        preconditionFailure("the byte is one that the branch shows")
    }

    /// The start of the line that a gap of a branch's text lies in.
    private func lineStart(before offset: Int, in branch: Int) -> Int {
        guard offset > 0 else { return 0 }
        let end = position(ofVisible: offset - 1, in: branch)
        var gap = end.run
        gap.index += 1
        var start = offset
        var isFirst = true
        while let run = sequence.run(before: &gap) {
            guard isVisible(run, in: branch) else { continue }
            let content = isFirst ? content(of: run).prefix(end.offset + 1) : content(of: run)
            isFirst = false
            if let feed = content.lastIndex(of: lineFeed) { return start - (content.endIndex - feed - 1) }
            start -= content.count
        }
        return 0
    }

    /// The end of the line that a gap lies in; the gap itself at a line's start.
    private func lineEnd(after offset: Int, in branch: Int) -> Int {
        guard offset > 0, offset < branches[branch].visibleBytes else { return offset }
        let before = position(ofVisible: offset - 1, in: branch)
        var gap = before.run
        guard var run = sequence.run(at: &gap), content(of: run).dropFirst(before.offset).first != lineFeed else {
            return offset
        }
        var end = offset
        var rest = content(of: run).dropFirst(before.offset + 1)
        while true {
            if let feed = rest.firstIndex(of: lineFeed) { return end + (feed - rest.startIndex + 1) }
            end += rest.count
            repeat {
                gap.index += 1
                guard let next = sequence.run(at: &gap) else { return end }
                run = next
            } while !isVisible(run, in: branch)
            rest = content(of: run)
        }
    }
}

/// What those who are in conflict show of its range.
package struct ConflictTexts: Hashable, Sendable {
    /// What everybody who takes part had been shown.
    package let base: [UInt8]
    /// For each of the conflict's sides, in their order.
    package let sides: [[UInt8]]
}

extension Event {
    /// Whether the revision settles a conflict that is unsettled in what its writer was shown, other than by name.
    ///
    /// - Parameter range: where it lies in the text that the writer was shown.
    func settles(_ kind: ConflictKind, restores: Bool, range: () -> Range<Int>) -> Bool {
        let changes = edits.filter { $0.start < $0.end || !$0.replacement.isEmpty }
        switch kind {
        case .name: return name != .none
        case .deletion: return isTombstone || restores || !changes.isEmpty
        case .text:
            guard !isTombstone else { return false }
            guard !restores else { return true }
            guard !changes.isEmpty else { return false }
            let range = range()
            return changes.contains { $0.start <= range.upperBound && $0.end >= range.lowerBound }
        }
    }
}
