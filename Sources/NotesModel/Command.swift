package import Causality
package import TextMerge

/// What is asked of the model. Names and versions are as the client gave them: the model checks them.
package enum Command: Hashable, Sendable {
    case createNote(CreateNote)
    case saveNote(SaveNote)
    case editNote(EditNote)
    case deleteNote(DeleteNote)

    package var note: NoteID {
        switch self {
        case .createNote(let command): command.id
        case .saveNote(let command): command.id
        case .editNote(let command): command.id
        case .deleteNote(let command): command.id
        }
    }
}

package struct CreateNote: Hashable, Sendable {
    package var id: NoteID
    /// Whether the client chose the id; otherwise it was drawn for this command and says nothing of what was asked.
    package var isIDChosen: Bool
    package var name: ByteString?
    package var text: [UInt8]

    package init(id: NoteID, isIDChosen: Bool, name: ByteString?, text: [UInt8]) {
        self.id = id
        self.isIDChosen = isIDChosen
        self.name = name
        self.text = text
    }
}

package struct SaveNote: Hashable, Sendable {
    package var id: NoteID
    /// Nil where the client gave none, which is refused: "no base" is never guessed.
    package var base: Version?
    /// Nil: the text at the base.
    package var text: [UInt8]?
    package var name: NameRequest
    package var resolves: [ConflictID]

    package init(id: NoteID, base: Version?, text: [UInt8]?, name: NameRequest = .leave, resolves: [ConflictID] = []) {
        self.id = id
        self.base = base
        self.text = text
        self.name = name
        self.resolves = resolves
    }
}

package enum NameRequest: Hashable, Sendable {
    case leave
    case clear
    case set(ByteString)
}

package struct EditNote: Hashable, Sendable {
    package var id: NoteID
    package var base: Version?
    package var edits: [PositionedEdit]
    package var encoding: PositionEncoding
    package var resolves: [ConflictID]

    package init(id: NoteID, base: Version?, edits: [PositionedEdit], encoding: PositionEncoding, resolves: [ConflictID] = []) {
        self.id = id
        self.base = base
        self.edits = edits
        self.encoding = encoding
        self.resolves = resolves
    }
}

package struct DeleteNote: Hashable, Sendable {
    package var id: NoteID
    package var base: Version?

    package init(id: NoteID, base: Version?) {
        self.id = id
        self.base = base
    }
}
