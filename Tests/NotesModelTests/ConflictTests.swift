import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// How commands create conflicts and resolve them by id.
@Suite struct ConflictTests {
    private let id = noteID(1)

    private func shelf() -> Shelf {
        var shelf = Shelf()
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("one\ntwo\nthree\n"))))
        return shelf
    }

    /// Two writes changed the second line, so that a conflict is open at A2 and A3.
    private func inConflict() -> (shelf: Shelf, open: [ConflictID]) {
        var shelf = shelf()
        for line in ["TWO", "2"] {
            _ = shelf.apply(.saveNote(SaveNote(id: id, base: version("A1"), text: bytes("one\n\(line)\nthree\n"))))
        }
        let open = shelf.note(id)?.head.conflicts.map(\.id) ?? []
        #expect(open.count == 1)
        return (shelf, open)
    }

    private func save(on base: Version, resolving ids: [ConflictID]) -> Command {
        .saveNote(SaveNote(id: id, base: base, text: nil, resolves: ids))
    }

    private func edit(on base: Version, _ edits: PositionedEdit..., resolving ids: [ConflictID] = []) -> Command {
        .editNote(EditNote(id: id, base: base, edits: edits, encoding: .utf8, resolves: ids))
    }

    private func revision(_ step: WorkingCopy.Step) -> Revision? {
        if case .accepted(let accepted) = step { accepted.revision } else { nil }
    }

    @Test func emptyWrite_resolvesNamedConflicts() {
        let (before, open) = inConflict()
        for command in [save(on: version("A2", "A3"), resolving: open), edit(on: version("A2", "A3"), resolving: open)] {
            var shelf = before
            let made = revision(shelf.apply(command))
            #expect(made?.resolves == open && made?.edits == [])
            #expect(shelf.note(id)?.head.conflicts == [])
        }
    }

    /// Resolved conflicts are sorted by id, whatever order the client used: equal commands make
    /// equal revisions everywhere.
    @Test func resolvedConflicts_areSorted() {
        func text(_ word: String) -> [UInt8] { bytes((0..<12).map { "\(word) \($0)\nbetween \($0)\n" }.joined()) }
        var shelf = Shelf()
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: text("line"))))
        for word in ["one", "other"] { _ = shelf.apply(.saveNote(SaveNote(id: id, base: version("A1"), text: text(word)))) }
        let open = shelf.note(id)?.head.conflicts.map(\.id) ?? []
        #expect(open.count == 12)
        for named in [open, Array(open.reversed())] {
            var shelf = shelf
            #expect(revision(shelf.apply(save(on: version("A2", "A3"), resolving: named)))?.resolves == open.sorted())
        }
    }

    @Test func conflictNotOpenAtBase_isNotResolved() {
        var (shelf, open) = inConflict()
        let strange = ConflictID(high: 1, low: 2)
        #expect(revision(shelf.apply(save(on: version("A2", "A3"), resolving: [strange]))) == nil)
        #expect(revision(shelf.apply(save(on: version("A2"), resolving: open))) == nil)
        #expect(shelf.note(id)?.head.conflicts.map(\.id) == open)
    }

    @Test func save_isFound_andEditIsStated() {
        var shelf = shelf()
        let (one, other) = (
            PositionedEdit(start: 4, end: 7, text: bytes("TWO")), PositionedEdit(start: 4, end: 7, text: bytes("2"))
        )
        #expect(revision(shelf.apply(edit(on: version("A1"), one)))?.origin == .stated)
        #expect(revision(shelf.apply(edit(on: version("A1"), other)))?.origin == .stated)
        #expect(shelf.note(id)?.head.conflicts == [], "who states edits is not asked")
        #expect(inConflict().shelf.revisions[id]?.last?.revision.origin == .found)
    }
}
