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
    /// The conflicts that the write settled, by id, as the client gave them.
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

/// What a write does to a note's name.
package enum NameEdit: Hashable, Sendable {
    case unchanged
    /// Sets it; nil clears it.
    case set(NoteName?)
}

/// The name of a conflict: 16 bytes, written as 32 lower-case hexadecimal digits.
package struct ConflictID: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads exactly 32 lower-case hexadecimal digits; nil for anything else.
    package init?(parsing utf8: some Collection<UInt8>) {
        guard utf8.count == 32, let high = ReplicaID(parsing: utf8.prefix(16)), let low = ReplicaID(parsing: utf8.dropFirst(16))
        else { return nil }
        self.high = high.bits
        self.low = low.bits
    }

    package static func < (left: ConflictID, right: ConflictID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ConflictID: CustomStringConvertible {
    package var description: String { "\(ReplicaID(bits: high))\(ReplicaID(bits: low))" }
}
