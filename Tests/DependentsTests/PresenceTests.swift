import Causality
import Dependents
import NoteText
import NotesModel
import Testing

/// Protocol §5, `presence.changed`.
@Suite struct PresenceTests {
    /// Two registered dependents; the second watches everything from the tail and is synced.
    private func session(
        _ filter: Filter = .all, echo: Bool = true, limits: DependentLimits = DependentLimits()
    ) throws -> Session {
        var session = Session(limits: limits)
        session.register(1)
        session.register(2)
        for note in 0..<4 { session.commit(note, name: note < 2 ? "work/a" : "home/a") }
        _ = try session.watch(2, filter, echo: echo)
        _ = session.lines(2)
        return session
    }

    @Test func watcher_getsOnlyNewestPresence() throws {
        var session = try session()
        #expect(session.place(1, 0, selection: 1) == [DependentID(2)])
        #expect(session.dependents.describe()[1].outboxBytes == DependentLimits.entryBytes)
        #expect(session.dependents.describe()[1].state == .lagging)
        for place in 2..<50 { session.place(1, 0, selection: place) }
        #expect(session.dependents.describe()[1].outboxBytes == DependentLimits.entryBytes)
        #expect(session.pendingPresence(2) == ["1 in 0 at 49"])
        #expect(session.dependents.describe()[1].state == .synced)
        #expect(session.place(1, 0, selection: 49) == [], "it is where it was")
    }

    @Test func movingDependent_leavesItsFormerNote() throws {
        var session = try session()
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
        session.place(1, 3)
        #expect(session.pendingPresence(2) == ["1 left 0", "1 in 3 at 0"])
        session.place(1, nil)
        #expect(session.pendingPresence(2) == ["1 left 3"])
        session.place(1, 2)
        _ = session.pendingPresence(2)
        session.dependents.release(DependentID(1))
        #expect(session.dependents.spreadPresence() == [DependentID(2)])
        #expect(session.pendingPresence(2) == ["1 left 2"])
        let line = session.dependents.describe()
        #expect(line.map(\.presence) == [nil])
    }

    @Test func departure_hasLabelAndUser() throws {
        var session = try session()
        session.place(1, 0)
        _ = session.lines(2)
        session.dependents.release(DependentID(1))
        _ = session.dependents.spreadPresence()
        _ = session.lines(2)
        let line = try #require(session.presences[2]?.last)
        #expect(line.label == "label 1" && line.userName == "ada" && line.userID == 1_000 && line.presence == nil)
    }

    @Test func presence_isSentOnlyIfNoteIsCovered() throws {
        var session = try session(Filter(prefix: "work/"))
        #expect(session.place(1, 2) == [])
        #expect(session.dependents.describe()[1].state == .synced && !session.dependents.hasPending(DependentID(2)))
        #expect(session.pendingPresence(2) == [])
        #expect(session.dependents.describe()[1].state == .synced)
        #expect(session.place(1, 1) == [DependentID(2)])
        #expect(session.pendingPresence(2) == ["1 in 1 at 0"])
    }

    @Test func currentPresence_isSentAfterSynced() throws {
        var session = try session()
        session.register(3)
        session.place(1, 0)
        session.place(2, 1)
        session.place(1, 2)
        _ = try session.watch(3, .all, .snapshot)
        #expect(session.dependents.describe()[2].outboxBytes == 0)
        var said: [String] = []
        while case let step = session.dependents.next(for: DependentID(3)), step != .nothing {
            switch step {
            case .line(.synced): said.append("synced")
            case .presence(let line): said.append("\(line.dependent.number) \(line.presence == nil ? "left" : "here")")
            case .read(let read): session.answer(read, of: DependentID(3))
            case .line, .changeBatch, .passed, .nothing: break
            }
        }
        #expect(said == ["synced", "2 here", "1 here"], "who left before is nothing to who comes later")
    }

    @Test func noteEnteringFilter_bringsItsPresence() throws {
        var session = try session(Filter(prefix: "work/"))
        session.place(1, 3)
        #expect(session.pendingPresence(2) == [])
        session.commit(3, name: "work/b")
        _ = session.dependents.spreadPresence()
        #expect(session.pendingPresence(2) == ["1 in 3 at 0"])
        session.commit(3, name: "home/b")
        _ = session.dependents.spreadPresence()
        #expect(session.pendingPresence(2) == [], "the note has left, and takes who is in it along")
    }

    /// A client that receives the deletion of a note forgets the presence in it.
    @Test func repeatedDeletion_bringsItsPresence() throws {
        var session = try session(Filter(deleted: true))
        session.commit(0, isDeleted: true)
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
        session.commit(0, isDeleted: true)
        _ = session.dependents.spreadPresence()
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
    }

    @Test func laterWatch_usesCurrentStateOfNote() throws {
        var session = try session()
        session.place(1, 0)
        session.commit(0, name: "home/b")
        session.register(3)
        _ = try session.watch(3, Filter(prefix: "home/"))
        #expect(session.pendingPresence(3) == ["1 in 0 at 0"])
    }

    /// After `watch.synced` it receives all current presence, and no departure again.
    @Test func secondWatch_getsNoDepartureAgain() throws {
        var session = try session()
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"])
        session.place(1, nil)
        #expect(session.pendingPresence(2) == ["1 left 0"])
        _ = try session.watch(2)
        #expect(session.pendingPresence(2) == [])
    }

    @Test func catchingUpWatch_getsNoPresence() throws {
        var session = try session(Filter(prefix: "work/"))
        session.register(3)
        _ = try session.watch(2, .all, .snapshot)
        #expect(session.place(1, 3) == [])
        #expect(session.place(3, 0) == [DependentID(2)])
        #expect(session.place(1, 2) == [])
        var delivered: [UInt64] = []
        for _ in 0..<10 {
            // The result of its read never arrives.
            if case .presence(let line) = session.nextStep(for: DependentID(2)) { delivered.append(line.dependent.number) }
        }
        #expect(delivered == [3])
        #expect(session.pendingPresence(2) == ["3 in 0 at 0", "1 in 2 at 0"])
    }

    @Test func endedWatch_hasNothingPending() throws {
        var session = try session()
        #expect(session.place(1, 0) == [DependentID(2)])
        #expect(session.dependents.unwatch(DependentID(2), WatchID(1)) == true)
        #expect(!session.dependents.hasPending(DependentID(2)))
        #expect(session.dependents.describe()[1].state == .synced)
        #expect(session.pendingPresence(2) == [])
    }

    @Test func change_isSentBeforePresenceAtIt() throws {
        var session = try session()
        session.commit(0)
        session.place(1, 0, at: 5)
        session.commit(0)
        session.place(1, 0, at: 6)
        var said: [String] = []
        while case let step = session.dependents.next(for: DependentID(2)), step != .nothing {
            switch step {
            case .line(.changed(let line)): said.append("changed @\(line.to)")
            case .changeBatch(let delivered): said += delivered.lines.map { "changed @\($0.to)" }
            case .presence(let line): said.append("presence \(line.presence?.version.description.suffix(1) ?? "")")
            case .line, .read, .passed, .nothing: break
            }
        }
        #expect(said == ["changed @6", "presence 6"])
    }

    @Test(arguments: [true, false]) func ownPresence_isSentWithEchoOnly(echo: Bool) throws {
        var session = try session(echo: echo)
        session.place(2, 0)
        #expect(session.pendingPresence(2) == (echo ? ["2 in 0 at 0"] : []))
        session.place(2, nil)
        #expect(session.pendingPresence(2) == (echo ? ["2 left 0"] : []))
        session.place(1, 0)
        #expect(session.pendingPresence(2) == ["1 in 0 at 0"], "of others it is told with echo and without")
    }

    @Test func resetWatch_getsPresenceAfterSynced() throws {
        var session = try session(limits: DependentLimits(outboxBytesMax: 4 * DependentLimits.entryBytes))
        session.place(1, 0)
        _ = session.lines(2)
        for note in 0..<6 { session.commit(note) }
        #expect(session.dependents.describe()[1].state == .reset)
        session.place(1, 5)
        #expect(session.delivered(2).last?.hasSuffix("synced @10") == true)
        #expect(session.pendingPresence(2).contains("1 in 5 at 0"))
    }

    @Test func tooMuchPendingPresence_resets() throws {
        var session = try session(limits: DependentLimits(outboxBytesMax: 12 * DependentLimits.entryBytes))
        for number in 3...9 as ClosedRange<UInt64> {
            session.register(number)
            session.place(number, 0)
        }
        #expect(session.dependents.describe()[1].state == .reset)
        #expect(session.dependents.describe()[1].outboxBytes == 0)
        #expect(session.delivered(2) == ["2 reset outbox_full", "3 synced @4"])
        #expect(session.pendingPresence(2) == (3...9).map { "\($0) in 0 at 0" })
    }

    /// Replaced lines and lines that it does not watch do not count as pending, however many there
    /// are.
    @Test func littlePendingPresence_doesNotReset() throws {
        var session = try session(
            Filter(prefix: "work/"), limits: DependentLimits(outboxBytesMax: 24 * DependentLimits.entryBytes))
        session.register(3)
        for step in 0..<20 {
            session.place(1, 0, selection: step)
            session.place(3, 0, selection: step)
        }
        #expect(session.dependents.describe()[1].state == .lagging)
        for number in 4...20 as ClosedRange<UInt64> {
            session.register(number)
            session.place(number, 3)
        }
        #expect(session.dependents.describe()[1].state == .lagging)
        #expect(session.dependents.describe()[1].outboxBytes == 2 * DependentLimits.entryBytes)
        #expect(session.pendingPresence(2) == ["1 in 0 at 19", "3 in 0 at 19"])
        for number in 4...9 as ClosedRange<UInt64> { session.place(number, 0) }
        #expect(session.dependents.describe()[1].state == .reset)
    }

    @Test func droppedDeparture_resetsDependent() throws {
        var session = try session(limits: DependentLimits(departuresMax: 2))
        for number in 3...6 as ClosedRange<UInt64> {
            session.register(number)
            session.place(number, 0)
        }
        #expect(session.pendingPresence(2).count == 4)
        for number in 3...6 as ClosedRange<UInt64> {
            session.dependents.release(DependentID(number))
            _ = session.dependents.spreadPresence()
        }
        #expect(session.delivered(2) == ["2 reset outbox_full", "3 synced @4"])
        #expect(session.pendingPresence(2) == [])
    }

    /// The table keeps no departures here, so there is nothing to send.
    @Test func newWatchOfEmptyTable_getsNoPresence() throws {
        var session = try session(limits: DependentLimits(departuresMax: 0))
        session.place(1, 0)
        session.place(1, nil)
        _ = session.lines(2)
        session.register(3)
        _ = try session.watch(3)
        #expect(session.pendingPresence(3) == [])
        #expect(!session.dependents.hasPending(DependentID(3)))
        session.place(1, 1)
        #expect(session.pendingPresence(3) == ["1 in 1 at 0"])
    }

    @Test func unregisteredDependent_hasNoPresence() throws {
        var session = try session()
        #expect(session.place(9, 0) == [])
        #expect(session.dependents.presence(of: DependentID(9)) == nil)
        #expect(session.pendingPresence(2) == [])
    }

    /// A dependent may move from note to note forever: the table stays small.
    @Test func departuresOfOneDependent_areBounded() throws {
        var session = try session(limits: DependentLimits(departuresMax: 3))
        for step in 0..<5_000 {
            session.place(1, step % 4)
            if step % 97 == 0 { _ = session.lines(2) }
        }
        _ = session.pendingPresence(2)
        #expect(session.dependents.presence(of: DependentID(1))?.note == session.world.ids[3])
        session.place(1, nil)
        #expect(session.pendingPresence(2) == ["1 left 3"])
    }

    @Test func presenceAndCatchUp_takeTurns() throws {
        var session = try session(limits: DependentLimits(pageNotesMax: 1))
        _ = try session.watch(2, .all, .snapshot)
        for place in 0..<3 { session.place(1, place) }
        var kinds = ""
        while case let step = session.dependents.next(for: DependentID(2)), step != .nothing {
            switch step {
            case .presence: kinds += "p"
            case .read(let read):
                kinds += "r"
                session.answer(read, of: DependentID(2))
            case .line, .changeBatch, .passed, .nothing: kinds += "l"
            }
        }
        #expect(kinds.prefix(6) == "prplpr", "\(kinds)")
    }
}
