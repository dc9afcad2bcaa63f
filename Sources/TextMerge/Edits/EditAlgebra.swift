/// Lists of edits as changes that can be composed, inverted, and transformed over each other.
///
/// All three operations are pure. Unless stated otherwise they return normalized lists
/// (`normalized`). If the given edits divide no UTF-8 character, the returned ones do not either.
/// The replacement of an edit counts as inserted at the edit's start, before the range that it
/// removes.
///
/// Worked example, an undo: `mine` turned "one two" into "one 2 two", and then `theirs` turned that
/// into "one 2! two". The edits that undo mine and leave theirs are `mine.inverted(in: "one
/// two").transformed(over: theirs, inserting: .before)`. They remove "2" and the space after it,
/// which leaves "one !two".
extension Array where Element == Edit {
    /// This change, from a to b, followed by the next, from b to c, as one change from a to c.
    ///
    ///     "abc" by [(1, 2, "XY")] is "aXYc"; that by [(2, 3, "Z")] is "aXZc"
    ///     [(1, 2, "XY")].composed(with: [(2, 3, "Z")]) == [(1, 2, "XZ")]
    ///
    /// Bytes that this change inserts and the next one removes are in neither result. The operation
    /// is associative in its effect.
    /// - Precondition: both lists are well-formed, the next one for the text that this one yields.
    /// - Complexity: O(edits and their bytes).
    package func composed(with next: [Edit]) -> [Edit] {
        var writer = EditWriter()
        var reader = EditReader(self)
        var passed = 0
        for edit in next {
            reader.take(edit.start - passed, into: &writer)
            reader.drop(edit.end - edit.start, into: &writer)
            writer.put(edit.replacement[...])
            passed = edit.end
        }
        reader.takeRest(into: &writer)
        return writer.finish()
    }

    /// The inverse change: from the text that this one yields back to the base.
    ///
    ///     [(1, 2, "XY")].inverted(in: "abc") == [(1, 3, "b")]
    ///
    /// Each edit is inverted by itself, so that the inverse of the inverse is the original list.
    /// The result is normalized only if this list is.
    /// - Precondition: the list is well-formed for the base.
    /// - Complexity: O(edits and the bytes that they remove).
    package func inverted(in base: [UInt8]) -> [Edit] {
        precondition(fault(forLength: base.count) == nil, "the edits fit the text")
        var growth = 0
        return map { edit in
            let start = edit.start + growth
            growth += edit.growth
            return Edit(start: start, end: start + edit.replacement.count, replacement: [UInt8](base[edit.start..<edit.end]))
        }
    }

    /// This change of a text as a change of what a concurrent change made of that text. What both
    /// remove is removed once. What either inserts is inserted, even inside a range that the other
    /// removes.
    ///
    ///     on "abcd", one removes "bc", the other inserts X after the b; both together give "aXd"
    ///     [(1, 3, "")].transformed(over: [(2, 2, "X")], inserting: .before) == [(1, 2, ""), (3, 4, "")]   on "abXcd"
    ///     [(2, 2, "X")].transformed(over: [(1, 3, "")], inserting: .after) == [(1, 1, "X")]               on "ad"
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

    /// The order that the other list must use for both ways to give the same text.
    package var opposite: InsertionOrder { self == .before ? .after : .before }
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

/// Reads the text that a list of edits yields, from its start: kept bytes of the base and inserted
/// bytes.
private struct EditReader {
    private var edits: ArraySlice<Edit>
    /// The offset in the base.
    private var position = 0
    /// The number of bytes of the first edit's replacement that are read.
    private var read = 0

    init(_ edits: [Edit]) {
        self.edits = edits[...]
    }

    /// Keeps the next bytes of the text, and passes on the removals among them.
    mutating func take(_ count: Int, into writer: inout EditWriter) {
        advance(count, into: &writer, keeps: true)
    }

    /// Removes the next bytes of the text: from the base, or from what was to be inserted.
    mutating func drop(_ count: Int, into writer: inout EditWriter) {
        advance(count, into: &writer, keeps: false)
    }

    /// Passes on the remaining edits.
    mutating func takeRest(into writer: inout EditWriter) {
        while let edit = edits.first {
            writer.keep(edit.start - position)
            position = edit.start
            writer.put(edit.replacement[read...])
            finish(edit, into: &writer)
        }
    }

    private mutating func advance(_ count: Int, into writer: inout EditWriter, keeps: Bool) {
        var rest = count
        while rest > 0 {
            if let edit = edits.first, edit.start == position {
                let part = min(rest, edit.replacement.count - read)
                if keeps { writer.put(edit.replacement[read..<read + part]) }
                read += part
                rest -= part
                if read == edit.replacement.count { finish(edit, into: &writer) }
            } else {
                let part = min(rest, (edits.first?.start ?? Int.max) - position)
                if keeps { writer.keep(part) } else { writer.drop(part) }
                position += part
                rest -= part
            }
        }
    }

    private mutating func finish(_ edit: Edit, into writer: inout EditWriter) {
        writer.drop(edit.end - edit.start)
        position = edit.end
        read = 0
        edits.removeFirst()
    }
}
