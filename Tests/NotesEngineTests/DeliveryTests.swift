import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

@Suite struct DeliveryTests {
    private let id = noteID(1)
    private func watch(_ include: WatchDetail = .meta, since: Cursor? = nil, snapshot: Bool = true) -> Call {
        .watch(WatchNotes(filter: Filter(), include: include, since: since, snapshot: snapshot, echo: true))
    }

    private func isSynced(_ notification: WatchNotification) -> Bool {
        if case .synced = notification.event { true } else { false }
    }

    private func changed(_ notification: WatchNotification?) -> ChangeNotification? {
        if case .changed(let changed) = notification?.event { changed } else { nil }
    }

    @Test func watch_sendsSnapshotThenChanges_withoutGap() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.register(2)
        for number in 1...100 { _ = await harness.ask(one, .write(create(noteID(UInt64(number)), "a\n"))) }
        _ = await harness.ask(two, watch(.text))
        _ = await harness.notification(two, where: isSynced)
        _ = await harness.ask(one, .write(save(id, "a\nb\n", on: version("A1"))))
        let notification = await harness.notification(two) { $0.cursor.commit.sequence == 101 }
        #expect(changed(notification)?.kind == .edited)
        #expect(changed(notification)?.state.text == bytes("a\nb\n"))
        #expect(changed(notification)?.origin?.dependent == one)
        let all = harness.notifications[two] ?? []
        #expect(all.map(\.number) == (1...102).map { UInt64($0) })
        #expect(all.prefix(100).allSatisfy { changed($0)?.kind == .snapshot })
    }

    /// Three watches catch up at once, two of them with filters that nothing matches, while a turn
    /// reads no more than one page. Each completes, and other requests are answered meanwhile.
    @Test func catchUps_takeTurns_andDelayNoOther() async {
        var limits = DependentLimits()
        limits.pageNotesMax = 4
        let configuration = EngineConfiguration(dependents: limits, turnReadsMax: 4)
        var harness = Harness(journal: Harness.memoryJournal(), configuration: configuration)
        for number in 1...4 { _ = await harness.register(UInt64(number)) }
        for number in 1...90 { _ = await harness.ask(one, .write(create(noteID(UInt64(number)), "a\n"))) }
        let none = WatchNotes(filter: Filter(tag: "none"), include: .meta, since: nil, snapshot: true, echo: true)
        let responses = await harness.ask([
            (two, .watch(none)), (DependentID(3), watch()), (DependentID(4), .watch(none)), (one, .get(GetNote(.id(id)))),
        ])
        #expect(responses.last?.text == bytes("a\n"))
        for dependent in [two, DependentID(3), DependentID(4)] { _ = await harness.notification(dependent, where: isSynced) }
        #expect(harness.notifications[DependentID(3)]?.count == 91)
        #expect(harness.notifications[two]?.count == 1 && harness.notifications[DependentID(4)]?.count == 1)
    }

    @Test func includeEdits_startsFromPreviousState() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(id, "a\n")))
        _ = await harness.ask(one, watch(.edits, snapshot: false))
        _ = await harness.notification(one, where: isSynced)
        _ = await harness.ask(one, .write(save(id, "a\nb\n", on: version("A1"))))
        let notification = changed(await harness.notification(one) { $0.cursor.commit.sequence == 2 })
        #expect(notification?.base?.text == bytes("a\n"))
        #expect(notification?.base?.head.version == version("A1"))
        #expect(notification?.state.text == bytes("a\nb\n"))
    }

    @Test func stoppedDependent_getsNewestStateOnce() async {
        var harness = Harness(journal: Harness.memoryJournal(), isDraining: false)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(two, watch(snapshot: false))
        _ = await harness.notification(two, where: isSynced)
        _ = await harness.ask(one, .write(create(id, "0")))
        for number in 1...50 {
            _ = await harness.ask(one, .write(save(id, "\(number)", on: version("A\(number)"))))
        }
        #expect(harness.notifications[two]?.count == 1, "nothing more leaves until it has read what it was sent")
        harness.engine.submit([.drained(two)])
        let notification = changed(await harness.notification(two) { $0.number == 2 })
        #expect(notification?.coalesced == 51)
        #expect(notification?.kind == .created)
        #expect(notification?.state.sequence == 51)
    }

    /// Beyond the limit on what the loops have still to write, changes wait and are coalesced.
    @Test func unwrittenBroadcasts_holdBackFurtherOnes() async {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(broadcastBytesMax: 1), isDraining: false)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(two, watch(snapshot: false))
        _ = await harness.notification(two, where: isSynced)
        harness.engine.submit([.drained(two)])
        for number in 1...4 {
            let command = number == 1 ? create(id, "1") : save(id, "\(number)", on: version("A\(number - 1)"))
            _ = await harness.ask(one, .write(command))
        }
        #expect(await harness.notification(two) { $0.number == 3 }?.cursor.commit.sequence == 2)
        #expect(harness.broadcasts.count == 1, "the second change is sent as an output, and the rest waits for its report")
        harness.engine.submit([.broadcastWritten(weight: harness.broadcasts[0]), .drained(two)])
        #expect(changed(await harness.notification(two) { $0.number == 4 })?.coalesced == 2)
        harness.engine.submit([.drained(two)])
        _ = await harness.ask(one, .write(save(id, "5", on: version("A4"))))
        #expect(await harness.notification(two) { $0.number == 5 }?.cursor.commit.sequence == 5)
        #expect(harness.broadcasts.count == 2)
    }

    @Test func knownCursor_resumes_andUnknownOneResets() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        for number in 1...5 { _ = await harness.ask(one, .write(create(noteID(UInt64(number)), "a"))) }
        let known = CommitPosition(sequence: 3, replica: replica("A"))
        let strange = CommitPosition(sequence: 3, replica: replica("B"))
        let future = CommitPosition(sequence: 6, replica: replica("A"))
        guard case .watching(_, let from, false) = await harness.ask(one, watch(since: Cursor(known))) else {
            Issue.record("a known position was not taken")
            return
        }
        #expect(from == Cursor(known))
        _ = await harness.notification(one, where: isSynced)
        #expect(harness.notifications[one]?.compactMap { changed($0)?.state.sequence } == [4, 5])
        let elsewhere = CommitPosition(sequence: 5, replica: replica("B"))
        let pendingHandshakes = [strange, future].map { Cursor($0) } + [elsewhere, future].map { Cursor(known, newest: $0) }
        for cursor in pendingHandshakes {
            guard case .watching(_, _, true) = await harness.ask(one, watch(since: cursor)) else {
                Issue.record("\(cursor) was taken for a commit of this store")
                return
            }
        }
    }

    @Test func tinyCache_readsPastStatesFromStore() async {
        let tiny = EngineConfiguration(cacheBytesMax: 1)
        var harness = Harness(journal: Harness.memoryJournal(), configuration: tiny)
        _ = await harness.register(1)
        for number in 1...20 {
            _ = await harness.ask(one, .write(create(noteID(UInt64(number)), "note \(number)")))
        }
        _ = await harness.ask(one, watch(.text))
        _ = await harness.notification(one, where: isSynced)
        let texts = harness.notifications[one]?.compactMap { changed($0)?.state.text }
        #expect(texts == (1...20).map { bytes("note \($0)") })
    }
}
