import Causality
import Dependents
import Dispatch
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing

@testable import NotesEngine

/// Requests that wait until another thread has loaded their note. The tests suspend that thread's
/// queue, so they determine what happens meanwhile.
@Suite struct LongLoadTests {
    private let id = noteID(1)
    /// Every load is long.
    private static let allLong = EngineConfiguration(shortWalkRevisionsMax: -1)

    private var get: Call { .get(GetNote(.id(id))) }

    private func write(_ text: String, on base: String) -> Call {
        .write(save(id, text, on: version(base)))
    }

    private func presence(_ base: String, isQuiet: Bool) -> Call {
        let place = SetPresence.Position(note: id, version: version(base), selection: Selection(start: 0, end: 1))
        return .setPresence(SetPresence(place, isQuiet: isQuiet))
    }

    /// An engine with a note of four revisions that is in the cache from the newest on, and another
    /// note.
    private func harness() async -> Harness {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.allLong)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n")))
        for (base, text) in [("A1", "1\n2\n"), ("A2", "1\n2\n3\n"), ("A3", "1\n2\n3\n4\n")] {
            _ = await harness.ask(one, write(text, on: base))
        }
        _ = await harness.ask(one, .write(create(noteID(2), "a\n")))
        return harness
    }

    /// Removes the note from the cache.
    private func forget(_ harness: Harness) async throws {
        let id = id
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.noteCache.forget(id) }
    }

    @Test func saveDuringALoad_isAnsweredFirst() async throws {
        var harness = await harness()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, get), (one, .status), (one, presence("A1", isQuiet: false)), (one, .listDependents)])
        let saved = await harness.ask(two, .write(save(noteID(2), "b\n", on: version("A5"))))
        #expect(saved?.outcome?.kind == .saved)
        #expect(sent.allSatisfy { !harness.answered.contains($0) })
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        #expect(harness.answered.filter(sent.contains) == sent)
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.text == bytes("1\n2\n3\n4\n"))
        if case .presenceSet = responses[sent[2]] {} else { Issue.record("the presence at A1 is valid") }
    }

    /// The cached note does not go back to the base of a write. The note changes while that write
    /// waits, and its connection's later requests follow it.
    @Test func writeOnAnOldBase_mergesWithWritesDuringItsLoad() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([
            (one, .status), (one, write("0\n1\n", on: "A1")),
            (one, .write(save(noteID(2), "b\n", on: version("A5")))),
            (one, get), (one, write("1\n2\n3\n4\nunknown\n", on: "A99")), (one, .status),
        ])
        let during = await harness.ask(two, write("1\n2\n3\n4\n5\n", on: "A4"))
        #expect(during?.outcome?.kind == .saved)
        #expect(harness.answered.filter(sent.contains) == [sent[0]])
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        #expect(harness.answered.filter(sent.contains) == sent)
        let responses = await harness.finish()
        #expect(responses[sent[1]]?.outcome?.kind == .merged)
        #expect(responses[sent[2]]?.outcome?.kind == .saved)
        #expect(responses[sent[3]]?.text == bytes("0\n1\n2\n3\n4\n5\n"))
        if case .unknownBase = responses[sent[4]]?.rejection {} else { Issue.record("A99 is in no note") }
    }

    @Test func writeOnANoteDeletedMeanwhile_isExecuted() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, write("0\n1\n", on: "A1"))])
        let delete = Command.deleteNote(DeleteNote(id: id, base: version("A4")))
        #expect(await harness.ask(two, .write(delete))?.outcome?.kind == .saved)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        let after = await harness.ask(two, get)
        #expect(after?.text == bytes("0\n1\n2\n3\n4\n"), "a concurrent edit keeps the note")
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.outcome?.dot != nil)
    }

    @Test func writesOfAnEndedConnection_areExecuted() async throws {
        var harness = await harness()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        _ = harness.send([(one, get), (one, write("1\n2\n3\n4\n5\n", on: "A4"))])
        harness.engine.submit([.released(one)])
        _ = await harness.ask(two, .status)
        harness.engine.walkWorker.queue.resume()
        // The release is an input of the turn after the write.
        while try await harness.engine.runOnEngine({ $0.dependents.count }) > 1 {}
        let text = await harness.ask(two, get)?.text
        #expect(text == bytes("1\n2\n3\n4\n5\n"))
        _ = await harness.finish()
    }

    @Test func stoppingEngine_doesNotWaitForLoads() async throws {
        var harness = await harness()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([
            (one, presence("A4", isQuiet: true)), (one, .status), (two, write("0\n1\n2\n3\n4\n", on: "A4")), (two, .status),
            (DependentID(3), get), (DependentID(3), .listDependents),
        ])
        let responses = await harness.finish()
        harness.engine.walkWorker.queue.resume()
        for refused in [sent[2], sent[4]] { #expect(responses[refused]?.failure == .shuttingDown) }
        #expect(sent.allSatisfy { responses[$0] != nil })
    }

    @Test func tooManyLoads_areRefused() async throws {
        var harness = await harness()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send((0..<UInt64(LongReads.waitingMax) + 1).map { (DependentID(10 + $0), get) })
        while try await harness.engine.runOnEngine({ $0.longReads.waiting.count }) < LongReads.waitingMax {}
        let refused = await harness.ask([(one, write("0\n1\n", on: "A1")), (one, .status), (two, get)])
        #expect(refused[0].failure == .overloaded && refused[2].failure == .overloaded)
        harness.engine.walkWorker.queue.resume()
        let responses = await harness.finish()
        #expect(sent.allSatisfy { responses[$0] != nil })
    }

    @Test func readFaultMeanwhile_isTheResponse() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, write("0\n1\n", on: "A1")), (one, .listDependents)])
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            (engine.noteCache.journal as? MemoryJournal)?.readFault = .failed("a passing error")
        }
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.failure == .storageFailed("a passing error"))
        #expect(responses[sent[1]] != nil)
    }

    @Test func quietPresence_isSetAfterTheLoad() async throws {
        var harness = await harness()
        try await forget(harness)
        _ = await harness.ask([(one, presence("A1", isQuiet: true)), (one, presence("A99", isQuiet: true)), (one, .status)])
        let dependents = try await harness.engine.runOnEngine { $0.dependents.describe() }
        #expect(dependents.contains { $0.presence?.version == version("A1") })
        _ = await harness.finish()
    }

    /// Presence that waits, and then an audit, which has responses of its own to wait for.
    @Test func auditAfterWaitingPresence_isAnsweredInOrder() async throws {
        var harness = await harness()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, presence("A1", isQuiet: true)), (one, .audit), (one, .status), (one, .listDependents)])
        _ = await harness.ask(two, .status)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        #expect(harness.answered.filter(sent.contains) == sent)
        _ = await harness.finish()
    }

    @Test func nextLongRequest_doesNotOvertakeOtherConnections() async throws {
        var harness = await harness()
        try await forget(harness)
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.noteCache.forget(noteID(2)) }
        harness.engine.walkWorker.queue.suspend()
        let first = harness.send([(one, get), (one, .get(GetNote(.id(id), at: version("A1"))))])
        let other = harness.send([(two, .get(GetNote(.id(noteID(2)))))])
        _ = await harness.ask(DependentID(3), .status)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask([(one, .status), (two, .status)])
        #expect(harness.answered.filter((first + other).contains) == [first[0], other[0], first[1]])
        _ = await harness.finish()
    }

    /// Another client changes the note during each step of the load.
    @Test func loadOfANoteThatKeepsChanging_ends() async throws {
        var harness = await harness()
        try await forget(harness)
        let queue = harness.engine.walkWorker.queue
        queue.suspend()
        let sent = harness.send([(one, get)])
        _ = await harness.ask(two, .status)
        for number in 0..<LongReads.loadsMax {
            // The load has read its rows, so it does not see the change.
            try await harness.untilWalkStepWaits()
            // The writer needs no load.
            try await harness.engine.runOnEngine { engine throws(JournalError) in
                let note = try engine.noteCache.loadAtOnce(noteID(1), downTo: .dots(version("A1")))
                if let note { engine.noteCache.handBack([note]) }
            }
            let saved = await harness.ask(two, write("1\n\(number)\n", on: "A1"))
            #expect(saved?.outcome?.dot != nil)
            try await harness.executeWalkStep()
        }
        try await harness.untilWalkStepWaits()
        _ = await harness.ask(two, .status)
        #expect(!harness.answered.contains(sent[0]))
        // Now the writer waits for the reader.
        let write = harness.send([(two, write("1\nlast\n", on: "A1"))])
        _ = await harness.ask(DependentID(3), .status)
        queue.resume()
        _ = await harness.ask(two, .status)
        #expect(harness.answered.filter((sent + write).contains) == sent + write)
        _ = await harness.finish()
    }

    @Test func nameOfANoteDeletedMeanwhile_isNotFound() async throws {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.allLong)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n", name: "a")))
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, .get(GetNote(.name("a"))))])
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            if let note = try engine.noteCache.loadAtOnce(noteID(1), downTo: .newest) { engine.noteCache.handBack([note]) }
        }
        let delete = Command.deleteNote(DeleteNote(id: id, base: version("A1")))
        #expect(await harness.ask(two, .write(delete))?.outcome?.kind == .saved)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.rejection == .noteNotFound)
    }

    /// The requests of other connections are executed between two items.
    @Test func itemsOfALoadedNote_areExecutedOneByOne() async throws {
        var harness = await harness()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send((0..<6).map { (DependentID(10 + $0), get) })
        _ = await harness.ask(two, .status)
        let left = try await harness.engine.runOnEngine { engine throws(JournalError) in
            if let note = try engine.noteCache.loadAtOnce(noteID(1), downTo: .newest) { engine.noteCache.handBack([note]) }
            engine.longReads.forget(DependentID(10))
            try engine.readOn()
            return engine.longReads.waiting.count
        }
        #expect(left == 4)
        harness.engine.walkWorker.queue.resume()
        let responses = await harness.finish()
        #expect(sent.dropFirst().allSatisfy { responses[$0]?.text == bytes("1\n2\n3\n4\n") })
    }

    /// A snapshot shows a note with concurrent revisions that touch.
    @Test(arguments: [0, 64 << 20])
    func watchOfALongNote_delaysNoOther(cacheBytesMax: Int) async throws {
        let configuration = EngineConfiguration(cacheBytesMax: cacheBytesMax, shortWalkRevisionsMax: -1)
        var harness = Harness(journal: Harness.memoryJournal(), configuration: configuration)
        for number in 1...2 { _ = await harness.register(UInt64(number)) }
        let notes = [noteID(1), noteID(2)]
        for note in notes { _ = await harness.ask(one, .write(create(note, "a\n"))) }
        for (note, base) in zip(notes, ["A1", "A2"]) {
            for text in ["b\n", "c\n"] { _ = await harness.ask(one, .write(save(note, text, on: version(base)))) }
            try await harness.engine.runOnEngine { engine throws(JournalError) in engine.noteCache.forget(note) }
        }
        harness.engine.walkWorker.queue.suspend()
        let watch = WatchNotes(filter: Filter(), include: .text, since: nil, snapshot: true, echo: true)
        _ = await harness.ask(two, .watch(watch))
        let created = await harness.ask(one, .write(create(noteID(3), "z\n")))
        #expect(created?.isCreated == true)
        #expect(await harness.ask(two, .status) != nil, "its requests do not wait")
        #expect(harness.notifications[two]?.isEmpty ?? true)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.notification(two) { if case .synced = $0.event { true } else { false } }
        for note in notes {
            guard case .note(let now) = await harness.ask(one, .get(GetNote(.id(note)))) else {
                Issue.record("no note")
                continue
            }
            let shown = harness.notifications[two]?.compactMap { notification -> NoteState? in
                if case .changed(let changed) = notification.event, changed.state.head.id == note { changed.state } else { nil }
            }
            #expect(shown?.count == 1 && shown?.first?.text == now.text && shown?.first?.conflicts == now.conflicts)
            #expect(now.conflicts.count == 1)
        }
        _ = await harness.finish()
    }

    @Test func pagesOfManyWatches_leaveRoomForRequests() async throws {
        var harness = await harness()
        _ = await harness.ask(one, write("0\n1\n", on: "A1"))
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let watch = WatchNotes(filter: Filter(), include: .text, since: nil, snapshot: true, echo: true)
        for number in 0..<UInt64(LongReads.waitingMax) + 2 {
            _ = await harness.register(10 + number)
            _ = await harness.ask(DependentID(10 + number), .watch(watch))
        }
        while try await harness.engine.runOnEngine({ $0.longReads.waiting.count }) < LongReads.waitingMax {}
        let sent = harness.send([(one, get)])
        _ = await harness.ask(two, .status)
        let hasLines = harness.notifications.values.contains { !$0.isEmpty }
        #expect(!hasLines, "a watch without room loads its notes on the engine's thread")
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        for number in 0..<UInt64(LongReads.waitingMax) + 2 {
            let synced = await harness.notification(DependentID(10 + number)) {
                if case .synced = $0.event { true } else { false }
            }
            #expect(synced != nil)
        }
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.text == bytes("0\n1\n2\n3\n4\n"))
    }

    // MARK: - Laws

    /// An engine that loads the note again for each request responds as one that keeps it.
    @Test(arguments: [false, true], seeds(10))
    func longLoad_changesNoResponse(isOnDisk: Bool, seed: UInt64) async throws {
        let place: Comment = "seed \(seed), on disk \(isOnDisk)"
        var history = UndoneHistory(seed: seed, of: id)
        func site(_ configuration: EngineConfiguration) async throws -> Site {
            try await Site(isOnDisk ? TemporaryDirectory() : nil, as: ReplicaID(bits: 0xA0), configuration: configuration)
        }
        var long = try await site(Self.allLong)
        var short = try await site(EngineConfiguration(shortWalkRevisionsMax: .max))
        var made: [Dot] = []
        for number in 0..<history.writes {
            let now = await short.note(id)
            try await forget(long.harness)
            let loaded = await long.note(id)
            #expect(loaded?.head == now?.head && loaded?.text == now?.text && loaded?.conflicts == now?.conflicts, place)
            var own: UndoneHistory.Read?
            if let newest = made.last, let text = await short.harness.ask(one, read(newest))?.text {
                own = UndoneHistory.Read(Version(newest), text)
            }
            let command = history.next(
                now: now.map { UndoneHistory.Read($0.siblings, $0.text) }, own: own,
                conflicts: now?.head.conflicts.map(\.id) ?? [], made: made)
            try await forget(long.harness)
            let operation = ByteString("op \(number)")
            let expected = await short.harness.ask(one, .write(command, operation: operation))
            let response = await long.harness.ask(one, .write(command, operation: operation))
            #expect(response?.outcome == expected?.outcome && response?.rejection == expected?.rejection, place)
            #expect(response?.isCreated == expected?.isCreated, place)
            if let dot = expected?.outcome?.dot { made.append(dot) }
            if case .created(let head, _) = expected, let dot = head.version.dots.first { made.append(dot) }
            try await forget(long.harness)
            let repeated = await long.harness.ask(one, .write(command, operation: operation))
            let again = await short.harness.ask(one, .write(command, operation: operation))
            #expect(repeated?.outcome == again?.outcome && repeated?.isReplay == again?.isReplay, place)
        }
        await long.stop()
        await short.stop()
    }

    private func read(_ dot: Dot) -> Call {
        .get(GetNote(.id(id), at: Version(dot)))
    }
}
