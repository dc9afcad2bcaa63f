package import Causality
package import TextMerge

/// What one write said. Immutable, and exchanged whole.
///
/// `parents` are the maximal dots of what its writer had been shown of this note; `edits` are against the text that the
/// parents show. Its canonical bytes (`RevisionCodec`) and their SHA-256 name its content for ever.
package struct Revision: Hashable, Sendable {
    package let note: NoteID
    package let dot: Dot
    package let parents: Version
    package let edits: [Edit]
    package let origin: EditOrigin
    /// What the write did to the note's name.
    package let name: NameEdit
    /// Whether the write deleted the note. The text below the mark stays.
    package let isTombstone: Bool
    /// The conflicts that the write settled, by id, those that were open at the parents.
    package let resolves: [ConflictID]
    package let author: Author
    package let time: Timestamp
    /// Kept for later versions: older daemons carry it unread.
    package let reserved: [UInt8]

    package init(
        note: NoteID, dot: Dot, parents: Version, edits: [Edit], origin: EditOrigin, name: NameEdit = .unchanged,
        isTombstone: Bool = false, resolves: [ConflictID] = [], author: Author, time: Timestamp, reserved: [UInt8] = []
    ) {
        self.note = note
        self.dot = dot
        self.parents = parents
        self.edits = edits
        self.origin = origin
        self.name = name
        self.isTombstone = isTombstone
        self.resolves = resolves
        self.author = author
        self.time = time
        self.reserved = reserved
    }
}

extension Revision {
    /// What is left of it where its text is thinned out.
    package var compacted: Revision {
        Revision(
            note: note, dot: dot, parents: parents, edits: [], origin: origin, name: name, isTombstone: isTombstone,
            resolves: resolves, author: author, time: time, reserved: reserved)
    }
}

/// What a write does to a note's name.
package enum NameEdit: Hashable, Sendable {
    case unchanged
    /// Sets it; nil clears it.
    case set(NoteName?)
}
