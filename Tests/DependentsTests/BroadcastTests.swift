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

    /// A session with dependents 1 to 3, which are up to date. 2 gets texts.
    private func synced() throws -> Session {
        var session = Session()
        let includes: [WatchDetail] = [.meta, .text, .meta]
        for (number, include) in zip([1, 2, 3] as [UInt64], includes) {
            session.register(number)
            _ = try session.watch(number, include: include)
            #expect(session.delivered(number) == ["1 synced @0"])
            session.dependents.drained(DependentID(number))
        }
        return session
    }

    @Test func broadcast_reachesEachOnce_asTheBatchesCome() throws {
        var session = try synced()
        for seq in 2...5 {
            let next = commit(&session)
            #expect(next.delivered == ["meta 1:\(seq) 3:\(seq)", "text 2:\(seq)"] && next.concerned.isEmpty)
            #expect(!session.dependents.hasPending(DependentID(1)) && !session.dependents.isBusy(DependentID(1)))
        }
    }

    @Test func laggingDependent_getsTheNewestLine_afterItsLinesDrain() throws {
        var session = try synced()
        session.dependents.fellBehind(DependentID(3))
        for seq in 2...4 {
            let next = commit(&session)
            #expect(next.delivered == ["meta 1:\(seq)", "text 2:\(seq)"] && next.concerned == [3])
        }
        session.dependents.drained(DependentID(3))
        #expect(!session.dependents.isBusy(DependentID(3)) && session.delivered(3) == ["2 created 0@3 x3"])
        #expect(commit(&session).delivered == ["meta 1:5 3:3", "text 2:5"])
    }

    /// The engine sent lines before it heard that the dependent fell behind. The connection reports
    /// each once, whichever the engine hears first.
    @Test func dependent_isBusyUntilEveryReportCame() throws {
        var session = try synced()
        let id = DependentID(3)
        session.dependents.sent(to: id)
        session.dependents.fellBehind(id)
        session.dependents.drained(id)
        #expect(session.dependents.isBusy(id) && commit(&session).concerned == [3])
        session.dependents.drained(id)
        #expect(!session.dependents.isBusy(id))
        session.dependents.drained(id)
        session.dependents.sent(to: id)
        #expect(session.dependents.isBusy(id), "a report that nobody awaits does not count for later")
    }

    @Test func withoutRoomForBroadcasts_batchesWaitInOutboxes() throws {
        var session = try synced()
        session.dependents.canBroadcast = false
        #expect(commit(&session).concerned == [1, 2, 3])
        session.dependents.canBroadcast = true
        #expect(commit(&session).concerned == [1, 2, 3], "the pending line is sent first")
        for number in [1, 2, 3] as [UInt64] { #expect(session.delivered(number) == ["2 created 0@2 x2"]) }
        #expect(commit(&session).delivered == ["meta 1:3 3:3", "text 2:3"])
    }
}
