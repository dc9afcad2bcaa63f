package import Causality
package import TextMerge

/// A conflict as a note's state tells it, without what its sides say.
package struct OpenConflict: Hashable, Sendable {
    package let id: ConflictID
    package let kind: ConflictKind
    /// The newest dot of each branch that takes part; sorted, at least two.
    package let sides: [Dot]
    /// The lines that it spans in the shown text; nothing at its start for a name, all of it for a deletion.
    package let start: TextPosition
    package let end: TextPosition

    package init(id: ConflictID, kind: ConflictKind, sides: [Dot], start: TextPosition, end: TextPosition) {
        self.id = id
        self.kind = kind
        self.sides = sides
        self.start = start
        self.end = end
    }
}

/// A place in a text, as every client counts: lists tell places without having the text at hand.
package struct TextPosition: Hashable, Sendable {
    package let utf8: Int
    package let utf16: Int
    package let utf32: Int

    package init(utf8: Int, utf16: Int, utf32: Int) {
        self.utf8 = utf8
        self.utf16 = utf16
        self.utf32 = utf32
    }

    package subscript(encoding: PositionEncoding) -> Int {
        switch encoding {
        case .utf8: utf8
        case .utf16: utf16
        case .utf32: utf32
        }
    }
}

/// A conflict with what its sides say, for whoever is to settle it.
package struct ConflictDetail: Hashable, Sendable {
    package let conflict: OpenConflict
    /// What all sides started from: of a text the region's lines, of a name the name; nil for a deletion.
    package let base: ConflictContent?
    /// One for each of `conflict.sides`, in that order.
    package let sides: [ConflictSide]

    package init(conflict: OpenConflict, base: ConflictContent?, sides: [ConflictSide]) {
        self.conflict = conflict
        self.base = base
        self.sides = sides
    }
}

package struct ConflictSide: Hashable, Sendable {
    package let dot: Dot
    package let author: Author
    package let modified: Timestamp
    package let content: ConflictContent

    package init(dot: Dot, author: Author, modified: Timestamp, content: ConflictContent) {
        self.dot = dot
        self.author = author
        self.modified = modified
        self.content = content
    }
}

package enum ConflictContent: Hashable, Sendable {
    /// The region's lines; the whole text where the other side deleted the note.
    case text([UInt8])
    case name(NoteName?)
    case deleted
}

extension OpenConflict {
    /// Conflicts with their places in the text that they are open in.
    ///
    /// - Complexity: O(text) where there are any.
    static func all(_ conflicts: [Conflict], in text: [UInt8]) -> [OpenConflict] {
        guard !conflicts.isEmpty else { return [] }
        let offsets = Set(conflicts.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()
        let places = Dictionary(uniqueKeysWithValues: zip(offsets, Positions.places(ofBytes: offsets, in: text)))
        func place(_ offset: Int) -> TextPosition { places[offset] ?? TextPosition(utf8: offset, utf16: 0, utf32: 0) }
        return conflicts.map { conflict in
            OpenConflict(
                id: conflict.id, kind: conflict.kind, sides: conflict.sides, start: place(conflict.range.lowerBound),
                end: place(conflict.range.upperBound))
        }
    }
}
