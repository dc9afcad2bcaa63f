package import Causality
package import NoteText
package import TextMerge

/// An open conflict as a note's state lists it, without the contents of its sides.
package struct OpenConflict: Hashable, Sendable {
    /// The conflict's id, equal on all replicas.
    package let id: ConflictID
    /// Whether text, name or deletion is in conflict.
    package let kind: ConflictKind
    /// The newest dot of each branch that takes part, and every withdrawn revision that takes part;
    /// sorted, at least two.
    package let sides: [Dot]
    /// The sides that are withdrawn; sorted.
    package let withdrawn: [Dot]
    /// Start of the lines that the conflict spans in the merged text. A name conflict spans
    /// nothing, at offset 0; a deletion conflict spans the whole text.
    package let start: TextPosition
    /// End of the lines that the conflict spans in the merged text.
    package let end: TextPosition

    package init(
        id: ConflictID, kind: ConflictKind, sides: [Dot], withdrawn: [Dot] = [], start: TextPosition, end: TextPosition
    ) {
        self.id = id
        self.kind = kind
        self.sides = sides
        self.withdrawn = withdrawn
        self.start = start
        self.end = end
    }
}

/// A conflict with the contents of its sides, for a client that resolves it.
package struct ConflictDetail: Hashable, Sendable {
    /// The conflict.
    package let conflict: OpenConflict
    /// The content that all sides started from: the lines of a text conflict or the name; nil for a
    /// deletion.
    package let base: ConflictContent?
    /// The sides, in the order of `conflict.sides`.
    package let sides: [ConflictSide]

    package init(conflict: OpenConflict, base: ConflictContent?, sides: [ConflictSide]) {
        self.conflict = conflict
        self.base = base
        self.sides = sides
    }
}

/// One side of a conflict.
package struct ConflictSide: Hashable, Sendable {
    /// The newest revision of the branch, or a withdrawn revision.
    package let dot: Dot
    /// Whether the revision is withdrawn. Its content is then what its parents show.
    package let isWithdrawn: Bool
    /// The author of that revision.
    package let author: Author
    /// The time of that revision.
    package let modified: Timestamp
    /// The content of the side.
    package let content: ConflictContent

    package init(dot: Dot, isWithdrawn: Bool = false, author: Author, modified: Timestamp, content: ConflictContent) {
        self.dot = dot
        self.isWithdrawn = isWithdrawn
        self.author = author
        self.modified = modified
        self.content = content
    }
}

/// The content of one side of a conflict, or of its base.
package enum ConflictContent: Hashable, Sendable {
    /// The conflict's lines, or the whole text in a deletion conflict.
    case text([UInt8])
    /// A name; nil for none.
    case name(NoteName?)
    /// The side deleted the note.
    case deleted
}

extension OpenConflict {
    /// The open conflicts with their positions in the merged text.
    ///
    /// - Complexity: O(bytes of the text) if there are conflicts, otherwise O(1).
    static func all(_ conflicts: [Conflict], in text: [UInt8]) -> [OpenConflict] {
        guard !conflicts.isEmpty else { return [] }
        let offsets = Set(conflicts.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()
        let places = Dictionary(uniqueKeysWithValues: zip(offsets, Positions.places(ofBytes: offsets, in: text)))
        func place(_ offset: Int) -> TextPosition { places[offset] ?? TextPosition(utf8: offset, utf16: 0, utf32: 0) }
        return conflicts.map { conflict in
            OpenConflict(
                id: conflict.id, kind: conflict.kind, sides: conflict.sides, withdrawn: conflict.withdrawn,
                start: place(conflict.range.lowerBound), end: place(conflict.range.upperBound))
        }
    }
}
