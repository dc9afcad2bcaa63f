import Dependents
import NotesModel
import Testing

/// Protocol §5: `echo: false` leaves out lines that stand only for the connection's own writes.
@Suite struct EchoTests {
    @Test func ownWrites_areEchoedByDefault() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        session.commit(0, by: 1)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@1"])
    }

    @Test func linesOfOnlyOwnWrites_areOmitted() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1, echo: false)
        _ = session.delivered(1)
        #expect(session.commit(0, by: 1) == [])
        #expect(session.commit(0, by: 1) == [])
        #expect(session.delivered(1) == [])
    }

    @Test func omittedOwnWrites_advanceTheCursor() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1, echo: false)
        _ = session.delivered(1)
        session.commit(0, by: 1)
        session.commit(1, by: 2)
        // Its cursor is after the own write.
        #expect(session.delivered(1) == ["2 created 1@2"])
    }

    @Test func omittedOwnWrites_countAsDelivered() throws {
        var session = Session()
        session.commit(0)
        session.register(1)
        _ = try session.watch(1, echo: false)
        session.commit(0, by: 1)
        session.commit(0, by: 2)
        let line = try #require(session.changes(1).last)
        #expect(line.from == 2)
        #expect(line.changes == 1)
    }

    @Test func mixedWrites_areSentWithNewestOrigin() throws {
        var session = Session()
        session.commit(0)
        session.register(1)
        _ = try session.watch(1, echo: false)
        session.commit(0, by: 2)
        session.commit(0, by: 1)
        let line = try #require(session.changes(1).last)
        #expect(line.to == 3)
        #expect(line.from == 1)
        #expect(line.changes == 2)
        #expect(line.origin?.dependent == DependentID(1))
    }

    @Test func ownWrites_areOmittedAfterReset() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: DependentLimits.entryBytes))
        session.register(1)
        _ = try session.watch(1, echo: false)
        _ = session.delivered(1)
        session.commit(0, by: 2)
        session.commit(1, by: 2)
        session.commit(2, by: 1)
        session.commit(0, by: 1)
        #expect(session.delivered(1) == ["2 reset outbox_full", "3 created 1@2", "4 created 0@4 x2", "5 synced @4"])
    }

    @Test func catchUp_omitsOwnWrites() throws {
        var session = Session()
        session.register(1)
        session.commit(0, by: 1)
        session.commit(1, by: 2)
        _ = try session.watch(1, .all, .since(0), echo: false)
        #expect(session.delivered(1) == ["1 created 1@2", "2 synced @2"])
    }

    @Test func catchUpWithEcho_sendsOwnWrites() throws {
        var session = Session()
        session.register(1)
        session.commit(0, by: 1)
        _ = try session.watch(1, .all, .since(0))
        #expect(session.delivered(1) == ["1 created 0@1", "2 synced @1"])
    }

    @Test func ownWriteAfterAnonymousWrite_isSent() throws {
        var session = Session()
        session.register(1)
        session.commit(0)
        session.commit(0, by: 1)
        _ = try session.watch(1, .all, .since(0), echo: false)
        #expect(session.delivered(1) == ["1 created 0@2 x2", "2 synced @2"])
    }

    @Test func snapshot_includesOwnNotes() throws {
        var session = Session()
        session.register(1)
        session.commit(0, by: 1)
        _ = try session.watch(1, .all, .snapshot, echo: false)
        #expect(session.delivered(1) == ["1 snapshot 0@1", "2 synced @1"])
    }

    @Test func ownWrite_mergesIntoFrozenEntry() throws {
        var session = Session(limits: DependentLimits(movesMax: 0))
        session.register(1)
        _ = try session.watch(1, echo: false)
        session.commit(0, by: 2)
        session.commit(0, by: 1)
        session.commit(0, by: 2)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@2 x2", "3 edited 0@3"])
    }

    @Test func ownWriteWithEcho_keepsFrozenEntry() throws {
        var session = Session(limits: DependentLimits(movesMax: 0))
        session.register(1)
        _ = try session.watch(1)
        for _ in 0..<2 { session.commit(0, by: 1) }
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@1", "3 edited 0@2"])
    }

    @Test func ownWriteAfterOlderSentState_isSentAfterReset() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 3 * DependentLimits.entryBytes, movesMax: 0))
        session.register(1)
        _ = try session.watch(1, echo: false)
        _ = session.delivered(1)
        session.commit(0, by: 2)
        session.commit(0, by: 2)
        session.commit(1, by: 2)
        session.commit(0, by: 1)
        // Commit 1 kept its place, and is sent after the response to the own write.
        #expect(session.line(1).map(session.short) == "2 created 0@1")
        #expect(session.line(1).map(session.short) == "3 created 1@3")
        for note in 1...4 { session.commit(note, by: 2) }
        #expect(session.delivered(1).prefix(2) == ["4 reset outbox_full", "5 edited 0@4"])
    }

    @Test func anonymousWrites_areNotOwn() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1, echo: false)
        session.commit(0)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@1"])
    }
}
