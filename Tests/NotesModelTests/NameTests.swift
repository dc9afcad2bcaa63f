import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// The name of a note as a function of its revisions.
@Suite struct NameTests {
    private func renaming(_ dotName: String, to new: String, on parents: Version) -> Revision {
        Revision(
            note: noteID(1), dot: dot(dotName), parents: parents, edits: [], origin: .found, name: .set(name(new)),
            isTombstone: false, resolves: [], author: ada, time: Timestamp(milliseconds: 0))
    }

    @Test func supersededRename_isIgnored() {
        var note = Note(first: renaming("A1", to: "x", on: .nothing))
        note.append(renaming("B1", to: "b", on: version("A1")), holdsFloor: true)
        note.append(renaming("A2", to: "a", on: version("B1")), holdsFloor: true)
        #expect(note.head.name == name("a"), "though B1 is the greater dot")
        note.append(renaming("C1", to: "c", on: version("A1")), holdsFloor: true)
        #expect(note.head.name == name("c"), "of A2 and C1, which did not see each other, the greater")
        #expect(note.name(at: version("B1")) == name("b") && note.name(at: version("A1")) == name("x"), "as it was then")
    }
}
