import Causality
import TestKit
import Testing

/// Preconditions are checked: a caller that violates one ends the process with a message before
/// anything wrong is stored.
@Suite struct TrapTests {
    @Test func zeroCounter_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dot(ReplicaID(bits: 1), 0)
        }
        #expect(hasMessage("a counter is 1 to 2^63 - 1", ended?.standardErrorContent))
    }

    @Test func countersPastMaximum_trap() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var set = DotSet()
            set.insert(1...Dot.counterMax + 1, of: ReplicaID(bits: 1))
        }
        #expect(hasMessage("these are counters of dots", ended?.standardErrorContent))
    }

    @Test func duplicateDot_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var graph = RevisionGraph()
            graph.insert(dot("A1"), parents: .nothing)
            graph.insert(dot("A1"), parents: .nothing)
        }
        #expect(hasMessage("a dot names one revision only", ended?.standardErrorContent))
    }

    @Test func revisionBeforeItsParents_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var graph = RevisionGraph()
            graph.insert(dot("A2"), parents: seen("A1"))
        }
        #expect(hasMessage("a revision is adopted after its parents", ended?.standardErrorContent))
    }

    @Test func revisionWithoutFloorInPast_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var graph = RevisionGraph(floor: seen("A1"))
            graph.insert(dot("B1"), parents: .nothing)
        }
        #expect(hasMessage("above a floor everything has the floor in its past", ended?.standardErrorContent))
    }

    @Test func syncOfDifferentFloors_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var graph = RevisionGraph(floor: seen("A1"))
            graph.sync(RevisionGraph(floor: seen("A2")))
        }
        #expect(hasMessage("both graphs start above the same floor", ended?.standardErrorContent))
    }
}
