import Causality

/// What one edit of a revision did, as items: `own` in
/// `docs/decisions/0012-definition-of-a-conflict.md`.
///
/// The first item starts a run and the last item ends one: runs are divided there when the
/// footprint is made, and runs are never joined.
struct EditFootprint: Sendable {
    /// The index of the edit in the revision's list of kept edits (`KeptEdits`).
    let edit: Int
    /// The hunk that its replacement became (a twin's if it joined one); nil if it only removes.
    var inserted: Int?
    /// The start of its part of `Walk.removedParts`, whose entries are in the order of the
    /// sequence.
    let removedStart: Int
    /// The end of its part of `Walk.removedParts`.
    var removedEnd: Int
    /// Whether it counts as the lines that contain it: a stated edit that is not of whole lines.
    var isWidened = false
    /// Whether it keeps the lines that it touches: an edit within lines that inserts something or removes
    /// an LF (`KeptLines`).
    var keepsLines = false
    /// Whether it only inserts, and only whole lines.
    var insertsLines = false

    init(edit: Int, removedStart: Int) {
        self.edit = edit
        self.removedStart = removedStart
        removedEnd = removedStart
    }

    /// Its part of `Walk.removedParts`.
    var removed: Range<Int> { removedStart..<removedEnd }
}

/// A part of a hunk.
struct HunkPart: Hashable, Sendable {
    let hunk: Int
    var range: Range<Int>

    /// Whether the other part follows this one in the same hunk without a gap.
    func joins(_ other: HunkPart) -> Bool { hunk == other.hunk && range.upperBound == other.range.lowerBound }
}

/// The properties of a revision that conflict detection needs.
struct RevisionFacts: Sendable {
    /// Whether its edits were found by the line diff.
    let isFound: Bool
    let isTombstone: Bool
    let name: NameChange
    /// Whether it withdraws others. Such a revision is in no conflict.
    let isWithdrawal: Bool
    /// Whether it cannot be in conflict with another plain revision: its edits are stated, and it
    /// neither deletes nor renames the note; or it is a withdrawal.
    let isPlain: Bool
    /// Whether each of its edits only inserts whole lines. Two such revisions have no edits in conflict.
    var insertsOnlyLines = false

    init(_ event: Event) {
        isFound = event.origin == .found
        isTombstone = event.isTombstone
        name = event.name
        isWithdrawal = event.isWithdrawal
        isPlain = isWithdrawal || !isFound && !isTombstone && name == .none
    }
}

/// The position of an item among all items.
struct ItemPosition: Comparable {
    /// The position of the item's run.
    let run: RunSequence.Position
    /// The offset of the item in its run.
    let offset: Int

    static func < (left: ItemPosition, right: ItemPosition) -> Bool {
        left.run == right.run ? left.offset < right.offset : left.run < right.run
    }
}

extension Walk {
    /// The indexes of a revision's footprints.
    func footprints(of ordinal: Int) -> Range<Int> {
        placeStarts[ordinal]..<(ordinal + 1 < placeStarts.count ? placeStarts[ordinal + 1] : footprints.count)
    }

    /// The first item of a footprint. The inserted bytes come before the removed ones: their right
    /// origin is the first of these, or something before it.
    func first(of footprint: EditFootprint) -> Item {
        if let hunk = footprint.inserted { return Item(hunk: hunk, offset: 0) }
        let part = removedParts[footprint.removedStart]
        return Item(hunk: part.hunk, offset: part.range.lowerBound)
    }

    /// The last item of a footprint.
    func last(of footprint: EditFootprint) -> Item {
        guard footprint.removed.isEmpty else {
            let part = removedParts[footprint.removedEnd - 1]
            return Item(hunk: part.hunk, offset: part.range.upperBound - 1)
        }
        guard let hunk = footprint.inserted else { preconditionFailure("a place has an item") }
        return Item(hunk: hunk, offset: hunks[hunk].length - 1)
    }

    /// The position of an item.
    ///
    /// - Complexity: O(`limits.blockRuns` + log runs of the hunk).
    func position(of item: Item) -> ItemPosition {
        let run = run(holding: item)
        return ItemPosition(run: sequence.position(of: run), offset: item.offset - runs[run].offset)
    }

    /// The run at a position.
    func run(at position: ItemPosition) -> Int {
        sequence.blocks[sequence.order[position.run.rank]][position.run.index]
    }

    /// The item at a position.
    func item(at position: ItemPosition) -> Item {
        let run = runs[run(at: position)]
        return Item(hunk: run.hunk, offset: run.offset + position.offset)
    }

    /// The position of a visible byte of a branch.
    ///
    /// - Precondition: the branch has more than `offset` visible bytes.
    func position(ofVisible offset: Int, in branch: Int) -> ItemPosition {
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

    /// The byte at an offset of a branch's visible bytes.
    ///
    /// - Complexity: O(blocks + `limits.blockRuns`).
    func byte(atVisible offset: Int, in branch: Int) -> UInt8 { byte(of: item(at: position(ofVisible: offset, in: branch))) }

    /// The bytes of a part of a hunk.
    func bytes(of part: HunkPart) -> ArraySlice<UInt8> {
        let start = hunks[part.hunk].start
        return bytes[start + part.range.lowerBound..<start + part.range.upperBound]
    }

    /// The byte that an item is.
    func byte(of item: Item) -> UInt8 { bytes[hunks[item.hunk].start + item.offset] }

    /// The visible bytes of a branch before a position.
    ///
    /// - Complexity: O(blocks + `limits.blockRuns`).
    func visibleBytes(before position: ItemPosition, in branch: Int) -> Int {
        var count = 0
        for block in sequence.order.prefix(position.run.rank) { count += branches[branch].visible[block] }
        let members = sequence.blocks[sequence.order[position.run.rank]]
        for run in members.prefix(position.run.index) where isVisible(run, in: branch) { count += runs[run].length }
        if position.run.index < members.count, isVisible(members[position.run.index], in: branch) { count += position.offset }
        return count
    }
}
