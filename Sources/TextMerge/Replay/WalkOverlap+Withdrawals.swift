import BitCollections
import Causality

/// Finding pairs where revisions are withdrawn.
extension Walk {
    /// Finds the pairs of the newest revision where revisions are withdrawn.
    ///
    /// Besides the concurrent revisions, those in its past that some withdrawal names may be its
    /// rivals: where they were withdrawn in its past, they are like concurrent ones; where they
    /// were shown to its writer, they are in conflict in the versions in which they are withdrawn.
    mutating func pairWithNamed(_ newest: Int, branch: Int, unseen: [Int], in graph: RevisionGraph) {
        let hidden = BitSet(unseen)
        let named = withdrawals.namedWrites.filter { !hidden.contains($0) }
        let rivals = Rivals((unseen.filter { !facts[$0].isWithdrawal } + named).sorted(), of: graph, withdrawals)
        var (editors, found, over) = (BitSet(), BitSet(), BitSet())
        for (number, other) in rivals.ordinals.enumerated() {
            let isOver = !hidden.contains(other) && !branches[branch].withdrawn.isWithdrawn(other)
            if isOver { over.insert(number) } else { pairWhole(newest, other) }
            guard mayTouch(newest, other, isOver: isOver) else { continue }
            editors.insert(number)
            if facts[other].isFound { found.insert(number) }
        }
        pairEdits(
            OverlapSearch(newest: newest, reader: .branch(branch), editors: editors, found: found, over: over, rivals: rivals))
    }

    /// Finds the pairs of revisions that are withdrawn for the first time with all that were written on
    /// them.
    ///
    /// One undo may name thousands of revisions, so what does not depend on the one is computed once.
    ///
    /// - Complexity: O(revisions), and for each of the withdrawn ones O(revisions / 64) and that of a search
    ///   among the later ones that may touch it.
    mutating func pair(withdrawn ordinals: [Int], in graph: RevisionGraph) {
        guard let oldest = ordinals.min() else { return }
        let rivals = Rivals((oldest + 1..<graph.count).filter { !footprints(of: $0).isEmpty }, of: graph, withdrawals)
        func numbers(_ isIn: (RevisionFacts) -> Bool) -> BitSet {
            BitSet(rivals.ordinals.indices.filter { isIn(facts[rivals.ordinals[$0]]) })
        }
        let table = overlapTable(rivals)
        var pasts = CountingPasts(withdrawals)
        // Together, these two say the same as `mayTouch`.
        let (found, inLines) = (numbers(\.isFound), numbers { !$0.insertsOnlyLines })
        for ordinal in ordinals.sorted() where !footprints(of: ordinal).isEmpty {
            var writers = facts[ordinal].insertsOnlyLines ? inLines : BitSet(rivals.ordinals.indices)
            if !facts[ordinal].isFound, !hasInside(ordinal) { writers.formIntersection(found) }
            writers.formIntersection(rivals.having(ordinal))
            guard !writers.isEmpty else { continue }
            pair(
                OverlapSearch(
                    newest: ordinal, reader: .counting(pasts.revisions(countingAt: ordinal, in: graph)), editors: writers,
                    found: writers.intersection(found), rivals: rivals, table: table), table)
        }
    }

    /// What searches among some rivals meet at each run.
    ///
    /// - Complexity: that of `candidates` for every run.
    private func overlapTable(_ rivals: Rivals) -> OverlapTable {
        let met = runs.indices.map { run in
            let copy = copies[runs[run].firstCopy]
            let removal = copy.lastRemoval.map { removals[$0] }
            let isSimple = copy.next == nil && copy.lastKeep == nil && removal?.before == nil
            return (
                candidates: candidates(at: run, sequence.position(of: run), rivals) { _ in true },
                simple: isSimple ? OverlapTable.SimpleCopy(inserter: copy.inserter, remover: removal?.remover) : nil
            )
        }
        return OverlapTable(met, footprints: footprints.count)
    }

    /// Adds the pairs of one withdrawn revision that a search finds.
    private mutating func pair(_ search: OverlapSearch, _ table: OverlapTable) {
        for footprint in footprints(of: search.newest) {
            let own = footprints[footprint]
            var others = SparseSet()
            for candidate in touching(footprint, search).candidates {
                let other = footprints[candidate.footprint]
                guard areInConflict(withdrawn: own, of: search.newest, other, of: candidate.ordinal) else { continue }
                others.insert(
                    table.role(of: candidate.footprint) {
                        conflictIndex.textRole(of: ConflictIndex.Member(ordinal: candidate.ordinal, index: other.edit))
                    })
            }
            conflictIndex.add(withdrawn: ConflictIndex.Member(ordinal: search.newest, index: own.edit), with: others)
        }
    }

    /// Whether edits of a revision may be in conflict with edits of another one. The test is cheap and
    /// says no for most appended lines and typed letters.
    ///
    /// - Parameter isOver: whether the other revision was shown to the writer, so that an edit may lie
    ///   strictly inside what it inserted.
    private func mayTouch(_ writer: Int, _ other: Int, isOver: Bool) -> Bool {
        guard !footprints(of: writer).isEmpty, !footprints(of: other).isEmpty else { return false }
        guard facts[writer].isFound || facts[other].isFound || isOver && hasInside(other) else { return false }
        return !(facts[writer].insertsOnlyLines && facts[other].insertsOnlyLines)
    }

    /// Whether another edit can lie strictly inside what a revision inserted: between two bytes at least.
    private func hasInside(_ ordinal: Int) -> Bool {
        footprints[footprints(of: ordinal)].contains { $0.inserted.map { hunks[$0].length > 1 } ?? false }
    }
}
