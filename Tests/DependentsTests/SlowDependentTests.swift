import Dependents
import NoteText
import NotesModel
import Testing

/// Protocol §5, *Slow dependents*, and guarantee G7.
@Suite struct SlowDependentTests {
    @Test func outbox_hasOneEntryPerNote() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        for round in 0..<900 { session.commit(round % 3) }
        #expect(session.dependents.describe()[0].outboxBytes == 3 * DependentLimits.entryBytes)
        #expect(session.delivered(1).dropFirst() == ["2 created 0@898 x300", "3 created 1@899 x300", "4 created 2@900 x300"])
    }

    @Test func watchOverLimit_isResetAndCatchesUpFromCursor() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 2 * DependentLimits.entryBytes))
        session.register(1)
        _ = try session.watch(1)
        session.commit(0)
        #expect(session.delivered(1) == ["1 synced @0", "2 created 0@1"])
        session.commit(0)
        session.commit(1)
        #expect(session.dependents.describe()[0].state == .lagging)
        session.commit(2)
        #expect(session.dependents.describe()[0].state == .reset)
        #expect(session.dependents.describe()[0].outboxBytes == 0)
        session.commit(3)
        session.commit(1)
        #expect(
            session.delivered(1) == [
                "3 reset outbox_full", "4 edited 0@2", "5 created 2@4", "6 created 3@5", "7 created 1@6 x2", "8 synced @6",
            ])
        #expect(session.dependents.describe()[0].state == .synced)
    }

    /// A note is created after the cursor, read for the catch-up, and changed again before its line
    /// is sent; then everything pending is dropped.
    @Test func readButUnsentNote_isComparedWithLastCursor() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 3 * DependentLimits.entryBytes))
        session.register(1)
        session.commit(0)
        session.commit(1)
        _ = try session.watch(1, .all, .since(1), include: .edits)
        guard case .read(let read) = session.dependents.next(for: DependentID(1)) else {
            Issue.record("no page is read")
            return
        }
        session.answer(read, of: DependentID(1))
        session.commit(1)
        guard case .read(.past) = session.dependents.next(for: DependentID(1)) else {
            Issue.record("the page is not over")
            return
        }
        for note in 2..<7 { session.commit(note) }
        #expect(session.dependents.describe()[0].state == .reset)
        #expect(session.delivered(1).prefix(2) == ["1 reset outbox_full", "2 created 1@3 x2"])
    }

    @Test func droppedWatch_queuesNothingUntilItReads() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: DependentLimits.entryBytes))
        session.register(1)
        _ = try session.watch(1)
        session.commit(0)
        #expect(session.commit(1) == [DependentID(1)])
        #expect(session.commit(2) == [])
        #expect(session.dependents.describe()[0].outboxBytes == 0)
    }

    /// However many watches share the outbox, the smallest share has room for a pending note and
    /// for one that is read while another arrives.
    @Test func minimalShare_deliversSingleChanges() throws {
        let watches = 3
        var session = Session(
            limits: DependentLimits(outboxBytesMax: watches * DependentLimits.shareBytesMin, watchesMax: watches))
        session.register(1)
        session.commit(0)
        for _ in 0..<watches { _ = try session.watch(1, .all, .since(0)) }
        session.commit(1)
        for note in 0..<3 {
            session.commit(note)
            #expect(!session.delivered(1).contains { $0.contains("reset") })
        }
        #expect(session.dependents.describe()[0].state == .synced)
    }

    @Test func slowDependent_delaysNoOther() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 4 * DependentLimits.entryBytes))
        session.register(1)
        session.register(2)
        _ = try session.watch(1)
        _ = try session.watch(2)
        _ = session.delivered(2)
        for round in 0..<40 {
            session.commit(round % 8)
            #expect(session.delivered(2).count == 1)
        }
        #expect(session.dependents.describe().map(\.state) == [.reset, .synced])
    }

    @Test func outboxLimit_isSharedByAllWatches() throws {
        let limit = 8 * DependentLimits.entryBytes
        var session = Session(limits: DependentLimits(outboxBytesMax: limit), notes: 100)
        session.register(1)
        for _ in 0..<4 { _ = try session.watch(1) }
        for round in 0..<200 {
            session.commit(round % 100)
            #expect(session.dependents.describe()[0].outboxBytes <= limit)
        }
    }

    @Test func resetDuringSnapshot_continuesSnapshot() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 2 * DependentLimits.entryBytes, pageNotesMax: 1))
        for note in 0..<4 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        #expect(session.line(1).map(session.short) == "1 snapshot 0@1")
        session.commit(0, isDeleted: true)
        session.commit(1)
        session.commit(4)
        // The tombstone is reported, since the client received the note.
        #expect(
            session.delivered(1) == [
                "2 reset outbox_full", "3 snapshot 2@3", "4 snapshot 3@4", "5 deleted 0@5", "6 snapshot 1@6", "7 snapshot 4@7",
                "8 synced @7",
            ])
    }

    @Test func reset_dropsReadPage() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 12 * DependentLimits.entryBytes), notes: 30)
        for note in 0..<6 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        #expect(session.line(1).map(session.short) == "1 snapshot 0@1")
        #expect(session.dependents.describe()[0].outboxBytes == 2 * DependentLimits.entryBytes)
        for note in 6..<30 { session.commit(note) }
        #expect(session.dependents.describe()[0].state == .reset)
        #expect(session.dependents.describe()[0].outboxBytes == 0)
    }

    @Test func reset_continuesAfterLastBatch() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 3 * DependentLimits.entryBytes))
        session.register(1)
        _ = try session.watch(1)
        #expect(session.delivered(1) == ["1 synced @0"])
        for note in 0..<2 { session.commit(note) }
        #expect(session.line(1).map(session.short) == "2 created 0@1")
        for note in 2..<5 { session.commit(note) }
        #expect(
            session.delivered(1) == [
                "3 reset outbox_full", "4 created 1@2", "5 created 2@3", "6 created 3@4", "7 created 4@5", "8 synced @5",
            ])
    }

    @Test func resetInSnapshot_continuesAfterSentNotes() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 3 * DependentLimits.entryBytes))
        for note in 0..<2 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        for note in 0..<2 { session.commit(note) }
        #expect(session.line(1).map(session.short) == "1 snapshot 0@3")
        for note in 2..<5 { session.commit(note) }
        #expect(
            session.delivered(1) == [
                "2 reset outbox_full", "3 snapshot 1@4", "4 snapshot 2@5", "5 snapshot 3@6", "6 snapshot 4@7", "7 synced @7",
            ])
    }

    @Test func additionalWatch_reducesOutboxOfOthers() throws {
        let limit = 4 * DependentLimits.entryBytes
        var session = Session(limits: DependentLimits(outboxBytesMax: limit))
        session.register(1)
        _ = try session.watch(1, Filter(prefix: "work/"))
        _ = session.delivered(1)
        for note in 0..<4 { session.commit(note, name: "work/a") }
        #expect(session.dependents.describe()[0].state == .lagging)
        _ = try session.watch(1, Filter(prefix: "home/"))
        #expect(session.dependents.describe()[0].state == .reset)
        for note in 4..<6 { session.commit(note, name: "home/a") }
        #expect(session.dependents.describe()[0].outboxBytes <= limit)
    }

    @Test func catchUpWithOneBusyNote_isNotReset() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: 4 * DependentLimits.entryBytes))
        for note in 0..<4 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        _ = session.line(1)
        for _ in 0..<20 { session.commit(3) }
        #expect(session.delivered(1) == ["2 snapshot 1@2", "3 snapshot 2@3", "4 snapshot 3@24", "5 synced @24"])
    }
}
