import Algorithms

/// Runs: looking them up, dividing them, and updating the merged text that they show.
extension Walk {
    /// The bytes of a run.
    func content(of run: Int) -> ArraySlice<UInt8> {
        let start = hunks[runs[run].hunk].start + runs[run].offset
        return bytes[start..<start + runs[run].length]
    }

    /// The run with an index in its hunk, from 0; nil past the last.
    func fragment(_ index: Int, of hunk: Int) -> Int? {
        index <= hunks[hunk].laterRuns.count ? run(index, of: hunk) : nil
    }

    /// The run with an index in its hunk, which must exist.
    private func run(_ index: Int, of hunk: Int) -> Int {
        index == 0 ? hunks[hunk].firstRun : hunks[hunk].laterRuns[index - 1]
    }

    /// The index in its hunk of the run that holds an item.
    ///
    /// - Complexity: O(log runs of the hunk).
    func fragmentIndex(of item: Item) -> Int {
        let later = hunks[item.hunk].laterRuns
        return later.partitioningIndex { runs[$0].offset > item.offset }
    }

    /// The run that holds an item.
    func run(holding item: Item) -> Int {
        run(fragmentIndex(of: item), of: item.hunk)
    }

    /// The ordinals of the revisions that removed a copy, the newest first.
    func removers(of copy: Int) -> Removers { Removers(removals: removals, link: copies[copy].lastRemoval) }

    /// Places the newest run, whose states are already set, in the sequence after another one, and
    /// updates all sums.
    mutating func place(_ run: Int, after previous: Int?) {
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

    /// Recomputes all sums of a block.
    private mutating func recount(_ block: Int) {
        shownByBlock[block] = sequence.blocks[block].reduce(0) { isShown($1) ? $0 + runs[$1].length : $0 }
        for branch in branches.indices {
            branches[branch].visible[block] = 0
            branches[branch].known[block] = 0
            for run in sequence.blocks[block] { count(run, in: branch, block: block, times: 1) }
        }
    }

    /// Divides a run after `length` bytes. The rest becomes a new run, with copies in the same
    /// states.
    ///
    /// - Precondition: `0 < length < runs[run].length`.
    /// - Complexity: O(copies of the run x branches + `limits.blockRuns`).
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
                    inserter: copies[copy].inserter, lastRemoval: copies[copy].lastRemoval, lastKeep: copies[copy].lastKeep,
                    hides: copies[copy].hides, next: next == nil ? nil : copies.count + 1))
            for branch in branches.indices { branches[branch].states.append(branches[branch].states[copy]) }
        }
        let index = fragmentIndex(of: Item(hunk: whole.hunk, offset: whole.offset))
        hunks[whole.hunk].laterRuns.insert(new, at: index)
        place(new, after: run)
    }

    /// The run that ends `count` visible bytes from the start of a branch's text, divided if
    /// necessary; nil if `count` is 0.
    ///
    /// - Precondition: the branch has that many visible bytes.
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
        preconditionFailure("an edit is within the text that its writer saw")
    }

    /// The first run at or after a gap that is visible in a branch (or, if `visible` is false,
    /// known there); nil if there is none. The gap is moved to just before it.
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

    /// The last run before another one, or before the end, that is known in a branch; nil if there is
    /// none.
    ///
    /// - Complexity: O(blocks + `limits.blockRuns`).
    func lastKnownRun(before next: Int?, in branch: Int) -> Int? {
        var gap = next.map { sequence.position(of: $0) } ?? sequence.end
        while true {
            if gap.index == 0 {
                guard gap.rank > 0 else { return nil }
                let rank = sequence.order[..<gap.rank].lastIndex { branches[branch].known[$0] > 0 }
                guard let rank else { return nil }
                gap = RunSequence.Position(rank: rank, index: sequence.blocks[sequence.order[rank]].count)
            }
            guard let run = sequence.run(before: &gap) else { return nil }
            if isKnown(run, in: branch) { return run }
        }
    }

    /// Moves a gap past the blocks without a run of the wanted kind, but not past the start of the
    /// last block.
    private func skipBlocks(from gap: inout RunSequence.Position, in branch: Int, visible: Bool) {
        while gap.rank + 1 < sequence.order.count {
            let block = sequence.order[gap.rank]
            guard (visible ? branches[branch].visible[block] : branches[branch].known[block]) == 0 else { return }
            gap.rank += 1
        }
    }

    /// The offset in the merged text at which the run's first byte is, or would be if the run were
    /// shown.
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

    /// Adds a run to the merged text, or takes it out, after its copies changed.
    mutating func updateShown(_ run: Int, wasShown: Bool) {
        guard isShown(run) != wasShown else { return }
        shownByBlock[sequence.block(of: run)] += wasShown ? -runs[run].length : runs[run].length
        if wasShown { spliceOut(run) } else { spliceIn(run) }
    }

    /// Adds a run to the merged text; its sums are already updated.
    mutating func spliceIn(_ run: Int) {
        shownChanges += 1
        guard shownChanges <= limits.splices else { return }
        let offset = shownOffset(of: run)
        shown.insert(contentsOf: content(of: run), at: offset)
    }

    /// Removes a run from the merged text; its sums are already updated.
    mutating func spliceOut(_ run: Int) {
        shownChanges += 1
        guard shownChanges <= limits.splices else { return }
        let offset = shownOffset(of: run)
        shown.removeSubrange(offset..<offset + runs[run].length)
    }

    /// Ends a replay. If more runs changed than are spliced one by one, the merged text is
    /// rebuilt.
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

/// The ordinals of the revisions that removed a copy, the newest first.
struct Removers: Sequence, IteratorProtocol {
    fileprivate let removals: [Removal]
    fileprivate var link: Int?

    mutating func next() -> Int? {
        guard let removal = link.map({ removals[$0] }) else { return nil }
        link = removal.before
        return removal.remover
    }
}
