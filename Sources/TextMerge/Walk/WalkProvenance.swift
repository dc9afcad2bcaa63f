package import Causality

/// The origin and the fate of some bytes of one edit: who inserted them, and who removed which
/// copy.
package struct ProvenancePart: Sendable {
    /// The inserters, each with the revisions that removed its copy. The inserter of the floor's
    /// text is nil.
    package let copies: [(inserter: Dot?, removers: [Dot])]
    /// The index of the edit in the first inserter's list.
    package let edit: Int
    /// The offsets of the bytes in that edit's replacement.
    package let range: Range<Int>
    /// The bytes themselves.
    package let bytes: [UInt8]
}

extension View {
    /// All bytes inserted above the floor, and those of the floor's text, in the order of the
    /// sequence. An audit compares them with the revisions.
    ///
    /// - Complexity: O(bytes ever inserted since the floor + removals).
    package var provenance: [ProvenancePart] {
        let walk = walk ?? Walk(text: text + (hidesLast ? [lineFeed] : []), at: floor, limits: WalkLimits())
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
    /// The approximate size of the view in memory, in bytes.
    ///
    /// - Complexity: O(branches), whose number is bounded.
    package var residentBytes: Int { floorText.count + 512 * graph.count + (walk?.residentBytes ?? 0) }
}

extension Walk {
    /// The approximate size of the walk in memory, in bytes, without what grows with the number of
    /// revisions.
    fileprivate var residentBytes: Int {
        let branched = branches.reduce(0) { $0 + 4 * $1.states.count + ($1.text?.count ?? 0) }
        let asked = descendants.values.reduce(conflictTexts.residentBytes) { $0 + $1.residentBytes }
        return shown.count + bytes.count + branched + asked
    }

    /// The ordinals of the revisions that removed a copy, the newest first.
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
