/// Lists of edits as changes that can be put one after the other, taken back, and moved over each other.
///
/// All three are pure, and give lists that are `normalized`. If the given edits split no UTF-8 character, neither do those that
/// come out. An insertion stands at its edit's start: what an edit puts in the place of a range stands before the range.
///
/// Worked example, an undo: "one two" became "one 2 two" by `mine`, then "one 2! two" by `theirs`. What takes mine back from what
/// is there now, and leaves theirs, is `mine.inverted(in: "one two").transformed(over: theirs, inserting: .before)`: it removes
/// "2" and the space behind it, and leaves "one !two".
extension Array where Element == Edit {
    /// This change, from a to b, and then the next, from b to c, as one from a to c.
    ///
    ///     "abc" by [(1, 2, "XY")] is "aXYc"; that by [(2, 3, "Z")] is "aXZc"
    ///     [(1, 2, "XY")].composed(with: [(2, 3, "Z")]) == [(1, 2, "XZ")]
    ///
    /// What the one inserts and the next removes is in neither. Associative in its effect.
    /// - Precondition: both are well-formed, the next for the text that this one gives.
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

    /// The change back: from the text that this one gives to the base.
    ///
    ///     [(1, 2, "XY")].inverted(in: "abc") == [(1, 3, "b")]
    ///
    /// Edit by edit, so that the inverse of the inverse is this list again; unlike the others it is `normalized` only if this is.
    /// - Precondition: well-formed for the base.
    /// - Complexity: O(edits and the bytes that they remove).
    package func inverted(in base: [UInt8]) -> [Edit] {
        precondition(fault(forLength: base.count) == nil, "the edits speak about another text")
        var growth = 0
        return map { edit in
            let start = edit.start + growth
            growth += edit.growth
            return Edit(start: start, end: start + edit.replacement.count, replacement: [UInt8](base[edit.start..<edit.end]))
        }
    }

    /// This change, made on a, as one on what a concurrent change of a gave: what both remove is removed once, what either
    /// inserts is inserted, also inside what the other removes.
    ///
    ///     on "abcd", one removes "bc", the other puts X behind the b: "aXd" in the end
    ///     [(1, 3, "")].transformed(over: [(2, 2, "X")], inserting: .before) == [(1, 2, ""), (3, 4, "")]   on "abXcd"
    ///     [(2, 2, "X")].transformed(over: [(1, 3, "")], inserting: .after) == [(1, 1, "X")]               on "ad"
    ///
    /// Where both insert at one offset, all that this one inserts there stands before, or after, all that the other does. With
    /// the opposite order for the other, both ways round give the same text (TP1 of Ressel et al., CSCW 1996): one, then
    /// `other.transformed(over: one, inserting: .after)`, is other, then `one.transformed(over: other, inserting: .before)`.
    /// - Precondition: both are well-formed for the same text.
    /// - Complexity: O(edits and their bytes).
    package func transformed(over other: [Edit], inserting order: InsertionOrder) -> [Edit] {
        var writer = EditWriter()
        var (mine, theirs) = (self[...], other[...])
        var (myEnd, theirEnd) = (0, 0)
        var position = 0
        while true {
            // All insertions at this offset, then what stands between it and the next place where anything begins or ends.
            while order == .before, let edit = mine.popFirst(at: position, end: &myEnd) { writer.put(edit.replacement[...]) }
            while let edit = theirs.popFirst(at: position, end: &theirEnd) { writer.keep(edit.replacement.count) }
            while order == .after, let edit = mine.popFirst(at: position, end: &myEnd) { writer.put(edit.replacement[...]) }
            let footprints = [mine.first?.start, theirs.first?.start, myEnd, theirEnd].compactMap { $0 }
            guard let next = footprints.filter({ $0 > position }).min() else { break }
            if position >= theirEnd {
                if position < myEnd { writer.drop(next - position) } else { writer.keep(next - position) }
            }
            position = next
        }
        return writer.finish()
    }
}

/// Whose insertion stands first where two concurrent lists insert at one offset.
package enum InsertionOrder: Hashable, Sendable {
    case before, after

    package var opposite: InsertionOrder { self == .before ? .after : .before }
}

extension ArraySlice where Element == Edit {
    /// Takes the first edit, where it starts at the offset, and takes note how far the list removes.
    fileprivate mutating func popFirst(at offset: Int, end: inout Int) -> Edit? {
        guard let edit = first, edit.start == offset else { return nil }
        end = Swift.max(end, edit.end)
        return popFirst()
    }
}

/// Writes a list of edits from the start of a text to its end. What touches becomes one edit.
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

/// Reads the text that a list of edits gives, from its start: bytes of the base that are kept, and inserted ones.
private struct EditReader {
    private var edits: ArraySlice<Edit>
    /// In the base.
    private var position = 0
    /// How much of the first edit's replacement is read.
    private var read = 0

    init(_ edits: [Edit]) {
        self.edits = edits[...]
    }

    /// Passes on bytes of the text, and with them the removals that stand there.
    mutating func take(_ count: Int, into writer: inout EditWriter) {
        advance(count, into: &writer, keeps: true)
    }

    /// Removes bytes of the text: from the base, or from what was to be inserted.
    mutating func drop(_ count: Int, into writer: inout EditWriter) {
        advance(count, into: &writer, keeps: false)
    }

    /// Passes on what is left of the edits.
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
