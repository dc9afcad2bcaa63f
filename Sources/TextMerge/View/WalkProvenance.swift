package import Causality

/// The origin and the fate of some bytes of one edit: who inserted them, and who removed which
/// copy.
package struct ProvenancePart: Sendable {
    /// The contribution of each inserter.
    package let copies: [Copy]
    /// The index of the edit in the first inserter's list.
    package let edit: Int
    /// The offsets of the bytes in that edit's replacement.
    package let range: Range<Int>
    /// The bytes themselves.
    package let bytes: [UInt8]

    /// The contribution of one inserter, and what became of it.
    package struct Copy: Sendable {
        /// The inserter; nil for the floor's text.
        package let inserter: Dot?
        /// The revisions that removed it, each with those that make this void where they count.
        package let removals: [(remover: Dot, keepers: [Dot])]

        /// Whether the newest version shows it.
        ///
        /// - Parameter withdrawn: the revisions that are withdrawn there.
        package func isShown(withdrawn: Set<Dot>) -> Bool {
            guard !(inserter.map(withdrawn.contains) ?? false) else { return false }
            return removals.allSatisfy { removal in
                withdrawn.contains(removal.remover) || !removal.keepers.allSatisfy(withdrawn.contains)
            }
        }
    }
}

extension View {
    /// All bytes inserted above the floor, and those of the floor's text, in the order of the
    /// sequence. An audit compares them with the revisions.
    ///
    /// - Complexity: O(bytes ever inserted since the floor + removals).
    package var provenance: [ProvenancePart] {
        let walk = walk ?? Walk(text: text + (hidesLast ? [lineFeed] : []), at: floor, limits: WalkLimits())
        return walk.sequence.order.flatMap { walk.sequence.blocks[$0] }.map { run in
            var copies: [ProvenancePart.Copy] = []
            var next: Int? = walk.runs[run].firstCopy
            while let copy = next {
                let inserter = walk.copies[copy].inserter
                let removals = walk.removers(of: copy).map { remover in
                    (
                        remover: graph.dots[remover],
                        keepers: walk.keepers(of: copy, in: run, against: remover).map { graph.dots[$0] }
                    )
                }
                copies.append(
                    ProvenancePart.Copy(inserter: inserter == Copy.start ? nil : graph.dots[inserter], removals: removals))
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
}
