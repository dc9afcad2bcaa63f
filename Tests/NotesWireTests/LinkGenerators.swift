import NoteText
import NotesModel
import NotesWire
import TestKit

extension SeededGenerator {
    mutating func anyLinkPosition() -> LinkPosition { LinkPosition(note: anyNoteID(), number: below(10_000)) }

    mutating func anyMissingLinkPosition() -> MissingLinkPosition {
        MissingLinkPosition(target: label(), kind: pick(Link.Kind.allCases), link: anyLinkPosition())
    }
}
