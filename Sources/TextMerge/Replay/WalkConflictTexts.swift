import Causality

extension Walk {
    /// The text of a conflict's range at its base and at each of its sides; nil if a part of the
    /// conflict is below the floor.
    ///
    /// The range of each side is taken between the same two items, which are the conflict's bounds
    /// widened to whole lines of the version asked about. So every side's text can replace the
    /// range in that version. Each version in question is prepared, which moves a branch; the
    /// excerpts are therefore cached (`ConflictTextCache`), and the base is stored in the group's
    /// extent in place of the members' pasts.
    ///
    /// A withdrawn side shows what its parents show.
    ///
    /// - Parameter hidesLast: the value of the register of the last line at the version.
    mutating func texts(
        of conflict: Conflict, at version: Version, hidesLast: Bool, in graph: RevisionGraph, naming: ConflictNaming
    ) -> KeptConflictTexts? {
        let branch = prepare(version, in: graph)
        var found: (unresolved: ConflictIndex.UnresolvedConflict, extent: ConflictExtent)?
        for unresolved in unresolved(in: branch) where conflictIndex.kind(of: unresolved) == conflict.kind {
            let extent = extent(of: unresolved, in: branch, of: graph, naming: naming)
            if extent.id == conflict.id { found = (unresolved, extent) }
        }
        guard conflict.kind == .text, let (unresolved, extent) = found, let first = extent.bounds.first,
            let last = extent.bounds.last, !extent.least.isEmpty
        else { return nil }
        var range = range(of: extent, .text, in: branch, of: graph)
        let endsKept = range.upperBound == branches[branch].visibleBytes && endsWithLineFeed(branch)
        if hidesLast, endsKept, range.isEmpty {
            range = lineStart(before: range.lowerBound - 1, in: branch)..<range.upperBound
        }
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
        let sides = extent.sides.map { side in
            extent.withdrawn.contains(side) ? graph.parents(of: side) ?? .nothing : Version(side)
        }
        excerpts.texts = Dictionary(
            uniqueKeysWithValues: Set([base] + sides).map { version in
                (version, excerpts.texts[version] ?? text(from: start, through: end, at: version, in: graph))
            })
        conflictTexts.keep(excerpts, of: conflict.id, bytesMax: limits.excerpts)
        return KeptConflictTexts(
            base: (base, excerpts.texts[base] ?? []), sides: sides.map { ($0, excerpts.texts[$0] ?? []) }, endsKept: endsKept)
    }

    /// The common past of the members: what every writer that takes part had seen.
    ///
    /// A revision that joins a conflict has usually seen what the members before it had in common.
    /// Testing that first (`covers`) is much cheaper than computing a common past.
    private mutating func base(of extent: ConflictExtent, in graph: RevisionGraph) -> Version {
        var base = extent.pasts[0]
        for past in extent.pasts.dropFirst() where !covers(past, base, in: graph) { base = graph.commonPast(base, past) }
        return base
    }

    /// Whether a version contains a possible base.
    private mutating func covers(_ version: Version, _ base: Version, in graph: RevisionGraph) -> Bool {
        base.dots.allSatisfy { dot in
            // A dot that is not in the graph belongs to the floor, which every version but the
            // empty one covers.
            guard let ordinal = graph.ordinal(of: dot) else { return !version.isNothing }
            if descendants[ordinal] == nil, descendants.count >= limits.descendants { descendants = [:] }
            return descendants[ordinal, default: Descendants(of: ordinal)].contain(version, of: graph)
        }
    }

    /// The visible bytes of a version between two positions, both inclusive.
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
}

/// The texts of a conflict's range, from the kept sequences of the versions that take part and
/// regardless of tombstones.
struct KeptConflictTexts {
    let base: (version: Version, text: [UInt8])
    let sides: [(version: Version, text: [UInt8])]
    /// Whether the range goes to the end of the kept sequence, and that ends with LF.
    let endsKept: Bool
}

/// The texts of a conflict's range in the versions that take part.
package struct ConflictTexts: Hashable, Sendable {
    /// The text in the version that all members' writers had seen.
    package let base: [UInt8]
    /// The text of each side, in the order of `Conflict.sides`.
    package let sides: [[UInt8]]
}
