import Causality
import TestKit
import Testing

@testable import TextMerge

/// Preconditions are checked: a caller that violates one ends the process with a message before a
/// wrong text can appear.
@Suite struct TrapTests {
    @Test func descendingEdit_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Edit(2, 1, "")
        }
        #expect(hasMessage("an edit's range ascends", ended?.standardErrorContent))
    }

    @Test func applyingEditsPastEnd_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = [Edit(2, 3, "")].applied(to: bytes("ab"))
        }
        #expect(hasMessage("the edits fit the text", ended?.standardErrorContent))
    }

    @Test func replayingEditsPastEnd_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var view = View(naming: .cheap)
            view.append(contentsOf: [.stated("A1", on: "", Edit(0, 0, "ab")), .stated("B1", on: "", Edit(2, 3, ""))])
        }
        #expect(hasMessage("the edits fit the text that the writer saw", ended?.standardErrorContent))
    }

    @Test func revisionReplayedOutOfOrder_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var walk = Walk(text: [], at: .nothing, limits: WalkLimits())
            _ = walk.replay(
                .stated("A1", on: "", Edit(0, 0, "a")), ordinal: 1, restores: false, hidesLast: false, in: RevisionGraph(),
                naming: .cheap)
        }
        #expect(hasMessage("revisions are replayed in the order of the graph", ended?.standardErrorContent))
    }

    @Test func runInsertedOutOfOrder_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var sequence = RunSequence(blockRunsMax: 2)
            _ = sequence.insert(1, after: nil)
        }
        #expect(hasMessage("runs are numbered in the order of insertion", ended?.standardErrorContent))
    }

    @Test func textBelowFloor_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var view = View(floor: dot("A2"), text: [], isDeleted: false, conflicts: [], naming: .cheap)
            _ = view.text(at: seen("A1"))
        }
        #expect(hasMessage("the version is not below the floor", ended?.standardErrorContent))
    }

    @Test func conflictsBelowFloor_trap() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var view = View(floor: dot("A2"), text: [], isDeleted: false, conflicts: [], naming: .cheap)
            _ = view.conflicts(at: seen("A1"))
        }
        #expect(hasMessage("the version is not below the floor", ended?.standardErrorContent))
    }

    @Test func duplicateDotOfFloor_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var view = View(naming: .cheap)
            view.append(.stated("A1", on: "", Edit(0, 0, "a")))
            view.append(.stated("A1", on: "A1", Edit(0, 0, "a")))
        }
        #expect(hasMessage("a dot names one revision only", ended?.standardErrorContent))
    }

    @Test func shortHash_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let member = ConflictMember(dot: dot("A1"), index: 0)
            _ = ConflictNaming { _ in [1, 2, 3] }.id(.text, least: (member, member))
        }
        #expect(hasMessage("an id has 16 bytes", ended?.standardErrorContent))
    }
}
