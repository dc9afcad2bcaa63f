extension Array where Element == Edit {
    /// This change of a text as a change of what a concurrent change made of that text. What both
    /// remove is removed once. What either inserts is inserted, even inside a range that the other
    /// removes.
    ///
    ///     on "abcd", one removes "bc", the other inserts X after the b; both together give "aXd"
    ///     [(1, 3, "")].transformed(over: [(2, 2, "X")], inserting: .before) == [(1, 2, ""), (3, 4, "")]   on "abXcd"
    ///     [(2, 2, "X")].transformed(over: [(1, 3, "")], inserting: .after) == [(1, 1, "X")]               on "ad"
    ///
    /// The replacement of an edit counts as inserted at the edit's start, before the range that it
    /// removes. The result is normalized (`normalized`). If the given edits divide no UTF-8
    /// character, the returned ones do not either.
    ///
    /// If both insert at one offset, all that this change inserts there comes before, or after, all
    /// that the other inserts. With the opposite order for the other change, both ways give the
    /// same text (property TP1 of Ressel et al., CSCW 1996): `one` followed by
    /// `other.transformed(over: one, inserting: .after)` equals `other` followed by
    /// `one.transformed(over: other, inserting: .before)`.
    /// - Precondition: both lists are well-formed for the same text.
    /// - Complexity: O(edits and their bytes).
    package func transformed(over other: [Edit], inserting order: InsertionOrder) -> [Edit] {
        var writer = EditWriter()
        var (mine, theirs) = (self[...], other[...])
        var (myEnd, theirEnd) = (0, 0)
        var position = 0
        while true {
            // First all insertions at this offset, then the bytes up to the next offset at which an
            // edit starts or ends.
            while order == .before, let edit = mine.popFirst(at: position, end: &myEnd) { writer.put(edit.replacement[...]) }
            while let edit = theirs.popFirst(at: position, end: &theirEnd) { writer.keep(edit.replacement.count) }
            while order == .after, let edit = mine.popFirst(at: position, end: &myEnd) { writer.put(edit.replacement[...]) }
            let positions = [mine.first?.start, theirs.first?.start, myEnd, theirEnd].compactMap { $0 }
            guard let next = positions.filter({ $0 > position }).min() else { break }
            if position >= theirEnd {
                if position < myEnd { writer.drop(next - position) } else { writer.keep(next - position) }
            }
            position = next
        }
        return writer.finish()
    }
}

/// Which insertion comes first if two concurrent lists insert at one offset: `before` if this
/// list's, `after` if the other's.
package enum InsertionOrder: Hashable, Sendable {
    case before, after
}

extension ArraySlice where Element == Edit {
    /// Removes and returns the first edit if it starts at the offset, and raises `end` to the
    /// offset through which the list removes.
    fileprivate mutating func popFirst(at offset: Int, end: inout Int) -> Edit? {
        guard let edit = first, edit.start == offset else { return nil }
        end = Swift.max(end, edit.end)
        return popFirst()
    }
}

/// Builds a list of edits from the start of a text to its end. Changes that touch become one edit.
private struct EditWriter {
    private var edits: [Edit] = []
    private var position = 0
    private var removed = 0
    private var replacement: [UInt8] = []

    mutating func keep(_ count: Int) {
        guard count > 0 else { return }
        flush()
        position += count
    }

    mutating func drop(_ count: Int) { removed += count }

    mutating func put(_ bytes: ArraySlice<UInt8>) { replacement += bytes }

    mutating func finish() -> [Edit] {
        flush()
        return edits
    }

    private mutating func flush() {
        guard removed > 0 || !replacement.isEmpty else { return }
        edits.append(Edit(start: position, end: position + removed, replacement: replacement))
        position += removed
        (removed, replacement) = (0, [])
    }
}
