package import Causality
package import NoteText
package import TextMerge

/// A write request to the model. Names and versions are as the client sent them; the model
/// validates them.
package enum Command: Hashable, Sendable {
    /// Creates a note with a first text.
    case createNote(CreateNote)
    /// Replaces the whole text, the name, or both.
    case saveNote(SaveNote)
    /// Applies edits at stated positions.
    case editNote(EditNote)
    /// Deletes a note.
    case deleteNote(DeleteNote)
    /// Withdraws revisions of a note.
    case undoNote(UndoNote)
    /// Erases everything that the note does not show any more.
    case purgeNote(PurgeNote)

    /// The key that makes a retry of the command safe; nil if the client sent none, and for a preview, which
    /// writes nothing.
    package var op: ByteString? {
        switch self {
        case .createNote(let command): command.op
        case .saveNote(let command): command.op
        case .editNote(let command): command.op
        case .deleteNote(let command): command.op
        case .undoNote(let command): command.isPreview ? nil : command.op
        case .purgeNote(let command): command.op
        }
    }

    /// The same command with an `op`: its own, or a new one. A preview needs none.
    package func named(by name: () -> ByteString) -> Command {
        switch self {
        case .createNote(var command):
            command.op = command.op ?? name()
            return .createNote(command)
        case .saveNote(var command):
            command.op = command.op ?? name()
            return .saveNote(command)
        case .editNote(var command):
            command.op = command.op ?? name()
            return .editNote(command)
        case .deleteNote(var command):
            command.op = command.op ?? name()
            return .deleteNote(command)
        case .undoNote(var command):
            guard !command.isPreview else { return self }
            command.op = command.op ?? name()
            return .undoNote(command)
        case .purgeNote(var command):
            command.op = command.op ?? name()
            return .purgeNote(command)
        }
    }

    /// The content that the command gives a file; nil if it gives none.
    package var file: FileContent? {
        switch self {
        case .createNote(let command): command.file
        case .saveNote(let command): command.file
        case .editNote, .deleteNote, .undoNote, .purgeNote: nil
        }
    }

    /// The id of the note that the command writes.
    package var note: NoteID {
        switch self {
        case .createNote(let command): command.id
        case .saveNote(let command): command.id
        case .editNote(let command): command.id
        case .deleteNote(let command): command.id
        case .undoNote(let command): command.id
        case .purgeNote(let command): command.id
        }
    }
}

/// The parameters of `note.create`.
package struct CreateNote: Hashable, Sendable {
    /// The id of the new note; `NoteID.undrawn` until the daemon draws one, if the client chose none.
    package var id: NoteID
    /// Whether the client chose the id. If not, it is not part of the request. A client that chooses it can
    /// retry without creating two notes.
    package var isIDChosen: Bool
    /// The name for the note, unchecked; nil for none.
    package var name: ByteString?
    /// The first text, in UTF-8.
    package var text: [UInt8]
    /// The content of a note that is to be a file; nil for a text. `text` is then empty.
    package var file: FileContent?
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?
    /// The times of the file that has the text; nil if the client sent none.
    package var times: FileTimes?

    package init(
        id: NoteID, isIDChosen: Bool, name: ByteString?, text: [UInt8], file: FileContent? = nil, op: ByteString? = nil,
        times: FileTimes? = nil
    ) {
        self.id = id
        self.isIDChosen = isIDChosen
        self.name = name
        self.text = text
        self.file = file
        self.op = op
        self.times = times
    }

    /// A request as clients send it.
    ///
    /// - Parameter id: nil lets the daemon choose.
    package init(
        text: [UInt8] = [], file: FileContent? = nil, name: ByteString? = nil, id: NoteID? = nil, op: ByteString? = nil,
        times: FileTimes? = nil
    ) {
        self.init(id: id ?? .undrawn, isIDChosen: id != nil, name: name, text: text, file: file, op: op, times: times)
    }
}

/// The parameters of `note.save`.
package struct SaveNote: Hashable, Sendable {
    /// The note to write.
    package var id: NoteID
    /// The version that the client built on. The model rejects nil, because it never guesses a
    /// base.
    package var base: Version?
    /// The new text, in UTF-8; nil keeps the text at the base.
    package var text: [UInt8]?
    /// The new content of a file, instead of a text; nil keeps the contents at the base.
    package var file: FileContent?
    /// The requested change to the name.
    package var name: NameRequest
    /// The ids of conflicts that the write resolves. The model ignores ids that are not open at the
    /// base.
    package var resolves: [ConflictID]
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?
    /// The times of the file that has the text; nil if the client sent none. A write that changes
    /// nothing else states no times.
    package var times: FileTimes?

    package init(
        id: NoteID, base: Version?, text: [UInt8]? = nil, file: FileContent? = nil, name: NameRequest = .leave,
        resolves: [ConflictID] = [], op: ByteString? = nil, times: FileTimes? = nil
    ) {
        self.id = id
        self.base = base
        self.text = text
        self.file = file
        self.name = name
        self.resolves = resolves
        self.op = op
        self.times = times
    }
}

/// The change to a note's name that a client requests.
package enum NameRequest: Hashable, Sendable {
    /// Keep the name.
    case leave
    /// Remove the name.
    case clear
    /// Set the name, unchecked.
    case set(ByteString)
}

/// The parameters of `note.edit`.
package struct EditNote: Hashable, Sendable {
    /// The note to write.
    package var id: NoteID
    /// The version that the positions refer to. The model rejects nil.
    package var base: Version?
    /// The edits, in ascending order and without overlap; the model checks both.
    package var edits: [PositionedEdit]
    /// The unit of the positions in `edits`.
    package var encoding: PositionEncoding
    /// The ids of conflicts that the write resolves. The model ignores ids that are not open at the
    /// base.
    package var resolves: [ConflictID]
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?

    package init(
        id: NoteID, base: Version?, edits: [PositionedEdit], encoding: PositionEncoding = .utf8,
        resolves: [ConflictID] = [], op: ByteString? = nil
    ) {
        self.id = id
        self.base = base
        self.edits = edits
        self.encoding = encoding
        self.resolves = resolves
        self.op = op
    }
}

/// The parameters of `note.delete`.
package struct DeleteNote: Hashable, Sendable {
    /// The note to delete.
    package var id: NoteID
    /// The version that the client built on. The model rejects nil.
    package var base: Version?
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?

    package init(id: NoteID, base: Version?, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.op = op
    }
}

/// The parameters of `note.undo`.
package struct UndoNote: Hashable, Sendable {
    /// The note to write.
    package var id: NoteID
    /// The version that the client built on. The model rejects nil.
    package var base: Version?
    /// The revisions to withdraw.
    package var revisions: [Dot]
    /// The `op`s of the user's writes whose revisions to withdraw. The caller replaces them by these
    /// revisions before it applies the command.
    package var ops: [ByteString]
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?
    /// The time of change that the note shows after the undo, and nothing else; nil if the client sent
    /// none.
    package var times: FileTimes?
    /// Whether only the result is wanted. The command then changes nothing.
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

/// The parameters of `note.purge`.
package struct PurgeNote: Hashable, Sendable {
    /// The note to purge.
    package var id: NoteID
    /// The version that the client was shown. The model rejects any other than the current one.
    package var base: Version?
    /// A key that makes a retry of the request safe; nil if the client sent none.
    package var op: ByteString?

    package init(id: NoteID, base: Version?, op: ByteString? = nil) {
        self.id = id
        self.base = base
        self.op = op
    }
}
