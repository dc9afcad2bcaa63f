package import Causality

/// What became of bytes that one edit put in: shown, or removed by whom.
package struct ProvenancePart: Sendable {
    /// Who put them in, each with who removed that copy; none for the text at the floor.
    package let copies: [(inserter: Dot?, removers: [Dot])]
    /// Which of the first inserter's edits; the bytes' place in what it put in.
    package let edit: Int
    package let range: Range<Int>
    package let bytes: [UInt8]
}

extension View {
    /// All bytes that were put in above the floor, and those of the floor's text, in the order in which they stand: what an audit
    /// compares with the revisions.
    ///
    /// - Complexity: O(bytes ever put in since the floor + removals).
    package var provenance: [ProvenancePart] {
        let walk = walk ?? Walk(text: text, at: floor, limits: WalkLimits())
        return walk.sequence.order.flatMap { walk.sequence.blocks[$0] }.map { run in
            var copies: [(inserter: Dot?, removers: [Dot])] = []
            var next: Int? = walk.runs[run].firstCopy
            while let copy = next {
                let inserter = walk.copies[copy].inserter
                copies.append(
                    (inserter == Copy.start ? nil : graph.dots[inserter], walk.removers(of: copy).map { graph.dots[$0] }))
                next = walk.copies[copy].next
            }
            let offset = walk.runs[run].offset
            return ProvenancePart(
                copies: copies, edit: walk.hunks[walk.runs[run].hunk].edit, range: offset..<offset + walk.runs[run].length,
                bytes: Array(walk.content(of: run)))
        }
    }
}

extension View {
    /// About what the view takes in memory, in bytes.
    ///
    /// - Complexity: O(branches), of which there is a bounded number.
    package var residentBytes: Int { text.count + 512 * graph.count + (walk?.residentBytes ?? 0) }
}

extension Walk {
    /// About what it takes in memory, in bytes, beside what grows with the revisions alone.
    fileprivate var residentBytes: Int {
        let branched = branches.reduce(0) { $0 + 4 * $1.states.count + ($1.text?.count ?? 0) }
        let asked = descendants.values.reduce(conflictTexts.residentBytes) { $0 + $1.residentBytes }
        return shown.count + bytes.count + branched + asked
    }

    fileprivate func removers(of copy: Int) -> [Int] {
        var removers: [Int] = []
        var link = copies[copy].lastRemoval
        while let removal = link {
            removers.append(removals[removal].remover)
            link = removals[removal].before
        }
        return removers
    }
}
