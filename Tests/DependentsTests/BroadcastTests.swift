import Dependents
import NotesModel
import Testing

/// A dependent with nothing pending and a socket that is not busy gets changes without a step.
@Suite struct BroadcastTests {
    /// Commits note 0 again. Returns the broadcasts with their detail and their receivers.
    private func commit(_ session: inout Session) -> (delivered: [String], concerned: [UInt64]) {
        let change = session.world.commit(0)
        session.world.seal()
        let (broadcasts, concerned) = session.dependents.committed([change])
        let delivered = broadcasts.map { broadcast in
            broadcast.include.rawValue + broadcast.recipients.map { " \($0.dependent.number):\($0.seq)" }.joined()
        }
        return (delivered, concerned.map(\.number))
    }

    @Test func broadcast_reachesEachOnce_untilItsLinesDrain() throws {
        var session = Session()
        let includes: [WatchDetail] = [.meta, .text, .meta]
        for (number, include) in zip([1, 2, 3] as [UInt64], includes) {
            session.register(number)
            _ = try session.watch(number, include: include)
            #expect(session.delivered(number) == ["1 synced @0"])
            session.dependents.drained(DependentID(number))
        }
        let first = commit(&session)
        #expect(first.delivered == ["meta 1:2 3:2", "text 2:2"] && first.concerned.isEmpty)
        #expect(session.dependents.isBusy(DependentID(1)) && !session.dependents.hasPending(DependentID(1)))
        let second = commit(&session)
        #expect(second.delivered.isEmpty && second.concerned == [1, 2, 3])
        for number in [1, 2, 3] as [UInt64] { #expect(session.delivered(number) == ["3 edited 0@2"]) }
        session.dependents.drained(DependentID(2))
        let third = commit(&session)
        #expect(third.delivered == ["text 2:4"] && third.concerned == [1, 3])
        session.dependents.drained(DependentID(2))
        let fourth = commit(&session)
        #expect(fourth.delivered == ["text 2:5"] && fourth.concerned == [1, 3])
    }
}
