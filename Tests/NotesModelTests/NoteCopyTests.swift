import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// A note shares its memory with its copies until one of them changes.
@Suite struct NoteCopyTests {
    private func insertion(_ dotName: String, of text: String, on parents: Version) -> Revision {
        Revision(
            note: noteID(1), dot: dot(dotName), parents: parents, edits: [Edit(start: 0, end: 0, replacement: Array(text.utf8))],
            origin: .found, author: ada, time: Timestamp(milliseconds: 0))
    }

    @Test func copyOfNote_isUnchanged() {
        var note = Note(first: insertion("A1", of: "one\n", on: .nothing))
        note.sequence = 1
        let copy = note
        let head = note.head
        note.append(insertion("A2", of: "two\n", on: version("A1")))
        note.sequence = 2
        #expect(note.text == Array("two\none\n".utf8) && note.version == version("A2"))
        #expect(copy.text == Array("one\n".utf8) && copy.version == version("A1"))
        #expect(copy.head == head && copy.sequence == 1)
    }
}
