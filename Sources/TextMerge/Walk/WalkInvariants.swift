extension Walk {
    /// Traps if an invariant of the walk does not hold. For tests only.
    ///
    /// - Complexity: O(runs x branches).
    func checkInvariants() {
        checkSequence()
        checkKeptLines()
        for hunk in hunks.indices { checkHunk(hunk) }
        for branch in branches.indices {
            precondition(branches[branch].states.count == copies.count, "every copy has a state in every branch")
            if let text = branches[branch].text {
                precondition(text == visibleText(of: branch), "a branch's text is what its runs show")
            }
            for (block, members) in sequence.blocks.enumerated() {
                let visible = members.reduce(0) { isVisible($1, in: branch) ? $0 + runs[$1].length : $0 }
                precondition(branches[branch].visible[block] == visible, "a block's visible bytes are those of its runs")
                let known = members.count { isKnown($0, in: branch) }
                precondition(branches[branch].known[block] == known, "a block's known runs are counted")
            }
        }
        var all: [UInt8] = []
        for run in sequence.order.flatMap({ sequence.blocks[$0] }) where isShown(run) { all += content(of: run) }
        precondition(all == shown, "the shown text is what its runs show")
    }

    private func checkSequence() {
        let order = sequence.order.flatMap { sequence.blocks[$0] }
        precondition(order.sorted() == Array(runs.indices), "every run occurs once")
        for run in runs.indices {
            precondition(sequence.blocks[sequence.block(of: run)].contains(run), "a run is in its block")
        }
        for (rank, block) in sequence.order.enumerated() {
            precondition(sequence.ranks[block] == rank, "a block knows its position")
            precondition(sequence.blocks[block].count <= sequence.blockRunsMax, "a block is not over its limit")
            let shown = sequence.blocks[block].reduce(0) { isShown($1) ? $0 + runs[$1].length : $0 }
            precondition(shownByBlock[block] == shown, "a block's shown bytes are those of its runs")
        }
    }

    private func checkKeptLines() {
        precondition(keptLines.unsettled.isEmpty && keptLines.unsettledLines.isEmpty, "every copy is counted")
        for run in runs.indices {
            var next: Int? = runs[run].firstCopy
            while let copy = next {
                next = copies[copy].next
                guard copies[copy].lastKeep != nil else { continue }
                var void = VoidLines()
                precondition(copies[copy].hides == hides(of: copy, in: run, &void), "a copy is hidden by what counts")
                for branch in branches.indices {
                    var void = VoidLines()
                    let state = state(of: copy, in: run, branch: branch, &void)
                    precondition(branches[branch].states[copy] == state, "a state is that of the version")
                }
            }
        }
    }

    private func checkHunk(_ hunk: Int) {
        var offset = 0
        var index = 0
        while let run = fragment(index, of: hunk) {
            precondition(runs[run].hunk == hunk && runs[run].offset == offset, "a hunk's runs are in order, without gaps")
            offset += runs[run].length
            index += 1
        }
        precondition(offset == hunks[hunk].length, "a hunk's runs hold all of it")
    }
}
