import Causality
import NoteText
import NotesModel
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the times that an undo states.
struct UndoTimesTests {
    private func revision(_ name: String, at time: Int64, stated: Int64? = nil, of undone: String...) -> RevisionSummary {
        RevisionSummary(
            dot: dot(name), parents: .nothing, author: ada, time: Timestamp(milliseconds: time), bytes: 0, isDeleted: false,
            name: nil, isStated: false, withdraws: undone.map { dot($0) },
            times: stated.map { FileTimes(modified: Timestamp(milliseconds: $0)) })
    }

    /// - Parameter revisions: oldest first.
    private func modified(_ revisions: RevisionSummary..., withdrawing names: String...) -> Int64? {
        UndoHistory(revisions.reversed(), user: "ada").times(withdrawing: names.map { dot($0) })?.modified.milliseconds
    }

    @Test func undo_statesTheTimeOfTheNewestWriteThatStays() {
        let (first, second) = (revision("A1", at: 100, stated: 1), revision("A2", at: 200, stated: 2))
        let edit = revision("A3", at: 300)
        #expect(modified(first, second, withdrawing: "A2") == 1)
        #expect(modified(first, second, edit, withdrawing: "A2") == 300)
        #expect(modified(first, second, edit, withdrawing: "A3") == 2)
        #expect(modified(first, second, edit, withdrawing: "A2", "A3") == 1)
        // A redo.
        let undo = revision("A4", at: 400, stated: 1, of: "A2", "A3")
        #expect(modified(first, second, edit, undo, withdrawing: "A4") == 300)
        let redo = revision("A5", at: 500, stated: 300, of: "A4")
        #expect(modified(first, second, edit, undo, redo, withdrawing: "A5") == 1)
        #expect(modified(first, second, edit, undo, redo, withdrawing: "A3") == 2)
    }

    @Test func undo_statesNoTime_ifNoFileDid() {
        #expect(modified(revision("A1", at: 100), revision("A2", at: 200), withdrawing: "A2") == nil)
        #expect(modified(revision("A1", at: 100, stated: 1), withdrawing: "A1") == nil)
    }
}
