/// Runs: where they stand, how they are divided, and the text that they show.
extension Walk {
    func content(of run: Int) -> ArraySlice<UInt8> {
        let start = hunks[runs[run].hunk].start + runs[run].offset
        return bytes[start..<start + runs[run].length]
    }

    /// The n-th run of a hunk, from its start; nil past the last.
    func fragment(_ index: Int, of hunk: Int) -> Int? {
        index <= hunks[hunk].laterRuns.count ? run(index, of: hunk) : nil
    }

    private func run(_ index: Int, of hunk: Int) -> Int {
        index == 0 ? hunks[hunk].firstRun : hunks[hunk].laterRuns[index - 1]
    }

    /// Which of its hunk's runs holds the item.
    ///
    /// - Complexity: O(log runs of the hunk).
    func fragmentIndex(of item: Item) -> Int {
        let later = hunks[item.hunk].laterRuns
        var (low, high) = (0, later.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[later[middle]].offset <= item.offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func run(holding item: Item) -> Int {
        run(fragmentIndex(of: item), of: item.hunk)
    }

    /// Puts the newest run, whose states are set, into the sequence and into all sums.
    mutating func footprint(_ run: Int, after previous: Int?) {
        if let (from, to) = sequence.insert(run, after: previous) {
            shownByBlock.append(0)
            for branch in branches.indices {
                branches[branch].visible.append(0)
                branches[branch].known.append(0)
            }
            recount(from)
            recount(to)
        } else {
            let block = sequence.block(of: run)
            if isShown(run) { shownByBlock[block] += runs[run].length }
            for branch in branches.indices { count(run, in: branch, block: block, times: 1) }
        }
    }

    private mutating func recount(_ block: Int) {
        shownByBlock[block] = sequence.blocks[block].reduce(0) { isShown($1) ? $0 + runs[$1].length : $0 }
        for branch in branches.indices {
            branches[branch].visible[block] = 0
            branches[branch].known[block] = 0
            for run in sequence.blocks[block] { count(run, in: branch, block: block, times: 1) }
        }
    }

    /// Divides a run after some of its bytes; the part behind becomes a run of its own, with copies in the same states.
    ///
    /// - Precondition: `0 < length < runs[run].length`.
    mutating func divide(_ run: Int, at length: Int) {
        let new = runs.count
        let whole = runs[run]
        let block = sequence.block(of: run)
        if isShown(run) { shownByBlock[block] -= whole.length - length }
        for branch in branches.indices where isVisible(run, in: branch) {
            branches[branch].visible[block] -= whole.length - length
        }
        runs[run].length = length
        runs.append(Run(hunk: whole.hunk, offset: whole.offset + length, length: whole.length - length, firstCopy: copies.count))
        var next: Int? = whole.firstCopy
        while let copy = next {
            next = copies[copy].next
            copies.append(
                Copy(
                    inserter: copies[copy].inserter, lastRemoval: copies[copy].lastRemoval,
                    next: next == nil ? nil : copies.count + 1))
            for branch in branches.indices { branches[branch].states.append(branches[branch].states[copy]) }
        }
        let index = fragmentIndex(of: Item(hunk: whole.hunk, offset: whole.offset))
        hunks[whole.hunk].laterRuns.insert(new, at: index)
        footprint(new, after: run)
    }

    /// The run that ends `count` visible bytes from the start, divided to end there; nil for none.
    ///
    /// - Precondition: the branch shows that many.
    /// - Complexity: O(blocks + `limits.blockRuns`).
    mutating func run(endingAfter count: Int, in branch: Int) -> Int? {
        guard count > 0 else { return nil }
        var rest = count
        for block in sequence.order {
            let visible = branches[branch].visible[block]
            guard visible >= rest else {
                rest -= visible
                continue
            }
            for run in sequence.blocks[block] where isVisible(run, in: branch) {
                let length = runs[run].length
                if length > rest { divide(run, at: rest) }
                if length >= rest { return run }
                rest -= length
            }
        }
        preconditionFailure("an edit lies in the text that its writer was shown")
    }

    /// The first run from a gap on that has visible bytes or, otherwise, is known; the gap is moved before it.
    ///
    /// - Complexity: O(blocks + `limits.blockRuns`).
    func firstRun(from gap: inout RunSequence.Position, in branch: Int, visible: Bool) -> Int? {
        while true {
            if gap.index == 0 {
                skipBlocks(from: &gap, in: branch, visible: visible)
            }
            guard let run = sequence.run(at: &gap) else { return nil }
            if visible ? isVisible(run, in: branch) : isKnown(run, in: branch) { return run }
            gap.index += 1
            if gap.index >= sequence.blocks[sequence.order[gap.rank]].count, gap.rank + 1 < sequence.order.count {
                gap = RunSequence.Position(rank: gap.rank + 1, index: 0)
            }
        }
    }

    /// Skips blocks that hold nothing that is looked for; stays before the last.
    private func skipBlocks(from gap: inout RunSequence.Position, in branch: Int, visible: Bool) {
        while gap.rank + 1 < sequence.order.count {
            let block = sequence.order[gap.rank]
            guard (visible ? branches[branch].visible[block] : branches[branch].known[block]) == 0 else { return }
            gap.rank += 1
        }
    }

    /// Where in the shown text the run's first byte stands, or would.
    private func shownOffset(of run: Int) -> Int {
        let block = sequence.block(of: run)
        var offset = 0
        for other in sequence.order.prefix(sequence.ranks[block]) { offset += shownByBlock[other] }
        for other in sequence.blocks[block] {
            if other == run { break }
            if isShown(other) { offset += runs[other].length }
        }
        return offset
    }

    /// Takes note that a run came into the shown text; its sums are not touched.
    mutating func spliceIn(_ run: Int) {
        shownChanges += 1
        guard shownChanges <= limits.splices else { return }
        let offset = shownOffset(of: run)
        shown.insert(contentsOf: content(of: run), at: offset)
    }

    /// Takes note that a run went out of the shown text.
    mutating func spliceOut(_ run: Int) {
        shownChanges += 1
        guard shownChanges <= limits.splices else { return }
        let offset = shownOffset(of: run)
        shown.removeSubrange(offset..<offset + runs[run].length)
    }

    /// Ends a replay: where many runs changed, the shown text is written anew.
    mutating func finishShown() {
        if shownChanges > limits.splices {
            shown = []
            for block in sequence.order where shownByBlock[block] > 0 {
                for run in sequence.blocks[block] where isShown(run) { shown += content(of: run) }
            }
        }
        shownChanges = 0
    }
}
