import Algorithms
import BitCollections

/// Which edits are at a run, and which writers had it in their text.
extension Walk {
    /// The edits of concurrent revisions that enclose a run which their revision inserted or removed. An
    /// edit that encloses a run without having inserted or removed it is met at its own runs, on one side
    /// or the other.
    func candidates(at run: Int, _ position: RunSequence.Position, _ search: OverlapSearch) -> ArraySlice<Candidate> {
        if let table = search.table { return table.candidates(at: run) }
        return candidates(at: run, position, search.rivals) { search.editors.contains($0) }[...]
    }

    /// - Parameter isEditor: whether a rival matters, by its number.
    func candidates(
        at run: Int, _ position: RunSequence.Position, _ rivals: Rivals, isEditor: (Int) -> Bool
    ) -> [Candidate] {
        var result: [Candidate] = []
        func visit(_ ordinal: Int) {
            guard let number = rivals.number(of: ordinal), isEditor(number),
                let footprint = footprint(of: ordinal, around: position)
            else { return }
            result.append(Candidate(footprint: footprint, ordinal: ordinal, number: number))
        }
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            visit(copies[copy].inserter)
            for remover in removers(of: copy) { visit(remover) }
            next = copies[copy].next
        }
        return result
    }

    /// The footprint of a revision whose first and last items enclose a run; nil if there is none.
    ///
    /// Edits of one revision do not touch each other, so its footprints ascend in the sequence and
    /// binary search finds the only candidate.
    func footprint(of ordinal: Int, around run: RunSequence.Position) -> Int? {
        let own = footprints(of: ordinal)
        let found = own.partitioningIndex { position(of: last(of: footprints[$0])).run >= run }
        guard found < own.upperBound, position(of: first(of: footprints[found])).run <= run else { return nil }
        return found
    }

    /// The concurrent revisions whose writers had a run in the text that they edited, by number.
    ///
    /// A writer had a copy of the run if its inserter is in the revision's past and no remover of
    /// that copy is. Twins give a run several copies; one visible copy is enough.
    /// - Parameter butRemovers: whether to leave out the revisions that removed the run themselves.
    func readers(of run: Int, _ rivals: Rivals, butRemovers: Bool = false) -> BitSet {
        var result = BitSet()
        var next: Int? = runs[run].firstCopy
        while let copy = next {
            next = copies[copy].next
            result.formUnion(readers(of: copy, in: run, rivals, butRemovers: butRemovers))
        }
        return result
    }

    /// The concurrent revisions whose writers had one copy in the text that they edited, by number.
    func readers(of copy: Int, in run: Int, _ rivals: Rivals, butRemovers: Bool = false) -> BitSet {
        var shown = rivals.shown(copies[copy].inserter)
        for remover in removers(of: copy) {
            var gone = rivals.shown(remover)
            if let line = keptLine(of: copy, removedBy: remover) {
                if keptLines.lines[line].exceptions.isEmpty {
                    gone.subtract(rivals.shown(anyOf: keptLines.lines[line].keepers, line: line))
                } else {
                    for keeper in keepers(of: copy, in: run, against: remover) { gone.subtract(rivals.shown(keeper)) }
                }
            }
            shown.subtract(gone)
            if butRemovers, let number = rivals.number(of: remover) { shown.remove(number) }
        }
        return shown
    }
}
