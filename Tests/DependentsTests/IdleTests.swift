import Dependents
import NoteText
import NotesModel
import Testing

/// Protocol §5: a watch gets `watch.bookmark` after every 30 idle seconds.
@Suite struct IdleTests {
    @Test func idleWatch_getsBookmarkEveryThirtySeconds() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.delivered(1)
        #expect(session.dependents.tick(now: 29) == [])
        #expect(session.delivered(1) == [])
        #expect(session.dependents.tick(now: 30) == [DependentID(1)])
        #expect(session.delivered(1) == ["2 bookmark @0"])
        #expect(session.dependents.tick(now: 59) == [])
        #expect(session.dependents.tick(now: 60) == [DependentID(1)])
        #expect(session.delivered(1) == ["3 bookmark @0"])
    }

    @Test func line_restartsTheIdleTime() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.delivered(1)
        _ = session.dependents.tick(now: 20)
        session.commit(0)
        _ = session.delivered(1)
        #expect(session.dependents.tick(now: 49) == [])
        #expect(session.dependents.tick(now: 50) == [DependentID(1)])
    }

    @Test func bookmark_isAtNewestCommitOutsideFilter() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"))
        _ = session.delivered(1)
        for _ in 0..<5 { session.commit(0, name: "home/a") }
        _ = session.dependents.tick(now: 30)
        #expect(session.delivered(1) == ["2 bookmark @5"])
    }

    @Test func blockedWatch_getsOneBookmark() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.delivered(1)
        for now in 30...300 as ClosedRange<UInt64> { _ = session.dependents.tick(now: now) }
        #expect(session.delivered(1) == ["2 bookmark @0"])
    }

    @Test func watchWithPendingLines_isNotIdle() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        #expect(session.dependents.tick(now: 30) == [])
        _ = session.delivered(1)
        session.commit(0)
        #expect(session.dependents.tick(now: 90) == [])
        #expect(session.delivered(1) == ["2 created 0@1"])
    }

    @Test func clockSetBack_isHarmless() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.dependents.tick(now: 100)
        _ = session.delivered(1)
        #expect(session.dependents.tick(now: 3) == [])
        #expect(session.dependents.tick(now: 130) == [DependentID(1)])
    }
}
