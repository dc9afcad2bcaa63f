import Causality
import ClientTestKit
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the changes that `undo` and `redo` choose.
struct UndoTests {
    private func revision(
        _ name: String, on parents: [String], user: ByteString = "ada", label: String = "vim", withdrawn: Bool = false
    ) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: Version(parents.map(dot)), author: Author(user: user, label: ByteString(label)),
            time: Timestamp(milliseconds: 0), bytes: 0, isDeleted: false, name: nil, isStated: false, isWithdrawn: withdrawn)
    }

    private func undo(
        _ name: String, of undone: String..., user: ByteString = "ada", withdrawn: Bool = false
    ) -> RevisionSummary {
        undo(name, of: undone, user: user, withdrawn: withdrawn)
    }

    private func undo(
        _ name: String, of undone: [String], user: ByteString = "ada", withdrawn: Bool = false
    ) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: Version(dot("A1")), author: Author(user: user, label: "notesctl"),
            time: Timestamp(milliseconds: 0), bytes: 0, isDeleted: false, name: nil, isStated: true,
            withdraws: undone.map { dot($0) }, isWithdrawn: withdrawn)
    }

    /// - Parameter revisions: oldest first.
    private func history(_ revisions: RevisionSummary..., label: ByteString? = nil) -> UndoHistory {
        UndoHistory(revisions.reversed(), user: "ada", label: label)
    }

    @Test func newestOwnChange_isFirst() {
        let all = history(
            revision("A1", on: []), revision("A2", on: ["A1"], label: "emacs"), revision("B1", on: ["A2"], user: "bob"))
        #expect(all.candidates.map(\.dot) == [dot("A2"), dot("A1")])
        let vim = UndoHistory(all.revisions, user: "ada", label: "vim")
        #expect(vim.candidates.map(\.dot) == [dot("A1")])
    }

    @Test func withdrawnChangesAndUndos_areNoCandidates() {
        let all = history(
            revision("A1", on: []), revision("A2", on: ["A1"]), revision("A3", on: ["A2"], withdrawn: true),
            undo("A4", of: "A3"))
        #expect(all.candidates.map(\.dot) == [dot("A2"), dot("A1")])
    }

    @Test func redo_takesBackTheNewestUndo_andOthersOfTheSameChange() {
        let first = revision("A1", on: [])
        let changes = [revision("A2", on: ["A1"], withdrawn: true), revision("A3", on: ["A2"], withdrawn: true)]
        let all = history(
            first, changes[0], changes[1], undo("A4", of: "A3"), undo("B1", of: "A3", user: "bob"), undo("A5", of: "A2"))
        #expect(all.redo.map(\.dot) == [dot("A5")])
        #expect(all.changes(redoneBy: all.redo).map(\.dot) == [dot("A2")])
        let once = history(
            first, revision("A2", on: ["A1"]), changes[1], undo("A4", of: "A3"), undo("B1", of: "A3", user: "bob"),
            undo("A5", of: "A2", withdrawn: true), undo("A6", of: "A5"))
        #expect(once.redo.map(\.dot) == [dot("B1"), dot("A4")], "a redo is not redone")
    }

    // MARK: What undos do

    @Test func undoOfAnUndo_bringsBackItsWrites() {
        let known = [
            revision("A1", on: []), revision("A2", on: ["A1"]), revision("A3", on: ["A2"]), undo("A4", of: "A2", "A3"),
            undo("A5", of: "A4"), undo("A6", of: "A5"), undo("B1", of: "A3", user: "bob"),
        ]
        func effect(_ undone: String...) -> [[Dot]] {
            let effect = UndoEffects(known).effect(of: self.undo("A9", of: undone))
            return [effect.undone, effect.redone]
        }
        #expect(effect("A2") == [[dot("A2")], []])
        #expect(effect("A4") == [[], [dot("A2"), dot("A3")]])
        #expect(effect("A5") == [[dot("A2"), dot("A3")], []], "an undo of a redo undoes again")
        #expect(effect("A4", "B1") == [[], [dot("A2"), dot("A3")]], "each write is named once")
        #expect(effect("A2", "B1") == [[dot("A2")], [dot("A3")]])
        #expect(effect("C1") == [[dot("C1")], []], "an unknown revision counts as a write")
    }

    @Test func fate_saysWhatBecameOfNameAndNote() throws {
        func head(_ name: String?, deleted: Bool = false) -> Head {
            var head = Canned.note(1, name: name).head
            head.isDeleted = deleted
            return head
        }
        func sentence(
            _ before: Head, _ after: Head, lost: String? = nil, way: String = "undo", was: Bool = true
        ) throws -> String? {
            let lost = try lost.map { try NoteName(ByteString($0)) }
            return NoteFate(before: before, after: after, name: "b", lostName: lost, wayBack: way, wasDeleted: was).sentence
        }
        #expect(try sentence(head("b"), head("b")) == nil)
        #expect(try sentence(head(nil, deleted: true), head(nil, deleted: true)) == nil)
        #expect(try sentence(head("b"), head("a")) == "b is named a again")
        #expect(try sentence(head("b"), head(nil)) == "b has no name now")
        #expect(try sentence(head("b"), head(nil), lost: "a") == "b has no name now, because another note is named a")
        let gone = head(nil, deleted: true)
        #expect(try sentence(gone, head("a")) == "the note is back, named a again")
        #expect(try sentence(gone, head(nil)) == "the note is back, without a name")
        #expect(
            try sentence(gone, head(nil), lost: "a") == "the note is back, without a name, because another note is named a")
        #expect(try sentence(head("b"), gone) == "b is deleted again; `notesctl undo b` brings it back")
        #expect(try sentence(head("b"), gone, way: "redo") == "b is deleted again; `notesctl redo b` brings it back")
        #expect(try sentence(head("b"), gone, was: false) == "b is deleted; `notesctl undo b` brings it back")
    }

    @Test func redoAfterAChange_isNothing() {
        let undone = revision("A2", on: ["A1"], withdrawn: true)
        #expect(history(revision("A1", on: []), undone, undo("A3", of: "A2"), revision("A4", on: ["A3"])).redo.isEmpty)
        let others = history(revision("A1", on: []), undone, undo("A3", of: "A2"), revision("B1", on: ["A3"], user: "bob"))
        #expect(others.redo.map(\.dot) == [dot("A3")], "changes by others do not count")
        #expect(history(revision("A1", on: []), undo("B1", of: "A1", user: "bob")).redo.isEmpty)
    }
}
