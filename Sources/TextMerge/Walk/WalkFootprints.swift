/// Footprints of edits, and the positions and bytes of items.
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
