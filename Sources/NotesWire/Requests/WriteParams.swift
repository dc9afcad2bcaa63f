package import Causality
package import NotesModel
package import TextMerge

/// Params of `note.save`. At least one of `text`, `name` and `resolves` is set.
package struct SaveParams: Hashable, Sendable {
    /// The note to write.
    package var id: NoteID
    /// The version that the write is based on; nil if the client sent none. That differs from
    /// `Version.nothing`, which is a valid base.
    package var base: Version?
    /// The whole new text; nil leaves the text of the base.
    package var text: [UInt8]?
    /// The requested change of the note's name.
    package var name: NameRequest
    /// The conflicts that the write declares resolved; nil if the client sent no list.
    package var resolves: [ConflictID]?
    /// A key that makes a retry of the request safe.
    package var op: ByteString?
    /// The time of change of the file that has the text, and nothing else; nil if the client sent none.
    package var times: FileTimes?

    package init(
        id: NoteID, base: Version?, text: [UInt8]? = nil, name: NameRequest = .leave, resolves: [ConflictID]? = nil,
        op: ByteString? = nil, times: FileTimes? = nil
    ) {
        self.id = id
        self.base = base
        self.text = text
        self.name = name
        self.resolves = resolves
        self.op = op
        self.times = times
    }
}

/// Params of `note.edit`.
package struct EditParams: Hashable, Sendable {
    /// The note to write.
    package var id: NoteID
    /// The version whose text the edits change; nil if the client sent none.
    package var base: Version?
    /// The edits, in the session's encoding.
    package var edits: [PositionedEdit]
    /// The conflicts that the write declares resolved; nil if the client sent no list.
    package var resolves: [ConflictID]?
    /// A key that makes a retry of the request safe.
    package var op: ByteString?

    package init(id: NoteID, base: Version?, edits: [PositionedEdit], resolves: [ConflictID]? = nil, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.edits = edits
        self.resolves = resolves
        self.op = op
    }
}

/// Params of `note.delete`.
package struct DeleteParams: Hashable, Sendable {
    /// The note to delete.
    package var id: NoteID
    /// The version that the deletion is based on; nil if the client sent none.
    package var base: Version?
    /// A key that makes a retry of the request safe.
    package var op: ByteString?

    package init(id: NoteID, base: Version?, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.op = op
    }
}

/// Params of `note.undo`. Either `revisions` or `ops` is set, and is not empty.
package struct UndoParams: Hashable, Sendable {
    /// The note to write.
    package var id: NoteID
    /// The version that the write is based on; nil if the client sent none.
    package var base: Version?
    /// The revisions to withdraw.
    package var revisions: [Dot]
    /// The `op`s of the user's writes to withdraw.
    package var ops: [ByteString]
    /// A key that makes a retry of the request safe.
    package var op: ByteString?
    /// The time of change that the note shows after the undo, and nothing else; nil if the client sent
    /// none.
    package var times: FileTimes?
    /// Whether the daemon only returns the result, and writes nothing.
    package var isPreview: Bool

    package init(
        id: NoteID, base: Version?, revisions: [Dot] = [], ops: [ByteString] = [], op: ByteString? = nil,
        times: FileTimes? = nil, isPreview: Bool = false
    ) {
        self.id = id
        self.base = base
        self.revisions = revisions
        self.ops = ops
        self.op = op
        self.times = times
        self.isPreview = isPreview
    }
}

/// Params of `note.purge`.
package struct PurgeParams: Hashable, Sendable {
    /// The note to purge.
    package var id: NoteID
    /// The version that the client was shown; nil if it sent none.
    package var base: Version?
    /// A key that makes a retry of the request safe.
    package var op: ByteString?

    package init(id: NoteID, base: Version?, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.op = op
    }
}
