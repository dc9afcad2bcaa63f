import Causality
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import notesctl

/// Tests of the change that `undo` chooses and of the text that it writes.
struct UndoTests {
    private func revision(
        _ name: String, on parents: [String], user: ByteString = "ada", label: String = "vim"
    ) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: Version(parents.map(dot)), author: Author(user: user, label: ByteString(label)),
            time: Timestamp(milliseconds: 0), bytes: 0, isDeleted: false, name: nil, isStated: false)
    }

    private func undo(_ name: String, of undone: String, on parents: [String]) -> RevisionSummary {
        revision(name, on: parents, label: UndoHistory.label(undoing: dot(undone)))
    }

    private func history(_ revisions: RevisionSummary..., label: ByteString? = nil) -> UndoHistory {
        UndoHistory(revisions: revisions.reversed(), user: "ada", label: label)
    }

    // MARK: Which change

    @Test func newestOwnChange_isFirst() {
        let all = history(
            revision("A1", on: []), revision("A2", on: ["A1"], label: "emacs"), revision("B1", on: ["A2"], user: "bob"))
        #expect(all.candidates.map(\.dot) == [dot("A2"), dot("A1")])
        let vim = UndoHistory(revisions: all.revisions, user: "ada", label: "vim")
        #expect(vim.candidates.map(\.dot) == [dot("A1")])
    }

    @Test func undoneChangesAndUndos_areNoCandidates() {
        let first = [revision("A1", on: []), revision("A2", on: ["A1"]), revision("A3", on: ["A2"])]
        let once = first + [undo("A4", of: "A3", on: ["A3"])]
        let twice = once + [undo("A5", of: "A2", on: ["A4"])]
        func candidates(_ revisions: [RevisionSummary]) -> [Dot] {
            UndoHistory(revisions: revisions.reversed(), user: "ada", label: nil).candidates.map(\.dot)
        }
        #expect(candidates(once) == [dot("A2"), dot("A1")])
        #expect(candidates(twice) == [dot("A1")])
        #expect(candidates(twice + [revision("A6", on: ["A5"])]) == [dot("A6"), dot("A1")])
        #expect(candidates(twice + [revision("B1", on: ["A5"], user: "bob")]) == [dot("A1")])
    }

    @Test func undosOfOtherUsers_areIgnored() {
        let revisions = [
            revision("A1", on: []),
            revision("B1", on: ["A1"], user: "bob", label: UndoHistory.label(undoing: dot("A1"))),
        ]
        #expect(UndoHistory(revisions: revisions.reversed(), user: "ada", label: nil).candidates.map(\.dot) == [dot("A1")])
    }

    @Test(arguments: [
        "notesctl undo ", "notesctl undo x", "notesctl undo aaaaaaaaaaaaaaaa:2 ", "Notesctl undo aaaaaaaaaaaaaaaa:2",
    ])
    func otherLabel_isNoUndo(label: String) {
        #expect(UndoHistory.undone(by: revision("A1", on: [], label: label)) == nil)
    }

    @Test func base_coversLaterUndos() {
        let all = history(
            revision("A1", on: []), revision("A2", on: ["A1"]), revision("A3", on: ["A2"]), undo("A4", of: "A3", on: ["A3"]),
            revision("B1", on: ["A4"], user: "bob"))
        #expect(all.base(for: revision("A3", on: ["A2"])) == version("A3", "A4"))
        #expect(all.base(for: revision("A2", on: ["A1"])) == version("A2", "A4"))
        let plain = history(revision("A1", on: []), revision("A2", on: ["A1"]))
        #expect(plain.base(for: revision("A2", on: ["A1"])) == version("A2"))
    }

    // MARK: Its text

    private func text(before: String, after: String, now: String) -> String? {
        UndoText.text(before: bytes(before), after: bytes(after), now: bytes(now)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func undo_keepsLaterChanges() {
        #expect(text(before: "a\n", after: "a\nb\n", now: "a\nb\n") == "a\n")
        #expect(text(before: "1\n2\n3\n4\n", after: "1\ntwo\n3\n4\n", now: "1\ntwo\n3\n4\nfive\n") == "1\n2\n3\n4\nfive\n")
        #expect(text(before: "a\n", after: "a\nb\n", now: "a\n") == "a\n", "it was undone by hand")
    }

    @Test func overlappingUndo_isLeftToTheDaemon() {
        #expect(text(before: "a\n", after: "b\n", now: "c\n") == nil)
        #expect(text(before: "1\n", after: "1\n2\n", now: "1\n2\n3\n") == nil, "side by side")
    }

    /// Adds a line, removes it, undoes the removal and then the addition: the restored line goes
    /// too.
    @Test func repeatedUndo_reachesTheBeginning() {
        let steps = ["x\n", "x\na\n", "x\n", "x\ny\n", "z\n"]
        var now = steps[4]
        for step in steps.indices.dropFirst().reversed() {
            let taken = text(before: steps[step - 1], after: steps[step], now: now)
            #expect(taken == steps[step - 1])
            now = taken ?? now
        }
    }
}
