import Dependents
import NoteText
import NotesModel
import Testing

@Suite struct RegistrationTests {
    @Test func description_matchesRegistration() throws {
        var session = Session()
        session.register(17)
        let watch = try session.watch(17)
        let description = try #require(session.dependents.describe().first)
        #expect(description.dependent == DependentID(17))
        #expect(description.registration == .named("label 17"))
        #expect(description.watches == [watch])
        #expect(description.outboxBytes == 0)
        #expect(session.dependents.origin(of: DependentID(17)) == Origin(dependent: DependentID(17), label: "label 17"))
    }

    @Test func state_isLaggingWhilePending_thenSynced() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        #expect(session.delivered(1) == ["1 synced @0"])
        #expect(session.dependents.describe()[0].state == .synced)
        session.commit(0)
        #expect(session.dependents.describe()[0].state == .lagging)
        #expect(session.dependents.describe()[0].outboxBytes == DependentLimits.entryBytes)
        _ = session.delivered(1)
        #expect(session.dependents.describe()[0].state == .synced)
        #expect(session.dependents.describe()[0].outboxBytes == 0)
    }

    @Test func releasedDependent_isForgotten() throws {
        var session = Session()
        session.register(1)
        session.register(2)
        _ = try session.watch(1)
        _ = try session.watch(2)
        session.dependents.release(DependentID(1))
        session.dependents.release(DependentID(1))
        #expect(session.commit(0) == [DependentID(2)])
        #expect(session.delivered(1) == [])
        #expect(session.dependents.registration(of: DependentID(1)) == nil)
        #expect(session.dependents.origin(of: DependentID(1)) == nil)
        #expect(session.dependents.ids == [DependentID(2)])
    }

    @Test func ids_listAllRegisteredDependents() {
        var session = Session()
        for number in [3, 5, 9] as [UInt64] { session.register(number) }
        #expect(session.dependents.ids == [3, 5, 9].map(DependentID.init))
        #expect(session.dependents.count == 3)
    }

    @Test func registrations_mayComeInAnyOrder() throws {
        var session = Session()
        for number in [7, 3, 9, 5] as [UInt64] {
            session.register(number)
            _ = try session.watch(number)
        }
        #expect(session.commit(0) == [3, 5, 7, 9].map(DependentID.init))
        for number in [3, 5, 7, 9] as [UInt64] { #expect(session.delivered(number) == ["1 synced @0", "2 created 0@1"]) }
    }

    @Test func secondRegistration_keepsWatches() throws {
        var session = Session()
        session.register(1)
        let watch = try session.watch(1)
        session.dependents.register(DependentID(1), .named("renamed"))
        #expect(session.dependents.describe().map(\.watches) == [[watch]])
        #expect(session.dependents.origin(of: DependentID(1))?.label == "renamed")
    }

    @Test func watchNumbers_startAtOne_andAreNotReused() throws {
        var session = Session()
        session.register(1)
        session.register(2)
        #expect(try session.watch(1) == WatchID(1))
        #expect(try session.watch(1) == WatchID(2))
        #expect(try session.watch(2) == WatchID(1))
        #expect(session.dependents.unwatch(DependentID(1), WatchID(2)) == true)
        #expect(try session.watch(1) == WatchID(3))
    }

    @Test func unwatch_dropsPendingLines() throws {
        var session = Session()
        session.register(1)
        let watch = try session.watch(1)
        session.commit(0)
        #expect(session.dependents.unwatch(DependentID(1), watch) == true)
        #expect(session.delivered(1) == [])
        #expect(session.commit(0) == [])
        #expect(session.dependents.unwatch(DependentID(1), watch) == false)
        #expect(session.dependents.unwatch(DependentID(7), watch) == false)
    }

    @Test func hasWatches_isTrueUntilTheLastEnds() throws {
        var session = Session()
        session.register(1)
        session.register(2)
        #expect(!session.dependents.hasWatches)
        let watch = try session.watch(1)
        _ = try session.watch(2)
        #expect(session.dependents.hasWatches)
        #expect(session.dependents.unwatch(DependentID(1), watch) == true)
        #expect(session.dependents.hasWatches)
        session.dependents.release(DependentID(2))
        #expect(!session.dependents.hasWatches)
        session.register(2)
        _ = try session.watch(1)
        _ = try session.watch(2)
        session.dependents.release(DependentID(2))
        #expect(session.dependents.hasWatches, "the one that began first is left")
    }

    @Test func watchOfUnregisteredDependent_isRefused() {
        var session = Session()
        #expect(throws: WatchRefusal.notRegistered) { _ = try session.watch(1) }
    }

    @Test func watchOverLimit_isRefusedAndChangesNothing() throws {
        var session = Session(limits: DependentLimits(watchesMax: 2))
        session.register(1)
        _ = try session.watch(1)
        let second = try session.watch(1)
        #expect(throws: WatchRefusal.tooMany(limit: 2)) { _ = try session.watch(1) }
        #expect(session.dependents.describe()[0].watches.count == 2)
        #expect(session.dependents.unwatch(DependentID(1), second) == true)
        #expect(try session.watch(1) == WatchID(3))
    }

    @Test func filterOfManyIDs_countsAsSeveralWatches() throws {
        var session = Session(limits: DependentLimits(watchesMax: 3))
        session.register(1)
        let ids = Set((1...UInt64(2_000)).map { NoteID(at: Timestamp(milliseconds: 0), random: ($0, $0)) })
        #expect(throws: WatchRefusal.tooMany(limit: 3)) {
            _ = try session.watch(1)
            _ = try session.watch(1, Filter(ids: ids))
        }
        _ = try session.watch(1, Filter(ids: Set(ids.prefix(1_000))))
        #expect(throws: WatchRefusal.tooMany(limit: 3)) { _ = try session.watch(1) }
    }

    @Test func commit_namesOnlyDependentsWithLines() throws {
        var session = Session()
        for number in 1...3 as ClosedRange<UInt64> { session.register(number) }
        _ = try session.watch(1, Filter(prefix: "work/"))
        _ = try session.watch(2, Filter(prefix: "home/"))
        #expect(session.commit(0, name: "work/a") == [DependentID(1)])
        #expect(session.commit(0, name: "home/a") == [DependentID(1), DependentID(2)])
        #expect(session.commit(1, name: "else/a") == [])
    }

    @Test func commit_namesDependentIfAnyWatchHasLines() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.delivered(1)
        _ = try session.watch(1, Filter(prefix: "home/"), .snapshot)
        #expect(session.commit(0, name: "work/a") == [DependentID(1)])
    }

    @Test func emptyBatch_changesNothing() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        let delivered = session.dependents.committed([])
        #expect(delivered.broadcasts.isEmpty && delivered.concerned.isEmpty)
        #expect(session.delivered(1) == ["1 synced @0"])
    }

    @Test func dependent_isBusyUntilLinesDrain() {
        var session = Session()
        session.register(1)
        session.dependents.drained(DependentID(1))
        #expect(!session.dependents.isBusy(DependentID(1)))
        session.dependents.sent(to: DependentID(1))
        #expect(session.dependents.isBusy(DependentID(1)))
        session.dependents.drained(DependentID(1))
        #expect(!session.dependents.isBusy(DependentID(1)))
        session.dependents.sent(to: DependentID(2))
        #expect(!session.dependents.isBusy(DependentID(2)), "nobody is registered so")
    }

    /// Until then the store keeps the past states of its notes.
    @Test func watch_needsPastUntilAllIsSent() throws {
        var session = Session()
        for note in 0..<3 { session.commit(note) }
        session.register(1)
        #expect(session.dependents.oldestNeeded == nil && !session.dependents.hasPending(DependentID(1)))
        _ = try session.watch(1, .all, .since(2))
        #expect(session.dependents.oldestNeeded == 2 && session.dependents.hasPending(DependentID(1)))
        _ = session.lines(1)
        #expect(session.dependents.oldestNeeded == nil && !session.dependents.hasPending(DependentID(1)))
        session.commit(0)
        #expect(session.dependents.oldestNeeded == 3 && session.dependents.hasPending(DependentID(1)))
        #expect(!session.dependents.hasPending(DependentID(2)))
    }

    @Test func snapshot_needsPastFromItsPosition() throws {
        var session = Session(limits: DependentLimits(pageNotesMax: 1))
        for note in 0..<3 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        #expect(session.dependents.oldestNeeded == 0)
        for commit in 1...3 as ClosedRange<UInt64> {
            _ = session.line(1)
            #expect(session.dependents.oldestNeeded == commit)
        }
    }

    /// If this result were accepted, it would mean that the note did not exist and is new.
    @Test func latePastState_isIgnored() throws {
        var session = Session(limits: DependentLimits(pageNotesMax: 1))
        for note in [0, 1, 0, 1] { session.commit(note) }
        session.register(1)
        let watch = try session.watch(1, .all, .since(2), include: .edits)
        session.commit(1)
        #expect(session.line(1).map(session.short) == "1 edited 0@3")
        var step = session.nextStep(for: DependentID(1))
        while case .read(.page(let page)) = step {
            session.answer(.page(page), of: DependentID(1))
            step = session.nextStep(for: DependentID(1))
        }
        guard case .read(.past(let read)) = step else {
            Issue.record("what note 1 was is not asked for")
            return
        }
        session.commit(2)
        session.commit(1)
        session.dependents.receive(nil, for: read, of: DependentID(1))
        #expect(session.delivered(1) == ["2 created 2@6", "3 edited 1@7 x3", "4 synced @7"])
        session.dependents.receive(nil, for: read, of: DependentID(1))
        session.dependents.receive(nil, for: read, of: DependentID(2))
        _ = session.dependents.unwatch(DependentID(1), watch)
        session.dependents.receive(nil, for: read, of: DependentID(1))
        #expect(session.delivered(1) == [])
    }

    @Test func latePage_isIgnored() throws {
        var session = Session()
        session.commit(0)
        session.register(1)
        let watch = try session.watch(1, .all, .snapshot)
        guard case .read(.page(let read)) = session.dependents.next(for: DependentID(1)) else {
            Issue.record("a snapshot begins with a page")
            return
        }
        let page = session.world.answer(read)
        session.dependents.receive(page, for: read, of: DependentID(1))
        session.dependents.receive(page, for: read, of: DependentID(1))
        #expect(session.delivered(1) == ["1 snapshot 0@1", "2 synced @1"])
        session.dependents.receive(page, for: read, of: DependentID(1))
        session.dependents.receive(page, for: read, of: DependentID(2))
        #expect(session.delivered(1) == [])
        _ = session.dependents.unwatch(DependentID(1), watch)
        session.dependents.receive(page, for: read, of: DependentID(1))
        #expect(session.delivered(1) == [])
    }

    /// The first read of a snapshot of two notes, and its current result.
    private func snapshotOfTwo(_ session: inout Session) throws -> (read: PageRead, page: [PageNote]) {
        for note in 0..<2 { session.commit(note) }
        session.register(1)
        _ = try session.watch(1, .all, .snapshot)
        var asked: PageRead?
        if case .read(.page(let read)) = session.nextStep(for: DependentID(1)) { asked = read }
        let read = try #require(asked)
        return (read, session.world.answer(read))
    }

    @Test func pageEntryOfChangedNote_isIgnored() throws {
        var session = Session()
        let (read, page) = try snapshotOfTwo(&session)
        session.commit(0)
        session.dependents.receive(page, for: read, of: DependentID(1))
        #expect(session.delivered(1) == ["1 snapshot 1@2", "2 snapshot 0@3", "3 synced @3"])
    }

    @Test func pageRequestedBeforeReset_isIgnored() throws {
        var session = Session(limits: DependentLimits(outboxBytesMax: DependentLimits.entryBytes))
        let (read, page) = try snapshotOfTwo(&session)
        session.commit(0)
        #expect(session.line(1).map(session.short) == "1 reset outbox_full")
        session.dependents.receive(page, for: read, of: DependentID(1))
        #expect(session.delivered(1) == ["2 snapshot 1@2", "3 snapshot 0@3", "4 synced @3"])
    }
}
