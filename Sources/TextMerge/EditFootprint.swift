import Causality

/// What one edit of a revision did, by its items: `own` in `docs/decisions/0012-definition-of-a-conflict.md`.
///
/// Its first item starts a run and its last one ends a run: runs are divided there when they are made, and never joined.
struct EditFootprint: Sendable {
    /// Which of the revision's edits.
    let edit: Int
    /// The hunk that its replacement became, which a twin may have made; nil where it only removes.
    var inserted: Int?
    /// Its part of `Walk.removedParts`, in the order of the sequence.
    let removedStart: Int
    var removedEnd: Int
    /// Whether it counts as the lines that it lies in.
    var isWidened = false
    /// Whether it only inserts, and whole lines.
    var insertsLines = false
    /// Whether it only appends, to an unterminated last line, what begins with LF and does not end with one.
    var insertsTail = false

    init(edit: Int, removedStart: Int) {
        self.edit = edit
        self.removedStart = removedStart
        removedEnd = removedStart
    }

    var removed: Range<Int> { removedStart..<removedEnd }
}

/// A part of a hunk.
struct HunkPart: Hashable, Sendable {
    let hunk: Int
    var range: Range<Int>

    /// Whether the other follows without a gap.
    func joins(_ other: HunkPart) -> Bool { hunk == other.hunk && range.upperBound == other.range.lowerBound }
}

/// What a revision is, as far as conflicts ask.
struct RevisionFacts: Sendable {
    let isFound: Bool
    let isTombstone: Bool
    let name: NameChange
    /// Whether it is in conflict with none of its like.
    let isPlain: Bool

    init(_ event: Event) {
        isFound = event.origin == .found
        isTombstone = event.isTombstone
        name = event.name
        isPlain = !isFound && !isTombstone && name == .none
    }
}

/// Where an item stands among all.
struct ItemPosition: Comparable {
    let run: RunSequence.Position
    let offset: Int

    static func < (left: ItemPosition, right: ItemPosition) -> Bool {
        left.run == right.run ? left.offset < right.offset : left.run < right.run
    }
}

extension Walk {
    func footprints(of ordinal: Int) -> Range<Int> {
        placeStarts[ordinal]..<(ordinal + 1 < placeStarts.count ? placeStarts[ordinal + 1] : footprints.count)
    }

    /// What was inserted stands before what was removed: its right origin is that, or something before it.
    func first(of footprint: EditFootprint) -> Item {
        if let hunk = footprint.inserted { return Item(hunk: hunk, offset: 0) }
        let part = removedParts[footprint.removedStart]
        return Item(hunk: part.hunk, offset: part.range.lowerBound)
    }

    func last(of footprint: EditFootprint) -> Item {
        guard footprint.removed.isEmpty else {
            let part = removedParts[footprint.removedEnd - 1]
            return Item(hunk: part.hunk, offset: part.range.upperBound - 1)
        }
        guard let hunk = footprint.inserted else { preconditionFailure("a place is made of something") }
        return Item(hunk: hunk, offset: hunks[hunk].length - 1)
    }

    /// - Complexity: O(`limits.blockRuns` + log runs of the hunk).
    func position(of item: Item) -> ItemPosition {
        let run = run(holding: item)
        return ItemPosition(run: sequence.position(of: run), offset: item.offset - runs[run].offset)
    }

    func byte(of item: Item) -> UInt8 { bytes[hunks[item.hunk].start + item.offset] }

    /// Visible bytes of a branch before a place in the sequence.
    func visibleBytes(before position: ItemPosition, in branch: Int) -> Int {
        var count = 0
        for block in sequence.order.prefix(position.run.rank) { count += branches[branch].visible[block] }
        let members = sequence.blocks[sequence.order[position.run.rank]]
        for run in members.prefix(position.run.index) where isVisible(run, in: branch) { count += runs[run].length }
        if position.run.index < members.count, isVisible(members[position.run.index], in: branch) { count += position.offset }
        return count
    }
}
