import Dependents
import NoteText
import NotesModel
import Testing

/// Protocol §5: snapshots, `since`, the tail, and `watch.synced`.
@Suite struct CatchUpTests {
    @Test func snapshot_listsEachMatchingNoteOnce() throws {
        var session = Session()
        session.commit(0, name: "work/a")
        session.commit(1, name: "home/a")
        session.commit(2, name: "work/b")
        session.commit(2, isDeleted: true)
        session.commit(0, name: "work/a")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"), .snapshot)
        #expect(session.delivered(1) == ["1 snapshot 0@5", "2 synced @5"])
        session.register(2)
        _ = try session.watch(2, Filter(deleted: true), .snapshot)
        #expect(session.delivered(2) == ["1 snapshot 2@4", "2 synced @5"])
    }

    @Test func emptyStore_isSyncedAtOnce() throws {
        for start in [Start.snapshot, .since(0), .tail] {
            var session = Session()
            session.register(1)
            _ = try session.watch(1, .all, start)
            #expect(session.delivered(1) == ["1 synced @0"])
        }
    }

    @Test func snapshot_includesChangesOfPendingNotes() throws {
        var session = Session(limits: DependentLimits(pageNotesMax: 1))
        for note in 0..<3 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        #expect(session.line(1).map(session.short) == "1 snapshot 0@1")
        session.commit(0)
        session.commit(2)
        session.commit(5)
        // Note 0 was sent before; note 2 was due; note 5 is new, and the snapshot does not wait for
        // it.
        #expect(session.delivered(1) == ["2 snapshot 1@2", "3 edited 0@4", "4 snapshot 2@5", "5 synced @5", "6 created 5@6"])
    }

    @Test func changeOfWaitingPage_isSentOnce() throws {
        var session = Session()
        for note in 0..<3 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        _ = session.line(1)
        session.commit(1)
        session.commit(2, isDeleted: true)
        #expect(session.delivered(1) == ["2 snapshot 1@4", "3 deleted 2@5 x2", "4 synced @5"])
    }

    @Test func snapshot_endsDespiteFastWriter() throws {
        var session = Session(limits: DependentLimits(movesMax: 10, pageNotesMax: 1))
        for note in 0..<4 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        var delivered: [String] = []
        for _ in 0..<60 where !delivered.contains(where: { $0.contains("synced") }) {
            session.commit(3)
            session.commit(2)
            if let line = session.line(1) { delivered.append(session.short(line)) }
        }
        #expect(delivered.contains { $0.contains("synced") }, "\(delivered)")
    }

    @Test func since_sendsEachChangedNoteOnce_thenSynced() throws {
        var session = Session()
        for note in [0, 1, 2, 0, 3, 0] { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .since(2))
        #expect(session.delivered(1) == ["1 created 2@3", "2 created 3@5", "3 edited 0@6 x2", "4 synced @6"])
    }

    @Test func sinceNewestCommit_isSyncedAtOnce() throws {
        var session = Session()
        session.commit(0)
        session.register(1)
        _ = try session.watch(1, .all, .since(1))
        #expect(session.delivered(1) == ["1 synced @1"])
    }

    @Test func since_neverSendsSnapshot() throws {
        var session = Session()
        session.commit(0)
        session.commit(1)
        session.commit(1, isDeleted: true)
        session.register(1)
        _ = try session.watch(1, .all, .since(0))
        #expect(session.delivered(1) == ["1 created 0@1", "2 deleted 1@3 x2", "3 synced @3"])
    }

    @Test func since_sendsLeftForChangedNonMatchingNotes() throws {
        var session = Session()
        session.commit(0, name: "work/a")
        session.commit(1, name: "home/a")
        session.commit(0, name: "home/b")
        session.commit(1, name: "home/c")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"), .since(2))
        #expect(session.delivered(1) == ["1 left 0@3", "2 left 1@4", "3 synced @4"])
    }

    @Test func leftNoteChangedBeforeSending_isSentAsLeft() throws {
        var session = Session()
        session.commit(0, name: "work/a")
        session.commit(0, name: "home/a")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"), .since(1))
        session.commit(0, name: "home/b")
        #expect(session.delivered(1) == ["1 left 0@3 x2", "2 synced @3"])
    }

    @Test func snapshot_omitsNotesOutsideTheFilter() throws {
        var session = Session()
        session.commit(0, name: "home/a")
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"), .snapshot)
        session.commit(0, name: "home/b")
        #expect(session.delivered(1) == ["1 synced @2"])
    }

    @Test func since_omitsNotesWithOtherIDs() throws {
        var session = Session()
        for note in 0..<3 { session.commit(note) }
        session.commit(0, isDeleted: true)
        session.register(1)
        _ = try session.watch(1, Filter(ids: [session.world.ids[1]]), .since(0))
        session.commit(2)
        #expect(session.delivered(1) == ["1 created 1@2", "2 synced @5"])
    }

    @Test func since_comparesWithStateAtCursor() throws {
        var session = Session()
        session.commit(0, name: "work/a")
        session.commit(1, name: "home/a")
        session.commit(2, isDeleted: true)
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"), .since(3), include: .edits)
        for note in 0..<4 { session.commit(note, name: "work/\(note)") }
        session.register(2)
        _ = try session.watch(2, Filter(prefix: "work/"), .since(3), include: .edits)
        #expect(session.delivered(2) == ["1 edited 0@4", "2 created 1@5", "3 restored 2@6", "4 created 3@7", "5 synced @7"])
        #expect(session.delivered(1) == ["1 synced @3", "2 edited 0@4", "3 created 1@5", "4 restored 2@6", "5 created 3@7"])
    }

    /// A run of the daemon does not know how many commits were made before it began: the store
    /// counts them.
    @Test func firstLineAfterRestart_hasStartOfCounting() throws {
        let limits = DependentLimits(pageNotesMax: 1)
        var session = Session(limits: limits)
        for note in [0, 0, 0, 1] { session.commit(note) }
        session.dependents = Dependents(limits: limits, newest: 4)
        session.register(1)
        _ = try session.watch(1, .all, .since(1))
        session.commit(1)
        let lines = session.changes(1)
        #expect(lines.map(\.to) == [3, 5])
        #expect(lines.map(\.uncountedAfter) == [1, 1])
        session.commit(1)
        #expect(session.changes(1).map(\.uncountedAfter) == [nil])
    }

    @Test func pendingNoteChangedAgain_isComparedWithCursorState() throws {
        var session = Session(limits: DependentLimits(pageNotesMax: 1))
        session.commit(0)
        session.commit(1)
        session.commit(0)
        session.commit(1, isDeleted: true)
        session.register(1)
        _ = try session.watch(1, .all, .since(2), include: .edits)
        session.commit(1)
        let lines = session.lines(1)
        #expect(lines.map(session.short) == ["1 edited 0@3", "2 edited 1@5 x2", "3 synced @5"])
        for case .changed(let line) in lines { #expect(session.world.head(line.note, asOf: line.from)?.isDeleted == false) }
    }

    @Test func watchWithoutSnapshot_startsAtTail() throws {
        var session = Session()
        session.commit(0)
        session.register(1)
        _ = try session.watch(1, .all, .tail)
        session.commit(1)
        #expect(session.delivered(1) == ["1 synced @1", "2 created 1@2"])
    }

    @Test func startPastNewestCommit_isClampedToIt() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1, .all, .since(99))
        session.commit(0)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@1"])
    }

    @Test func catchUpLines_haveChangeCountAndNewestOrigin() throws {
        var session = Session()
        session.commit(0, by: 4)
        session.commit(0, by: 5)
        session.register(1)
        _ = try session.watch(1, .all, .since(0))
        let line = try #require(session.changes(1).first)
        #expect(line.changes == 2)
        #expect(line.origin?.dependent == DependentID(5))
    }

    @Test func snapshotLine_countsNoChange() throws {
        var session = Session()
        for _ in 0..<3 { session.commit(0) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        session.commit(0)
        #expect(session.delivered(1) == ["1 snapshot 0@4", "2 synced @4"])
    }
}
