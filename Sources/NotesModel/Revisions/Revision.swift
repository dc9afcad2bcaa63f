package import Causality
package import NoteText
package import TextMerge

/// One write to a note. Immutable; replicas exchange it with the hashes of its parents
/// (`LinkedRevision`).
///
/// The canonical bytes (`RevisionCodec`) of both and their SHA-256 identify its content permanently.
package struct Revision: Hashable, Sendable {
    /// The note that the revision belongs to.
    package let note: NoteID
    /// The revision's id: the replica that made it and that replica's counter.
    package let dot: Dot
    /// The maximal dots of everything the writer had been shown of the note. Empty for a first
    /// revision.
    package let parents: Version
    /// The edits, in byte offsets into the text that `parents` show.
    package let edits: [Edit]
    /// Whether the client stated the edits or a diff found them.
    package let origin: EditOrigin
    /// The change that the write made to the note's name.
    package let name: NameEdit
    /// Whether the write deleted the note. Deletion keeps the text, so that a write can restore the
    /// note.
    package let isTombstone: Bool
    /// The ids of the conflicts that the write resolved. All of them were open at `parents`.
    package let resolves: [ConflictID]
    /// The revisions that the write withdrew (undid), sorted; empty for any other write. All of
    /// them are in the past of the revision. A withdrawal has no edits and resolves nothing.
    package let withdraws: [Dot]
    /// What the revision states about other revisions of the note as a whole; nil for every write.
    package let mark: Mark?
    /// The user and label that made the write.
    package let author: Author
    /// The wall-clock time of the write, for display only.
    package let time: Timestamp
    /// Further fields, which describe the revision (`TaggedFields`). A daemon stores and forwards those
    /// that it does not know.
    package let reserved: [UInt8]

    package init(
        note: NoteID, dot: Dot, parents: Version, edits: [Edit], origin: EditOrigin, name: NameEdit = .unchanged,
        isTombstone: Bool = false, resolves: [ConflictID] = [], withdraws: [Dot] = [], mark: Mark? = nil, author: Author,
        time: Timestamp, reserved: [UInt8] = []
    ) {
        self.note = note
        self.dot = dot
        self.parents = parents
        self.edits = edits
        self.origin = origin
        self.name = name
        self.isTombstone = isTombstone
        self.resolves = resolves
        self.withdraws = withdraws
        self.mark = mark
        self.author = author
        self.time = time
        self.reserved = reserved
    }
}

extension Revision {
    /// Whether the revision withdraws others.
    package var isWithdrawal: Bool { !withdraws.isEmpty }

    /// See `Event.mayBeFloor`.
    var mayBeFloor: Bool { !isWithdrawal && !isTombstone }

    /// The revision with another dot and time.
    func placed(at dot: Dot, time: Timestamp) -> Revision {
        Revision(
            note: note, dot: dot, parents: parents, edits: edits, origin: origin, name: name, isTombstone: isTombstone,
            resolves: resolves, withdraws: withdraws, mark: mark, author: author, time: time, reserved: reserved)
    }

    /// The revision as compaction leaves it: without its edits.
    package var compacted: Revision {
        Revision(
            note: note, dot: dot, parents: parents, edits: [], origin: origin, name: name, isTombstone: isTombstone,
            resolves: resolves, withdraws: withdraws, mark: mark, author: author, time: time, reserved: reserved)
    }
}

/// The change that a write makes to a note's name.
package enum NameEdit: Hashable, Sendable {
    /// The write leaves the name as it is at the parents.
    case unchanged
    /// The write sets the name; nil removes it.
    case set(NoteName?)
}
