import Algorithms

/// The states of copies of kept lines: which removals count and are not void.
extension Walk {
    /// Whether a revision does not count in a branch's version.
    func isAbsent(_ ordinal: Int, in branch: Int) -> Bool {
        branches[branch].withdrawn.isWithdrawn(ordinal) || isUnseen(ordinal, in: branch)
    }

    private func isUnseen(_ ordinal: Int, in branch: Int) -> Bool {
        let unseen = branches[branch].unseen
        let index = unseen.partitioningIndex { $0 >= ordinal }
        return index < unseen.count && unseen[index] == ordinal
    }

    /// Whether a revision has a line edit that removes something.
    func removesLines(_ ordinal: Int) -> Bool {
        let index = keptLines.removers.partitioningIndex { $0 >= ordinal }
        return index < keptLines.removers.count && keptLines.removers[index] == ordinal
    }

    /// Whether some of the revisions may not count in a branch's version: a cheap test.
    func mayBeAbsent(_ ordinals: [Int], in branch: Int) -> Bool {
        guard let newest = ordinals.last else { return false }
        return !withdrawals.isEmpty || branches[branch].unseen.first.map { $0 <= newest } ?? false
    }

    /// Notes that the copies whose removal a revision makes void have to be counted anew.
    mutating func unsettle(keptBy keeper: Int) {
        guard let lines = keptLines.keptBy[keeper] else { return }
        keptLines.unsettledLines.formUnion(lines)
    }

    /// The runs with copies that have to be counted anew, none of which is noted any more.
    private mutating func takeUnsettled() -> Set<Int> {
        guard !keptLines.unsettled.isEmpty || !keptLines.unsettledLines.isEmpty else { return [] }
        var found = Set(keptLines.unsettled)
        for line in keptLines.unsettledLines {
            for part in keptLines.lines[line].parts { forEachRun(of: part) { found.insert($1) } }
        }
        (keptLines.unsettled, keptLines.unsettledLines) = ([], [])
        return found
    }

    /// Counts the copies anew whose states in a branch a move left undecided.
    ///
    /// - Precondition: `unseen` and `withdrawn` of the branch are those of its version.
    mutating func settle(_ branch: Int) {
        var void = VoidLines()
        for run in takeUnsettled() {
            var next: Int? = runs[run].firstCopy
            while let copy = next {
                next = copies[copy].next
                guard copies[copy].lastKeep != nil else { continue }
                set(copy, of: run, to: state(of: copy, in: run, branch: branch, &void), in: branch)
            }
        }
    }

    /// The state of a copy in a branch's version, from the revisions that count there.
    func state(of copy: Int, in run: Int, branch: Int, _ void: inout VoidLines) -> UInt32 {
        let inserter = copies[copy].inserter
        guard inserter == Copy.start || !isUnseen(inserter, in: branch) else { return Copy.notYet }
        let isWithdrawn = inserter != Copy.start && branches[branch].withdrawn.isWithdrawn(inserter)
        return Copy.inserted + (isWithdrawn ? 1 : 0)
            + UInt32(removals(of: copy, in: run, &void) { !isAbsent($0, in: branch) })
    }

    /// Counts the copies anew whose states in the merged text were left undecided.
    mutating func settleShown() {
        var void = VoidLines()
        for run in takeUnsettled() {
            let wasShown = isShown(run)
            var next: Int? = runs[run].firstCopy
            while let copy = next {
                next = copies[copy].next
                if copies[copy].lastKeep != nil { copies[copy].hides = hides(of: copy, in: run, &void) }
            }
            updateShown(run, wasShown: wasShown)
        }
    }

    /// The number of what hides a copy in the merged text, from the revisions that count there.
    func hides(of copy: Int, in run: Int, _ void: inout VoidLines) -> Int {
        let inserter = copies[copy].inserter
        let isWithdrawn = inserter != Copy.start && withdrawnNow.isWithdrawn(inserter)
        return (isWithdrawn ? 1 : 0) + removals(of: copy, in: run, &void) { !withdrawnNow.isWithdrawn($0) }
    }

    /// The number of a copy's removals that count in a version and are not void there.
    private func removals(of copy: Int, in run: Int, _ void: inout VoidLines, counts: (Int) -> Bool) -> Int {
        removers(of: copy).count { remover in
            guard counts(remover) else { return false }
            guard let line = keptLine(of: copy, removedBy: remover) else { return true }
            guard keptLines.lines[line].exceptions.isEmpty else {
                return !keepers(of: copy, in: run, against: remover).contains(where: counts)
            }
            if let known = void.known[line] { return !known }
            let isVoid = keptLines.lines[line].keepers.contains(where: counts)
            void.known[line] = isVoid
            return !isVoid
        }
    }
}

/// Which removals of lines are void in one version, as far as they were asked for.
struct VoidLines {
    fileprivate var known: [Int: Bool] = [:]
}
