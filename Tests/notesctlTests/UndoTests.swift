import Causality
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import notesctl

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

    @Test func redoAfterAChange_isNothing() {
        let undone = revision("A2", on: ["A1"], withdrawn: true)
        #expect(history(revision("A1", on: []), undone, undo("A3", of: "A2"), revision("A4", on: ["A3"])).redo.isEmpty)
        let others = history(revision("A1", on: []), undone, undo("A3", of: "A2"), revision("B1", on: ["A3"], user: "bob"))
        #expect(others.redo.map(\.dot) == [dot("A3")], "changes by others do not count")
        #expect(history(revision("A1", on: []), undo("B1", of: "A1", user: "bob")).redo.isEmpty)
    }
}
