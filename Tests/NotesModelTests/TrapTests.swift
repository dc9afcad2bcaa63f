import Causality
import NotesModel
import TestKit
import Testing
import TextMerge

/// Preconditions are checked: a violation ends the process with a message before anything is
/// decided.
@Suite struct TrapTests {
    @Test func idOfOtherUUIDVersion_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NoteID(high: 0, low: 0)
        }
        #expect(hasMessage("a note's id is a UUID of version 7", ended?.standardErrorContent))
    }

    @Test func cursorAfterNewestCommit_traps() async {
        let commit = CommitPosition(sequence: 3, replica: ReplicaID(bits: 1))
        #expect(Cursor(commit).newest == commit)
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Cursor(
                CommitPosition(sequence: 3, replica: ReplicaID(bits: 1)),
                newest: CommitPosition(sequence: 2, replica: ReplicaID(bits: 1)))
        }
        #expect(hasMessage("no commit is newer than the newest", ended?.standardErrorContent))
    }

    @Test func recordWithoutRevision_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Note(
                NoteRecord(
                    id: noteID(1), created: Timestamp(milliseconds: 0), vector: VersionVector(), sequence: 0, floor: nil, tail: []
                )
            )
        }
        #expect(hasMessage("a note has a revision", ended?.standardErrorContent))
    }

    @Test func unrequestedWaitingRevisions_trap() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var adoption = Adoption(
                of: [], releases: [dot("A1")], limits: ModelLimits(), replica: ReplicaID(bits: 1))
            adoption.supply(waiting: [], on: dot("A2"))
        }
        #expect(hasMessage("waiting revisions are supplied in the order of the releases", ended?.standardErrorContent))
    }

    @Test func cachedCopyOfHeldNote_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let note = Note(
                first: Revision(
                    note: noteID(1), dot: dot("A1"), parents: .nothing, edits: [], origin: .found, author: ada,
                    time: Timestamp(milliseconds: 0)))
            var copy = WorkingCopy(limits: ModelLimits())
            copy.supply(cached: note)
            copy.supply(cached: note)
        }
        #expect(hasMessage("a cached note must not replace a note that the batch holds", ended?.standardErrorContent))
    }
}
