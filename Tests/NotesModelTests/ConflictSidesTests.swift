import Causality
import NoteText
import TestKit
import Testing
import TextMerge

@testable import NotesModel

/// A note's state at past versions, and the contents of the sides of its conflicts.
@Suite struct ConflictSidesTests {
    private let id = noteID(1)

    /// A1 and several saves based on it, in sequence.
    private func shelf(_ saves: SaveNote...) -> Shelf {
        var shelf = Shelf()
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: "n", text: bytes("one\ntwo\nthree\n"))))
        for save in saves { _ = shelf.apply(.saveNote(save)) }
        return shelf
    }

    private func save(_ text: String?, name: NameRequest = .leave, on base: Version? = nil) -> SaveNote {
        SaveNote(id: id, base: base ?? version("A1"), text: text.map(bytes), name: name)
    }

    private func conflictSides(_ shelf: Shelf, at asked: Version? = nil) throws -> Note.ConflictSides? {
        var note = try #require(shelf.note(id, downTo: .start))
        let conflict = try #require(note.head.conflicts.first)
        return note.conflictSides(of: conflict, at: asked ?? note.version)
    }

    @Test func textConflict_hasLinesOfTheRange() throws {
        let shelf = shelf(save("one\nTWO\nthree\n"), save("one\n2\nthree\n"))
        let said = try conflictSides(shelf)
        #expect(said?.base == .text(bytes("two\n")))
        #expect(said?.sides == [.text(bytes("TWO\n")), .text(bytes("2\n"))])
        #expect(try conflictSides(shelf, at: version("A2")) == nil, "it is not open there")
    }

    @Test func nameConflict_hasNames() throws {
        let said = try conflictSides(shelf(save(nil, name: .set("x")), save(nil, name: .clear)))
        #expect(said?.base == .name(name("n")))
        #expect(said?.sides == [.name(name("x")), .name(nil)])
    }

    @Test func deletionConflict_hasCompleteText() throws {
        var shelf = shelf(save("one\ntwo\nthree\n4\n"))
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        let said = try conflictSides(shelf)
        #expect(said?.base == nil)
        #expect(said?.sides == [.text(bytes("one\ntwo\nthree\n4\n")), .deleted])
    }

    /// A write elsewhere in the text has both sides in its past and resolves nothing; the held
    /// history starts at it.
    @Test func sidesBelowHeldHistory_areUnknown() throws {
        var shelf = shelf(save("one\nTWO\nthree\n"), save("one\n2\nthree\n"))
        let text = try #require(shelf.note(id)?.text)
        _ = shelf.apply(.saveNote(SaveNote(id: id, base: version("A2", "A3"), text: text + bytes("4\n"))))
        var note = try #require(shelf.note(id))
        let conflict = try #require(note.head.conflicts.first)
        #expect(note.conflictSides(of: conflict, at: note.version) == nil)
        #expect(try conflictSides(shelf)?.sides.count == 2)
    }

    /// The state as a list reported it then.
    @Test func headAtVersion_isItsStateThen() throws {
        var shelf = shelf(save("# One\n#todo\n", name: .set("x")), save("one\n2\nthree\n"))
        _ = shelf.apply(.saveNote(save("# Two\n", name: .clear, on: version("A2", "A3"))))
        _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A4"))))
        var note = try #require(shelf.note(id, downTo: .start))
        let made = try #require(shelf.revisions[id])
        #expect(made.map(\.coversAll) == [true, true, false, true, true])
        for accepted in made {
            var expected = accepted.after
            let head = note.head(at: expected.version, author: accepted.revision.author, modified: accepted.revision.modified)
            expected.vector = head.vector
            #expect(head == expected, "\(expected.version)")
        }
        let nothing = note.head(at: .nothing, author: ada, modified: Timestamp(milliseconds: 0))
        #expect(nothing.version == .nothing && nothing.bytes == 0 && nothing.title == "" && nothing.tags == [])
        #expect(nothing.name == nil && !nothing.isDeleted && nothing.conflicts == [])
        #expect(note.openIDs(at: .nothing) == [])
    }

    /// The memory includes the walk and its cached texts.
    @Test func siblings_addToMemorySize() throws {
        let shelf = shelf(save("one\nTWO\nthree\n"), save("one\n2\nthree\n"))
        let (alone, beside) = (try #require(self.shelf().note(id)), try #require(shelf.note(id)))
        #expect(alone.residentBytes >= alone.text.count)
        #expect(beside.residentBytes > alone.residentBytes + beside.text.count)
    }

    /// The note's size includes texts that the walk cached, as soon as it caches them: the cache
    /// budgets by that size. The note grows by as much as the view, apart from a few bytes of spare
    /// capacity in tables.
    @Test func cachedTexts_addToMemorySize() throws {
        let shelf = shelf(save("one\nTWO\nthree\n"), save("one\n2\nthree\n"))
        var note = try #require(shelf.note(id, downTo: .start))
        let events = try #require(shelf.revisions[id]).map { Event($0.revision) }
        var view = View(naming: .sha256)
        view.append(contentsOf: events, holdsFloor: true)
        let conflict = try #require(view.conflicts.first)
        let open = try #require(note.head.conflicts.first)
        let (before, chance) = (note.residentBytes, 40)
        var (ofNote, ofView) = (before, view.residentBytes)
        func expectGrowth(_ what: Comment) {
            let (grown, expected) = (note.residentBytes - ofNote, view.residentBytes - ofView)
            #expect(abs(grown - expected) <= chance && grown > 0, "\(what): \(grown), \(expected)")
            (ofNote, ofView) = (note.residentBytes, view.residentBytes)
        }

        let openIDs = note.openIDs(at: version("A1"))
        let expectedIDs = view.conflicts(at: version("A1")).map(\.id)
        #expect(openIDs == Set(expectedIDs))
        expectGrowth("what is open at a version")
        let said = note.texts(of: open, at: version("A2", "A3"))
        let expectedTexts = view.texts(of: conflict, at: version("A2", "A3"))
        #expect(said == expectedTexts)
        expectGrowth("what the sides say")
        let text = note.text(at: version("A1"))
        let expectedText = view.text(at: version("A1"))
        #expect(text == expectedText)
        expectGrowth("the text of a version")
        #expect(note.residentBytes >= before + text.count)
    }

    @Test func head_namesLastAuthor() throws {
        var note = try #require(shelf().note(id))
        let bob = Author(user: "bob", label: nil)
        let time = Timestamp(milliseconds: 7)
        note.append(
            Revision(note: id, dot: dot("B1"), parents: version("A1"), edits: [], origin: .stated, author: bob, time: time))
        #expect(note.head.author == bob && note.head.modified == time)
        let head = note.head(at: version("B1"), author: ada, modified: time)
        #expect(head.author == ada)
    }
}
