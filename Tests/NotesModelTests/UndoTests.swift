import Causality
import NotesModel
import TestKit
import Testing

/// `note.undo` as a command of the model.
@Suite struct UndoTests {
    private let id = noteID(1)

    private func shelf(_ text: String, name: ByteString? = nil) -> Shelf {
        var shelf = Shelf()
        _ = shelf.apply(.createNote(CreateNote(id: id, isIDChosen: true, name: name, text: bytes(text))))
        return shelf
    }

    private func save(_ text: String?, on base: Version?, name: NameRequest = .leave) -> Command {
        .saveNote(SaveNote(id: id, base: base, text: text.map(bytes), name: name))
    }

    private func undo(_ names: String..., on base: Version?) -> Command {
        .undoNote(UndoNote(id: id, base: base, revisions: names.map { dot($0) }))
    }

    private func outcome(_ step: WorkingCopy.Step) -> Outcome? {
        switch step {
        case .accepted(let accepted): accepted.outcome
        case .unchanged(let outcome): outcome
        case .needs, .refused: nil
        }
    }

    private func rejection(_ step: WorkingCopy.Step) -> Rejection? {
        if case .refused(let rejection) = step { rejection } else { nil }
    }

    @Test func undo_reportsTheMergedText_asAChangeOfTheBase() {
        var shelf = shelf("1\n2\n")
        _ = shelf.apply(save("1\ntwo\n", on: version("A1")))
        _ = shelf.apply(save("1\ntwo\n3\n", on: version("A2")))
        let undone = outcome(shelf.apply(undo("A2", on: version("A3"))))
        #expect(undone?.kind == .saved && undone?.dot == dot("A4") && undone?.version == version("A4"))
        #expect(undone?.shown?.sent == bytes("1\ntwo\n3\n") && undone?.shown?.text == bytes("1\n2\n3\n"))
        #expect(shelf.note(id)?.text == bytes("1\n2\n3\n"))
        let redone = outcome(shelf.apply(undo("A4", on: version("A4"))))
        #expect(redone?.shown?.text == bytes("1\ntwo\n3\n"))
    }

    @Test func undoOfTheUndone_isUnchanged_andStillReports() {
        var shelf = shelf("1\n")
        _ = shelf.apply(save("2\n", on: version("A1")))
        _ = shelf.apply(undo("A2", on: version("A2")))
        let again = outcome(shelf.apply(undo("A2", on: version("A3"))))
        #expect(again?.kind == .unchanged && again?.dot == nil)
        #expect(again?.shown?.text == bytes("1\n"))
        // On a version without the first undo, it is another one.
        let beside = outcome(shelf.apply(undo("A2", on: version("A2"))))
        #expect(beside?.dot == dot("A4") && beside?.shown?.text == bytes("1\n"))
    }

    @Test func firstRevision_andRevisionsOutsideTheBase_areRefused() {
        var shelf = shelf("1\n")
        _ = shelf.apply(save("2\n", on: version("A1")))
        _ = shelf.apply(save("3\n", on: version("A1")))
        #expect(rejection(shelf.apply(undo("A1", on: version("A2")))) == .cannotWithdraw(dot("A1"), .hasNoParents))
        #expect(rejection(shelf.apply(undo("A3", on: version("A2")))) == .cannotWithdraw(dot("A3"), .notInBase))
        #expect(rejection(shelf.apply(undo("C9", on: version("A2")))) == .cannotWithdraw(dot("C9"), .notInBase))
        #expect(rejection(shelf.apply(undo("A2", on: nil))) == .baseRequired(version: version("A2", "A3")))
    }

    @Test func undoOfADeletion_bringsBackTextAndName_unlessTheNameIsTaken() {
        for isTaken in [false, true] {
            var shelf = shelf("text\n", name: "a")
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
        var shelf = shelf("text\n", name: "a")
        _ = shelf.apply(save(nil, on: version("A1"), name: .set("b")))
        _ = shelf.apply(save("more\n", on: version("A2")))
        _ = shelf.apply(undo("A2", on: version("A3")))
        #expect(shelf.note(id)?.head.name?.bytes == "a" && shelf.note(id)?.text == bytes("more\n"))
    }

    /// An undo needs the note from below the revision; the batch loads it again.
    @Test func undoInABatch_seesTheWritesBeforeIt() {
        var shelf = shelf("1\n")
        let steps = shelf.apply([
            save("2\n", on: version("A1")), save("3\n", on: version("A2")), undo("A3", on: version("A3")),
            undo("A2", on: version("A4")),
        ])
        #expect(steps.compactMap { outcome($0)?.dot } == [dot("A2"), dot("A3"), dot("A4"), dot("A5")])
        #expect(shelf.note(id)?.text == bytes("1\n"))
    }
}
