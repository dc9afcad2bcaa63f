import Causality
import ClientTestKit
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the writes by which a set of revisions of a note is undone.
struct TakeBackTests {
    /// - Parameter undoes: the revisions that an undo names; empty for a write.
    private func revision(
        _ name: String, on parents: String..., undoes: [String] = [], withdrawn: Bool = false, deleted: Bool = false,
        purge: Bool = false, bytes: Int = 9
    ) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: Version(parents.map(dot)), author: ada, time: Timestamp(milliseconds: 0), bytes: bytes,
            isDeleted: deleted, name: nil, isStated: true, isPurge: purge, withdraws: undoes.map { dot($0) },
            isWithdrawn: withdrawn)
    }

    /// - Parameter history: oldest first.
    private func step(_ dots: [String], _ history: RevisionSummary..., deleted: Bool = false) -> TakeBack.Step? {
        TakeBack.step(undoing: Set(dots.map { dot($0) }), in: history.reversed(), isDeleted: deleted)
    }

    private func withdrawn(_ step: TakeBack.Step?) -> [Dot] {
        if case .withdraw(let revisions) = step { revisions.map(\.dot) } else { [] }
    }

    @Test func writesOfTheSet_areWithdrawnNewestFirst_andOnlyOnce() {
        let (p1, a2, p3, a4) = (
            revision("B1"), revision("A2", on: "B1"), revision("B3", on: "A2"), revision("A4", on: "B3")
        )
        #expect(withdrawn(step(["A2", "A4"], p1, a2, p3, a4)) == [dot("A4"), dot("A2")])
        #expect(step(["A2"], p1, revision("A2", on: "B1", withdrawn: true), revision("B3", on: "A2", undoes: ["A2"])) == nil)
        #expect(step([], p1, a2) == nil)
    }

    @Test func purges_stay() {
        let history = [revision("A2", on: "A1", purge: true), revision("A3", on: "A2")]
        #expect(withdrawn(step(["A2", "A3"], history[0], history[1])) == [dot("A3")])
        #expect(step(["A2"], history[0], history[1]) == nil)
    }

    /// Withdrawing the undo alone would bring back the write that it undid.
    @Test func undoOfOwnWrites_stays() {
        let history = [revision("B1"), revision("A2", on: "B1", withdrawn: true), revision("A3", on: "A2", undoes: ["A2"])]
        #expect(step(["A2", "A3"], history[0], history[1], history[2]) == nil)
        // The write is from before the set.
        #expect(withdrawn(step(["A3"], history[0], history[1], history[2])) == [dot("A3")])
    }

    @Test func undoOfOthersWrites_isWithdrawnFirst() {
        let mixed = revision("A4", on: "A3", undoes: ["B2", "A3"])
        let before = [revision("B1"), revision("B2", on: "B1", withdrawn: true), revision("A3", on: "B2", withdrawn: true)]
        #expect(withdrawn(step(["A3", "A4"], before[0], before[1], before[2], mixed)) == [dot("A4")])
        let after = (
            revision("B2", on: "B1"), revision("A3", on: "B2"),
            revision("A4", on: "A3", undoes: ["B2", "A3"], withdrawn: true), revision("B5", on: "A4", undoes: ["A4"])
        )
        #expect(withdrawn(step(["A3", "A4"], before[0], after.0, after.1, after.2, after.3)) == [dot("A3")])
    }

    @Test func ownNote_isDeleted_unlessOthersWroteInIt() {
        let (created, later) = (revision("A1"), revision("A2", on: "A1"))
        #expect(step(["A1", "A2"], created, later) == .delete)
        #expect(step(["A1", "A2"], created, later, deleted: true) == nil)
        let deletion = revision("B3", on: "A2", deleted: true)
        #expect(step(["A1", "A2"], created, later, deletion, deleted: true) == nil, "the undo was made already")
        let other = revision("B3", on: "A2")
        #expect(withdrawn(step(["A1", "A2"], created, later, other)) == [dot("A2")])
        let undone = revision("A2", on: "A1", withdrawn: true)
        let undo = revision("B4", on: "B3", undoes: ["A2"])
        #expect(step(["A1", "A2"], created, undone, other, undo) == .clear(created))
        let cleared = revision("B5", on: "A1", bytes: 0)
        #expect(step(["A1", "A2"], created, undone, other, undo, cleared) == nil)
        #expect(step(["A1"], revision("A1", bytes: 0), revision("B2", on: "A1")) == nil, "there is no text to remove")
        // A write of others that others undid does not keep the note.
        let gone = revision("B3", on: "A1", withdrawn: true)
        #expect(step(["A1"], created, gone, revision("B4", on: "B3", undoes: ["B3"])) == .delete)
        // One that only the set undid does.
        #expect(withdrawn(step(["A1", "A4"], created, gone, revision("A4", on: "B3", undoes: ["B3"]))) == [dot("A4")])
    }
}
