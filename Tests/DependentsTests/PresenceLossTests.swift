import Dependents
import NoteText
import NotesModel
import Testing

/// A dependent that missed a dropped departure, or has too much presence pending, is reset. Pending
/// presence takes its part of the dependent's outbox.
@Suite struct PresenceLossTests {
    private static let entry = DependentLimits.entryBytes

    /// Two registered dependents; the second watches from the tail and is synced.
    private func session(_ filter: Filter = .all, limits: DependentLimits) throws -> Session {
        var session = Session(limits: limits)
        session.register(1)
        session.register(2)
        for note in 0..<4 { session.commit(note, name: note < 2 ? "work/a" : "home/a") }
        _ = try session.watch(2, filter)
        _ = session.lines(2)
        return session
    }

    /// As above. The second received the presence of the first in note 0, and the table keeps no
    /// departures.
    private func sessionWithoutDepartures(outboxBytesMax: Int = 1 << 20) throws -> Session {
        var session = try session(limits: DependentLimits(outboxBytesMax: outboxBytesMax, departuresMax: 0))
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
        return session
    }

    /// Registers dependents one after the other. Those up to `last` open a note that the second
    /// dependent watches, the others one that it does not.
    private func come(_ numbers: ClosedRange<UInt64>, to session: inout Session, watchedThrough last: UInt64) {
        for number in numbers {
            session.register(number)
            session.place(number, number <= last ? 0 : 3)
        }
    }

    // MARK: Dropped departures

    @Test func missedDeparture_namesTheDependent() throws {
        var session = try sessionWithoutDepartures()
        #expect(session.place(1, nil) == [DependentID(2)])
        #expect(session.dependents.describe()[1].state == .reset)
        #expect(session.delivered(2) == ["2 reset outbox_full", "3 synced @4"])
    }

    /// The loss is detected before the next line, though the departure was not spread yet.
    @Test func missedDeparture_resetsPresence() throws {
        var session = try sessionWithoutDepartures()
        session.register(3)
        session.place(3, 1)
        session.dependents.place(nil, head: nil, of: DependentID(1))
        guard case .passed = session.nextStep(for: DependentID(2)),
            case .line(.reset) = session.nextStep(for: DependentID(2))
        else {
            Issue.record("what it was told does not hold any more")
            return
        }
        #expect(session.pendingPresence(2) == ["3 in 1 at 0"])
    }

    @Test func reset_isSentOnce() throws {
        var session = try sessionWithoutDepartures()
        _ = try session.watch(2)
        _ = session.lines(2)
        session.place(1, nil)
        #expect(session.delivered(2) == ["2 reset outbox_full", "3 synced @4"])
        #expect(session.dependents.unwatch(DependentID(2), WatchID(2)) == true)
        #expect(session.delivered(2) == [])
    }

    /// The outbox is so small that every page exceeds it.
    @Test func catchingUpWatch_isNotReset() throws {
        var session = try sessionWithoutDepartures(outboxBytesMax: Self.entry)
        _ = try session.watch(2, .all, .snapshot)
        #expect(session.line(2).map(session.short) == "1 reset outbox_full")
        session.place(1, nil)
        let resets = session.delivered(2).filter { $0.contains("reset") }
        #expect(resets == ["2 reset outbox_full"])
    }

    @Test func endedWatch_passesResetToAnother() throws {
        var session = try sessionWithoutDepartures()
        _ = try session.watch(2)
        _ = session.lines(2)
        session.place(1, nil)
        #expect(session.dependents.unwatch(DependentID(2), WatchID(1)) == true)
        #expect(session.delivered(2) == ["2 reset outbox_full", "3 synced @4"])
    }

    /// The first watch has the reset pending. The second was not synced when the departure was
    /// dropped, but is when the first ends.
    @Test func newlySyncedWatch_canSendReset() throws {
        var session = try sessionWithoutDepartures()
        for _ in 0..<2 { _ = try session.watch(2) }
        session.place(1, nil)
        #expect(session.dependents.unwatch(DependentID(2), WatchID(3)) == true)
        guard case .line(.synced(let watch, _, _)) = session.nextStep(for: DependentID(2)), watch == WatchID(2) else {
            Issue.record("it is the turn of the second watch")
            return
        }
        #expect(session.dependents.unwatch(DependentID(2), WatchID(1)) == true)
        #expect(session.delivered(2) == ["2 reset outbox_full", "3 synced @4"])
    }

    /// The client forgets the presence that a watch which ended reported.
    @Test func withoutSyncedWatch_noResetIsNeeded() throws {
        var session = try sessionWithoutDepartures()
        _ = try session.watch(2)
        session.place(1, nil)
        #expect(session.dependents.unwatch(DependentID(2), WatchID(1)) == true)
        #expect(session.delivered(2) == ["1 synced @4"])
        _ = try session.watch(2)
        #expect(session.delivered(2) == ["1 synced @4"])
        #expect(session.dependents.unwatch(DependentID(2), WatchID(3)) == true)
        #expect(session.delivered(2) == [])
    }

    // MARK: The share of the outbox

    @Test func pendingPresence_reducesOutboxOfWatches() throws {
        let limit = 4 * Self.entry
        var session = try session(limits: DependentLimits(outboxBytesMax: limit))
        for note in 0..<4 { session.commit(note) }
        #expect(session.dependents.describe()[1].outboxBytes == limit)
        #expect(session.place(1, 0) == [DependentID(2)])
        #expect(session.dependents.describe()[1].outboxBytes <= limit)
        #expect(session.dependents.describe()[1].state == .reset)
    }

    /// Presence in notes that it does not watch counts too, while there is little of it.
    @Test func droppedWatch_namesTheDependent() throws {
        var session = try session(Filter(prefix: "work/"), limits: DependentLimits(outboxBytesMax: 8 * Self.entry))
        session.commit(7, name: "home/a")
        session.register(3)
        #expect(session.place(1, 0) == [DependentID(2)])
        for note in 0..<7 { session.commit(note, name: "work/b") }
        #expect(session.dependents.describe()[1].state == .lagging)
        #expect(session.place(3, 7) == [DependentID(2)])
        #expect(session.dependents.describe()[1].state == .reset)
    }

    @Test func drainedPresence_freesTheOutbox() throws {
        var session = try session(limits: DependentLimits(outboxBytesMax: 4 * Self.entry))
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
        for note in 0..<4 { session.commit(note) }
        #expect(session.dependents.describe()[1].state == .lagging)
        #expect(session.dependents.describe()[1].outboxBytes == 4 * Self.entry)
    }

    @Test func uncoveredPresence_freesTheOutbox() throws {
        var session = try session(Filter(prefix: "work/"), limits: DependentLimits(outboxBytesMax: 4 * Self.entry))
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
        session.register(3)
        #expect(session.place(3, 3) == [])
        for note in [0, 1, 4, 5] { session.commit(note, name: "work/b") }
        #expect(session.dependents.describe()[1].state == .lagging)
        #expect(session.dependents.describe()[1].outboxBytes == 4 * Self.entry)
    }

    /// After an exact count, only lines published since may be counted without need.
    @Test func overHalfOfPresenceLimit_isAllowed() throws {
        var session = try session(Filter(prefix: "work/"), limits: DependentLimits(outboxBytesMax: 24 * Self.entry))
        come(3...11, to: &session, watchedThrough: 6)
        #expect(session.dependents.describe()[1].state == .lagging)
        #expect(session.dependents.describe()[1].outboxBytes == 4 * Self.entry)
    }

    /// An earlier count does not apply to lines published after everything was sent.
    @Test func deliveredPresence_isNotCountedAgain() throws {
        var session = try session(Filter(prefix: "work/"), limits: DependentLimits(outboxBytesMax: 24 * Self.entry))
        come(3...11, to: &session, watchedThrough: 6)
        #expect(session.pendingPresence(2).count == 4)
        come(12...12, to: &session, watchedThrough: 0)
        come(13...20, to: &session, watchedThrough: 13)
        #expect(session.dependents.describe()[1].state == .lagging)
        #expect(session.dependents.describe()[1].outboxBytes == Self.entry)
    }

    /// Lines that the first watch did not cover are counted when the second is synced.
    @Test func presencePendingForNewWatch_isCounted() throws {
        let limits = DependentLimits(outboxBytesMax: 24 * Self.entry)
        var session = try session(Filter(prefix: "work/"), limits: limits)
        session.place(1, 0)
        for number in 4...10 as ClosedRange<UInt64> { session.register(number) }
        for number in 4...9 as ClosedRange<UInt64> { session.place(number, 3) }
        #expect(session.dependents.describe()[1].outboxBytes == Self.entry)
        _ = try session.watch(2, Filter(prefix: "home/"))
        guard case .presence = session.nextStep(for: DependentID(2)), case .line(.synced) = session.nextStep(for: DependentID(2))
        else {
            Issue.record("they take turns")
            return
        }
        #expect(session.place(10, 3) == [DependentID(2)])
        #expect(session.dependents.describe()[1].state == .reset)
        #expect(session.dependents.describe()[1].outboxBytes == 0)
    }
}
