import Causality

/// The state of every copy in one version, with sums by block for finding positions.
struct Branch: Sendable {
    /// The version that the branch is at.
    var version: Version
    /// The state of each copy in the version; see `Copy`.
    var states: [UInt32] = []
    /// The visible bytes, by block.
    var visible: [Int] = [0]
    /// The number of known runs, those inserted in this version whether removed or not, by block.
    var known: [Int] = [0]
    /// The replayed revisions that are not in the version, ascending.
    var unseen: [Int] = []
    /// How many effective withdrawals in the version name each revision.
    var withdrawn = WithdrawalCounts()
    /// The version's text regardless of tombstones; nil if it was not requested or if it is
    /// longer than `WalkLimits.branchText`.
    var text: [UInt8]?
    /// The value of `Walk.clock` when the branch was last used.
    var lastUse = 0

    /// The length of the version's text, regardless of tombstones.
    var visibleBytes: Int { visible.reduce(0, +) }

    /// Updates `unseen` after a move.
    ///
    /// - Complexity: O(unseen + moves log moves).
    mutating func noteMoves(retreated: [Int], advanced: [Int]) {
        if !advanced.isEmpty {
            let now = Set(advanced)
            unseen.removeAll { now.contains($0) }
        }
        if !retreated.isEmpty { unseen = (unseen + retreated).sorted() }
    }
}

/// The revisions to retreat and to advance in a branch to bring it to another version.
private struct Move {
    let branch: Int
    let retreated: [Int]
    let advanced: [Int]
    /// The number of the revisions and of their log entries.
    let work: Int
}

extension Walk {
    /// Renames a revision of which the walk holds only the version.
    mutating func rename(_ dot: Dot, to other: Dot) {
        for index in branches.indices { branches[index].version = branches[index].version.renaming(dot, to: other) }
    }

    /// Whether a branch's version shows a run: it has a copy that no removal in the version has
    /// removed.
    func isVisible(_ run: Int, in branch: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if branches[branch].states[copy] == Copy.inserted { return true }
            next = copies[copy].next
        }
        return false
    }

    /// Whether a branch's version includes an inserter of a run, removed or not.
    func isKnown(_ run: Int, in branch: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if branches[branch].states[copy] != Copy.notYet { return true }
            next = copies[copy].next
        }
        return false
    }

    /// Whether the merged text has a run: some inserter's copy is not hidden.
    func isShown(_ run: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if !copies[copy].isHidden { return true }
            next = copies[copy].next
        }
        return false
    }

    /// Sets the state of a run's copy in a branch, and updates the sums.
    mutating func set(_ copy: Int, of run: Int, to state: UInt32, in branch: Int) {
        let block = sequence.block(of: run)
        if copies[runs[run].firstCopy].next == nil {
            let old = branches[branch].states[copy]
            branches[branch].states[copy] = state
            if old == Copy.inserted { branches[branch].visible[block] -= runs[run].length }
            if state == Copy.inserted { branches[branch].visible[block] += runs[run].length }
            if old == Copy.notYet { branches[branch].known[block] += 1 }
            if state == Copy.notYet { branches[branch].known[block] -= 1 }
        } else {
            count(run, in: branch, block: block, times: -1)
            branches[branch].states[copy] = state
            count(run, in: branch, block: block, times: 1)
        }
    }

    /// Adds a run to a branch's sums (`times` is 1), or subtracts it (-1).
    mutating func count(_ run: Int, in branch: Int, block: Int, times: Int) {
        if isVisible(run, in: branch) { branches[branch].visible[block] += times * runs[run].length }
        if isKnown(run, in: branch) { branches[branch].known[block] += times }
    }

    /// Brings a branch to a version, and returns its number.
    ///
    /// A branch that is at the version already is used as it is. Otherwise the nearest branch is
    /// moved: it *retreats* the revisions that the version does not include, the newest first, and
    /// *advances* those that only the version includes, the oldest first. The order matters: an
    /// insertion must be there before its removal is redone, and after its removal is undone.
    ///
    /// Worked example: on `ab`, A1 inserts X in the middle and B1 removes `ab`; they are
    /// concurrent. A revision with the parents {B1} must be replayed, and the nearest branch is at
    /// {A1}:
    ///
    ///     state of     a   X   b    text
    ///     at {A1}      1   1   1    aXb
    ///     retreat A1   1   0   1    ab
    ///     advance B1   2   0   2    (empty)
    ///
    /// The position of X in the sequence stays; only its state changes.
    ///
    /// Two writers who alternate would make one branch do this at every revision. So retreating is
    /// counted as debt, since a copy of the branch would have made it unnecessary. When the debt
    /// exceeds the cost of a copy, a copy is moved instead of the original. If there are
    /// `limits.branches` already, the copy replaces the least recently used one. So the cost of
    /// moving is bounded by the cost of copies, and the number of copies by the moves.
    mutating func prepare(_ version: Version, in graph: RevisionGraph) -> Int {
        clock += 1
        if let exact = branches.firstIndex(where: { $0.version == version }) {
            branches[exact].lastUse = clock
            return exact
        }
        let nearest = nearestBranch(to: version, in: graph)
        var target = nearest.branch
        if !nearest.retreated.isEmpty {
            debt += searchCost * nearest.work
            if debt > runs.count {
                debt = 0
                target = copyBranch(nearest.branch)
            }
        }
        for ordinal in nearest.retreated.reversed() { move(ordinal, by: -1, in: target) }
        for ordinal in nearest.advanced { move(ordinal, by: 1, in: target) }
        branches[target].version = version
        branches[target].text = nil
        branches[target].lastUse = clock
        branches[target].noteMoves(retreated: nearest.retreated, advanced: nearest.advanced)
        settle(target)
        return target
    }

    /// The branch from which the least work leads to a version.
    ///
    /// A branch that was not used for a long time may be far away, and finding out how far takes as
    /// many visits as there are revisions in between. So the search gives up on a branch after 64
    /// visits, or as many as the nearest branch found so far needs work. If no branch is near
    /// enough, it starts again with eight times as many visits.
    private func nearestBranch(to version: Version, in graph: RevisionGraph) -> Move {
        let order = branches.indices.sorted { branches[$0].lastUse > branches[$1].lastUse }
        var visitsMax = 64
        while true {
            var nearest: Move?
            for branch in order {
                let limit = min(visitsMax, nearest?.work ?? .max)
                let found = graph.difference(branches[branch].version, version, visitsMax: limit)
                guard let (retreated, advanced) = found else { continue }
                let work = work(retreated) + work(advanced)
                if work < nearest?.work ?? .max {
                    nearest = Move(branch: branch, retreated: retreated, advanced: advanced, work: work)
                }
            }
            if let nearest { return nearest }
            visitsMax *= 8
        }
    }

    /// The number of runs whose states can be copied in the time that it takes to find and move the
    /// nearest branch by one unit of work. A measured value; no result depends on it.
    private var searchCost: Int { 64 }

    /// The work of moving a branch by some revisions: their number, that of their log entries, and
    /// that of the log entries of what they withdraw.
    private func work(_ ordinals: [Int]) -> Int {
        ordinals.reduce(ordinals.count) { work, ordinal in
            withdrawals.named(by: ordinal).reduce(work + logRange(ordinal).count) { $0 + 1 + logRange($1).count }
        }
    }

    /// The entries of a revision in `log`.
    func logRange(_ ordinal: Int) -> Range<Int> {
        logStarts[ordinal]..<(ordinal + 1 < logStarts.count ? logStarts[ordinal + 1] : log.count)
    }

    /// Copies a branch, to a new place or over the least recently used other one, and returns the
    /// copy's number.
    private mutating func copyBranch(_ branch: Int) -> Int {
        guard branches.count >= limits.branches else {
            branches.append(branches[branch])
            return branches.count - 1
        }
        var oldest = branch == 0 ? 1 : 0
        for other in branches.indices where other != branch && branches[other].lastUse < branches[oldest].lastUse {
            oldest = other
        }
        branches[oldest] = branches[branch]
        return oldest
    }

    /// Advances (`step` is 1) or retreats (-1) one revision in a branch.
    ///
    /// Each log entry names an inserter's copy of a part of a hunk. Inserting or removing raises
    /// the state of the copy by one (`notYet`, `inserted`, removed once, removed twice), so
    /// advancing adds 1 to it and retreating subtracts 1. Copies of which a removal may be void are
    /// counted anew afterwards (`settle`).
    ///
    /// A withdrawal has no log entries of its own. Advancing it hides what the writes that it
    /// withdraws inserted, which adds 1 to the copies, and undoes their removals, which subtracts
    /// 1. While a write is moved, no withdrawal in the branch names it: withdrawals are moved
    /// before it when retreating, and after it when advancing.
    ///
    /// Worked example: A1 and B1 both remove b. In a version with both, the state of b is 3.
    /// Retreating B1 makes it 2: b is still removed, by A1. Withdrawing B1 does the same.
    private mutating func move(_ ordinal: Int, by step: Int, in branch: Int) {
        guard withdrawals.isEmpty || !withdrawals.isWithdrawal(ordinal) else {
            return moveWithdrawal(ordinal, by: step, in: branch)
        }
        forEachCopy(of: ordinal) { walk, run, copy, _ in
            guard walk.copies[copy].lastKeep == nil else { return walk.keptLines.unsettled.append(run) }
            let state = walk.branches[branch].states[copy]
            walk.set(copy, of: run, to: step > 0 ? state + 1 : state - 1, in: branch)
        }
        unsettle(keptBy: ordinal)
    }

    /// Makes a withdrawal effective in a branch (`step` is 1), or not (-1).
    mutating func moveWithdrawal(_ ordinal: Int, by step: Int, in branch: Int) {
        for (write, counts) in branches[branch].withdrawn.move(ordinal, by: step, withdrawals) {
            unsettle(keptBy: write)
            forEachCopy(of: write) { walk, run, copy, isInserted in
                guard walk.copies[copy].lastKeep == nil else { return walk.keptLines.unsettled.append(run) }
                let state = walk.branches[branch].states[copy]
                walk.set(copy, of: run, to: counts == isInserted ? state - 1 : state + 1, in: branch)
            }
        }
    }

    /// Visits the copies that a write inserted or removed.
    private mutating func forEachCopy(of ordinal: Int, _ body: (inout Walk, _ run: Int, _ copy: Int, _ isInserted: Bool) -> Void)
    {
        for index in logRange(ordinal) {
            let entry = log[index]
            forEachRun(of: HunkPart(hunk: entry.hunk, range: entry.range)) { walk, run in
                body(&walk, run, walk.copy(of: entry.inserter, in: run), entry.inserter == ordinal)
            }
        }
    }

    /// Visits the runs that now make up a part of a hunk whose bounds are bounds of runs; they may have
    /// been divided since the part was noted.
    mutating func forEachRun(of part: HunkPart, _ body: (inout Walk, _ run: Int) -> Void) {
        var fragment = fragmentIndex(of: Item(hunk: part.hunk, offset: part.range.lowerBound))
        while let run = self.fragment(fragment, of: part.hunk), runs[run].offset < part.range.upperBound {
            body(&self, run)
            fragment += 1
        }
    }

    /// Makes a withdrawal effective in the merged text and in the conflicts of the newest version.
    mutating func withdrawShown(_ ordinal: Int) {
        let changes = withdrawnNow.move(ordinal, by: 1, withdrawals)
        conflictIndex.change(changes)
        defer { settleShown() }
        for (write, counts) in changes {
            unsettle(keptBy: write)
            forEachCopy(of: write) { walk, run, copy, isInserted in
                guard walk.copies[copy].lastKeep == nil else { return walk.keptLines.unsettled.append(run) }
                let wasShown = walk.isShown(run)
                walk.copies[copy].hides += counts == isInserted ? -1 : 1
                walk.updateShown(run, wasShown: wasShown)
            }
        }
    }

    /// The copy of a run that an inserter contributed.
    private func copy(of inserter: Int, in run: Int) -> Int {
        var copy = runs[run].firstCopy
        while copies[copy].inserter != inserter {
            guard let next = copies[copy].next else { preconditionFailure("the log names existing copies") }
            copy = next
        }
        return copy
    }

    /// The text of a version, regardless of tombstones.
    ///
    /// - Complexity: that of `prepare`; in addition O(text) if the branch has kept its text,
    ///   otherwise O(text + runs).
    mutating func text(at version: Version, in graph: RevisionGraph) -> [UInt8] {
        let branch = prepare(version, in: graph)
        if let known = branches[branch].text { return known }
        let text = visibleText(of: branch)
        if text.count <= limits.branchText { branches[branch].text = text }
        return text
    }

    /// The text of a branch's version, built from its runs.
    ///
    /// - Complexity: O(text + runs).
    func visibleText(of branch: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(branches[branch].visibleBytes)
        for block in sequence.order where branches[branch].visible[block] > 0 {
            for run in sequence.blocks[block] where isVisible(run, in: branch) { text += content(of: run) }
        }
        return text
    }
}
