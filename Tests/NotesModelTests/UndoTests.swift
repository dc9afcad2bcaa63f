import Causality
import NoteText
import NotesModel
import TestKit
import Testing

/// `note.undo` as a command of the model.
@Suite struct UndoTests {
    private let id = noteID(1)

    private func undo(_ names: String..., on base: Version?) -> Command {
        .undoNote(UndoNote(id: id, base: base, revisions: names.map { dot($0) }))
    }

    @Test func undo_reportsTheMergedText_asAChangeOfTheBase() {
        var shelf = Shelf(of: id, "1\n2\n")
        _ = shelf.apply(save(id, "1\ntwo\n", on: version("A1")))
        _ = shelf.apply(save(id, "1\ntwo\n3\n", on: version("A2")))
        let undone = shelf.apply(undo("A2", on: version("A3"))).outcome
        #expect(undone?.kind == .saved && undone?.dot == dot("A4") && undone?.version == version("A4"))
        #expect(undone?.shown?.sent == bytes("1\ntwo\n3\n") && undone?.shown?.text == bytes("1\n2\n3\n"))
        #expect(shelf.note(id)?.text == bytes("1\n2\n3\n"))
        let redone = shelf.apply(undo("A4", on: version("A4"))).outcome
        #expect(redone?.shown?.text == bytes("1\ntwo\n3\n"))
    }

    @Test func undoOfTheUndone_isUnchanged_andStillReports() {
        var shelf = Shelf(of: id, "1\n")
        _ = shelf.apply(save(id, "2\n", on: version("A1")))
        _ = shelf.apply(undo("A2", on: version("A2")))
        let again = shelf.apply(undo("A2", on: version("A3"))).outcome
        #expect(again?.kind == .unchanged && again?.dot == nil)
        #expect(again?.shown?.text == bytes("1\n"))
        // On a version without the first undo, it is another one.
        let beside = shelf.apply(undo("A2", on: version("A2"))).outcome
        #expect(beside?.dot == dot("A4") && beside?.shown?.text == bytes("1\n"))
    }

    @Test func firstRevision_andRevisionsOutsideTheBase_areRefused() {
        var shelf = Shelf(of: id, "1\n")
        _ = shelf.apply(save(id, "2\n", on: version("A1")))
        _ = shelf.apply(save(id, "3\n", on: version("A1")))
        #expect(shelf.apply(undo("A1", on: version("A2"))).rejection == .cannotWithdraw(dot("A1"), .hasNoParents))
        #expect(shelf.apply(undo("A3", on: version("A2"))).rejection == .cannotWithdraw(dot("A3"), .notInBase))
        #expect(shelf.apply(undo("C9", on: version("A2"))).rejection == .cannotWithdraw(dot("C9"), .notInBase))
        #expect(shelf.apply(undo("A2", on: nil)).rejection == .baseRequired(version: version("A2", "A3")))
    }

    @Test func undoOfADeletion_bringsBackTextAndName_unlessTheNameIsTaken() {
        for isTaken in [false, true] {
            var shelf = Shelf(of: id, "text\n", name: "a")
            _ = shelf.apply(.deleteNote(DeleteNote(id: id, base: version("A1"))))
            if isTaken {
                _ = shelf.apply(.createNote(CreateNote(id: noteID(2), isIDChosen: true, name: "a", text: [])))
            }
            let step = shelf.apply(undo("A2", on: version("A2")))
            guard case .accepted(let accepted) = step else {
                Issue.record("\(step)")
                return
            }
            #expect(accepted.revision.name == (isTaken ? .set(nil) : .unchanged))
            #expect(shelf.note(id)?.text == bytes("text\n") && shelf.note(id)?.isDeleted == false)
            #expect(shelf.note(id)?.head.name?.bytes == (isTaken ? nil : "a"))
            // Redoing the deletion deletes the note again; undoing that leaves the name as it was.
            _ = shelf.apply(undo(isTaken ? "A4" : "A3", on: Version(accepted.revision.dot)))
            #expect(shelf.note(id)?.isDeleted == true)
        }
    }

    @Test func undoOfARenaming_restoresTheName() {
        var shelf = Shelf(of: id, "text\n", name: "a")
        _ = shelf.apply(save(id, nil, on: version("A1"), name: .set("b")))
        _ = shelf.apply(save(id, "more\n", on: version("A2")))
        _ = shelf.apply(undo("A2", on: version("A3")))
        #expect(shelf.note(id)?.head.name?.bytes == "a" && shelf.note(id)?.text == bytes("more\n"))
    }

    /// An undo needs the note from below the revision; the batch loads it again.
    @Test func undoInABatch_seesTheWritesBeforeIt() {
        var shelf = Shelf(of: id, "1\n")
        let steps = shelf.apply([
            save(id, "2\n", on: version("A1")), save(id, "3\n", on: version("A2")), undo("A3", on: version("A3")),
            undo("A2", on: version("A4")),
        ])
        #expect(steps.compactMap { $0.outcome?.dot } == [dot("A2"), dot("A3"), dot("A4"), dot("A5")])
        #expect(shelf.note(id)?.text == bytes("1\n"))
    }
}
