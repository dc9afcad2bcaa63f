import Causality

/// A conflict that is unresolved at a critical version, with what a view needs in order to start there.
package struct KeptConflict: Hashable, Sendable {
    /// The conflict, with its range in the kept sequence.
    package let conflict: Conflict
    /// The bytes between the first and the last item of its members that the sequence shows and that a
    /// member or a revision in a member's past inserted: disjoint ranges, ascending. Text that was typed
    /// in the conflict's lines since is not among them. None of them meet. Empty if there are no such
    /// bytes, and for a deletion and a name.
    package let own: [Range<Int>]

    /// - Parameter own: disjoint ranges, ascending; those that meet are joined.
    package init(_ conflict: Conflict, own: [Range<Int>]) {
        self.conflict = conflict
        self.own = own.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }

    /// From the first to the last of its own bytes; nil if there are none.
    var ownRange: Range<Int>? {
        guard let first = own.first, let last = own.last else { return nil }
        return first.lowerBound..<last.upperBound
    }
}

extension KeptConflict {
    /// The conflict as it is after a revision whose writer has seen it and all else; nil if the revision
    /// resolves it.
    ///
    /// - Parameters:
    ///   - edits: the revision's edits of the kept sequence.
    ///   - restores: whether it brings back a deleted note.
    ///   - shown: the text before the revision, and its end.
    ///   - keptText: the kept sequence after it.
    func carried(
        after event: Event, kept edits: [Edit], restores: Bool, on shown: (text: [UInt8], end: KeptEdits.Base),
        keptText: [UInt8]
    ) -> KeptConflict? {
        guard !event.resolves.contains(conflict.id),
            !event.changeResolves(
                conflict.kind, restores: restores,
                shown: {
                    if event.origin == .stated, !own.isEmpty {
                        return .own(isRemoved: edits.contains { edit in own.contains { $0.overlaps(edit.start..<edit.end) } })
                    }
                    return .range(conflict.shown(in: shown.text, length: shown.text.count).range, shown.end)
                })
        else { return nil }
        switch conflict.kind {
        case .name: return self
        case .deletion: return KeptConflict(conflict.moved(to: 0..<keptText.count), own: [])
        case .text:
            let own = own.flatMap { $0.moved(by: edits) }
            if let first = own.first, let last = own.last {
                let lines = keptText.lines(around: first.lowerBound..<last.upperBound)
                return KeptConflict(conflict.moved(to: lines), own: own)
            }
            // An edit that ends where the range begins inserts lines before it.
            let growth = event.edits.reduce(0) { $1.end <= conflict.range.lowerBound ? $0 + $1.growth : $0 }
            let range = conflict.range.lowerBound + growth..<conflict.range.upperBound + growth
            return KeptConflict(conflict.moved(to: range), own: [])
        }
    }
}

extension [Edit] {
    /// Whether the edits may change what the sides of a conflict say that they leave open: one of them
    /// changes text in or beside its lines other than by typing in a line.
    ///
    /// - Parameter range: the conflict's range in the text after the edits.
    package func changeLines(of range: Range<Int>) -> Bool {
        var growth = 0
        for edit in self {
            let start = edit.start + growth
            growth += edit.growth
            guard start <= range.upperBound, start + edit.replacement.count >= range.lowerBound else { continue }
            if edit.start < edit.end || edit.replacement.contains(lineFeed) { return true }
        }
        return false
    }
}

extension Range<Int> {
    /// Where edits leave the bytes of a range, none of which they remove: one range more for each insertion
    /// inside it.
    ///
    /// - Parameter edits: well-formed edits, ascending.
    fileprivate func moved(by edits: [Edit]) -> [Range<Int>] {
        var (parts, start, growth) = ([Range<Int>](), lowerBound, 0)
        for edit in edits.prefix(while: { $0.start < upperBound }) {
            if edit.start > start {
                parts.append(start + growth..<edit.start + growth)
                start = edit.start
            }
            growth += edit.growth
        }
        return parts + [start + growth..<upperBound + growth]
    }
}

extension [UInt8] {
    /// A range, widened to whole lines: the end of an empty range or one that ends with LF stays.
    fileprivate func lines(around range: Range<Int>) -> Range<Int> {
        let start = self[..<range.lowerBound].lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
        guard range.upperBound > 0, self[range.upperBound - 1] != lineFeed else { return start..<range.upperBound }
        return start..<(self[range.upperBound...].firstIndex(of: lineFeed).map { $0 + 1 } ?? count)
    }
}
