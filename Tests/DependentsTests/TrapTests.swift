import Causality
import Dependents
import NotesModel
import TestKit
import Testing

@Suite struct TrapTests {
    /// Changes committed in the gap would never be reported.
    @Test func skippedCommit_traps() async {
        let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var session = Session()
            _ = session.world.commit(0)
            session.commit(0)
        }
        #expect(hasMessage("a store's sequences have no gap", ended?.standardErrorContent))
    }
}
