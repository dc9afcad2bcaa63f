import Causality

/// The state of every copy in one version, and sums over it by which positions are found.
struct Branch: Sendable {
    var version: Version
    /// By copy: see `Copy`.
    var states: [UInt32] = []
    /// Visible bytes, by block.
    var visible: [Int] = [0]
    /// Runs known, that is inserted in this version, removed or not; by block.
    var known: [Int] = [0]
    /// The replayed revisions that the version has not in it, ascending.
    var unseen: [Int] = []
    /// What the version shows, whatever the tombstones say; nil where nobody has asked, and where it is long (`WalkLimits`).
    var text: [UInt8]?
    /// When it was last asked for, by `Walk.clock`.
    var lastUse = 0

    var visibleBytes: Int { visible.reduce(0, +) }

    /// - Complexity: O(unseen + moves log moves).
    mutating func noteMoves(retreated: [Int], advanced: [Int]) {
        if !advanced.isEmpty {
            let now = Set(advanced)
            unseen.removeAll { now.contains($0) }
        }
        if !retreated.isEmpty { unseen = (unseen + retreated).sorted() }
    }
}

/// What has to be taken back and done again in a branch to get to a version.
private struct Move {
    let branch: Int
    let retreated: [Int]
    let advanced: [Int]
    /// Revisions and what they did, in numbers.
    let work: Int
}

extension Walk {
    func isVisible(_ run: Int, in branch: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if branches[branch].states[copy] == Copy.inserted { return true }
            next = copies[copy].next
        }
        return false
    }

    func isKnown(_ run: Int, in branch: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if branches[branch].states[copy] != Copy.notYet { return true }
            next = copies[copy].next
        }
        return false
    }

    /// Whether the run stands in the text of everything: some inserter's copy was never removed.
    func isShown(_ run: Int) -> Bool {
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            if !copies[copy].isGone { return true }
            next = copies[copy].next
        }
        return false
    }

    /// Sets the state of a run's copy in a branch, and the sums.
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

    /// Adds a run to a branch's sums, or takes it out.
    mutating func count(_ run: Int, in branch: Int, block: Int, times: Int) {
        if isVisible(run, in: branch) { branches[branch].visible[block] += times * runs[run].length }
        if isKnown(run, in: branch) { branches[branch].known[block] += times }
    }

    /// A branch that stands at the version.
    ///
    /// One that stands there already is best. Otherwise the nearest is moved: what the version has not seen is retreated,
    /// what it has seen and the branch has not is advanced. Moving back is work that a copy of the branch would have saved,
    /// and to find the nearest as much was visited from every branch; once as much was done as a copy costs, one is made, over
    /// the branch that was asked for longest ago where there are many. So what moving back and forth costs is bounded by what
    /// copies cost, and these by what was moved.
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
        return target
    }

    /// The branch that the least has to be moved in, and what.
    ///
    /// A branch of one who has not looked for long is as far away as that is long, so no branch is searched from further than
    /// eight times as far as the nearest is.
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

    /// How many runs' states are copied in the time that finding and moving the nearest branch takes, for each revision that it is
    /// away: measured, and nothing that is shown depends on it.
    private var searchCost: Int { 64 }

    private func work(_ ordinals: [Int]) -> Int {
        ordinals.reduce(ordinals.count) { $0 + logRange($1).count }
    }

    func logRange(_ ordinal: Int) -> Range<Int> {
        logStarts[ordinal]..<(ordinal + 1 < logStarts.count ? logStarts[ordinal + 1] : log.count)
    }

    /// Copies a branch: to a new place, or over the one that was asked for longest ago.
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

    /// Does again (1) or takes back (-1) in a branch what a revision did.
    private mutating func move(_ ordinal: Int, by step: Int, in branch: Int) {
        for index in logRange(ordinal) {
            let entry = log[index]
            var fragment = fragmentIndex(of: Item(hunk: entry.hunk, offset: entry.range.lowerBound))
            while let run = self.fragment(fragment, of: entry.hunk), runs[run].offset < entry.range.upperBound {
                let copy = copy(of: entry.inserter, in: run)
                let state = branches[branch].states[copy]
                set(copy, of: run, to: step > 0 ? state + 1 : state - 1, in: branch)
                fragment += 1
            }
        }
    }

    private func copy(of inserter: Int, in run: Int) -> Int {
        var copy = runs[run].firstCopy
        while copies[copy].inserter != inserter {
            guard let next = copies[copy].next else { preconditionFailure("the log names copies that are there") }
            copy = next
        }
        return copy
    }

    /// The text of a version, whatever the tombstones say.
    ///
    /// - Complexity: that of `prepare`, and O(text) where it was asked for before and the branch has only been written on since;
    ///   otherwise O(text + runs).
    mutating func text(at version: Version, in graph: RevisionGraph) -> [UInt8] {
        let branch = prepare(version, in: graph)
        if let known = branches[branch].text { return known }
        let text = visibleText(of: branch)
        if text.count <= limits.branchText { branches[branch].text = text }
        return text
    }

    func visibleText(of branch: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(branches[branch].visibleBytes)
        for block in sequence.order where branches[branch].visible[block] > 0 {
            for run in sequence.blocks[block] where isVisible(run, in: branch) { text += content(of: run) }
        }
        return text
    }
}
