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

/// A conflict that stays open while one writer continues. Its sides lie far below the record that the
/// note's current state needs, and whatever shows them has to wait while the engine reads their rows.
@Suite struct SidesWalkTests {
    private let id = noteID(1)
    private let three = DependentID(3)
    private let four = DependentID(4)
    private static let count = 100
    private static let configuration = EngineConfiguration(shortWalkRevisionsMax: 4, walkRowsMax: 3)
    /// The rows that one step may read: those of the first one, which suffice for a short walk.
    private static let rowsMax = 5

    /// An engine with a note whose conflict is open, without any text in memory.
    private func makeHarness(_ cacheBytesMax: Int = 64 << 20) async throws -> Harness {
        var configuration = Self.configuration
        configuration.cacheBytesMax = cacheBytesMax
        var harness = Harness(journal: Harness.memoryJournal(), configuration: configuration)
        for number in 1...4 { _ = await harness.register(UInt64(number)) }
        _ = await harness.ask(one, .write(create(id, "a\nb\nc\n")))
        _ = await harness.ask(one, .write(save(id, "a\nX\nc\n", on: version("A1"))))
        _ = await harness.ask(one, .write(save(id, "a\nY\nc\n", on: version("A1"))))
        let open = await harness.ask(one, .get(GetNote(.id(id))))
        guard case .note(let note) = open else { return harness }
        #expect(note.conflicts.first?.sides.count == 2)
        var (text, base) = (String(decoding: note.text, as: UTF8.self), note.head.version)
        for number in 1...Self.count {
            text += "\(number)\n"
            let response = await harness.ask(one, .write(save(id, text, on: base), operation: ByteString("op \(number)")))
            base = response?.outcome?.version ?? base
        }
        try await forget(harness)
        return harness
    }

    private func forget(_ harness: Harness) async throws {
        let id = id
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.noteCache.forget(id)
            engine.noteCache.dropTexts(of: id)
            (engine.noteCache.journal as? MemoryJournal)?.readSteps = []
        }
    }

    /// Checks that no step since `forget` has read more rows than a turn may read, and that the steps
    /// have read a long history.
    private func expectSteps(_ harness: Harness) async throws {
        let steps = try await harness.engine.runOnEngine { ($0.noteCache.journal as? MemoryJournal)?.readSteps ?? [] }
        #expect(steps.allSatisfy { $0 <= Self.rowsMax }, "a turn read \(steps.max() ?? 0) rows")
        #expect(steps.reduce(0, +) > Self.count, "the test reads no long history")
    }

    private func note(_ response: Response?) -> NoteResponse? {
        if case .note(let note) = response { note } else { nil }
    }

    /// The sides and the base of the conflict, as text.
    private func contents(_ conflicts: [ConflictDetail]?) -> [[ConflictContent]]? {
        conflicts?.map { ([$0.base].compactMap { $0 }) + $0.sides.map(\.content) }
    }

    private let expected: [[ConflictContent]] = [[.text(bytes("b\n")), .text(bytes("X\n")), .text(bytes("Y\n"))]]

    @Test func readOfTheCurrentNote_waits() async throws {
        var harness = try await makeHarness()
        let from = GetNote(.id(id), from: version("A103"))
        let sent = harness.send([(one, .get(GetNote(.id(id)))), (one, .status), (two, .get(from)), (two, .status)])
        _ = await harness.ask([(one, .listDependents), (two, .listDependents)])
        #expect(harness.answered.filter(sent[..<2].contains) == Array(sent[..<2]))
        try await expectSteps(harness)
        let responses = await harness.finish()
        for number in [sent[0], sent[2]] { #expect(contents(note(responses[number])?.conflicts) == expected) }
        #expect(note(responses[sent[2]])?.from == note(responses[sent[0]])?.text)
    }

    @Test func repeatedWrite_waits() async throws {
        var harness = try await makeHarness()
        let base = version("A102")
        let text = "a\nX\nY\nc\n" + (1...99).map { "\($0)\n" }.joined()
        let known = await harness.ask(one, .get(GetNote(.id(id), at: version("A102"))))
        #expect(known?.text == bytes(text))
        let sent = save(id, text + "100\n", on: base)
        try await forget(harness)
        // Another write since, so that the response shows the note.
        let last = await harness.ask(one, .write(save(id, text + "100\n101\n", on: version("A103"))))
        #expect(last?.outcome?.kind == .saved)
        try await forget(harness)
        let response = await harness.ask(one, .write(sent, operation: "op 100"))
        try await expectSteps(harness)
        guard case .wrote(let outcome, let conflicts, isReplay: true) = response else {
            Issue.record("not a repetition: \(String(describing: response))")
            return
        }
        #expect(outcome.shown?.text == bytes(text + "100\n101\n"))
        #expect(contents(conflicts) == expected)
        _ = await harness.finish()
    }

    /// Writes on the last version but one, whose responses show the merged note. The other connections
    /// save meanwhile.
    @Test func mergedWrites_wait() async throws {
        var harness = try await makeHarness()
        _ = await harness.ask(one, .get(GetNote(.id(id), at: version("A102"))))
        let text = "a\nX\nY\nc\n" + (1...99).map { "\($0)\n" }.joined()
        let watch = WatchNotes(filter: Filter(), include: .meta, since: nil, snapshot: false, echo: true)
        _ = await harness.ask(one, .watch(watch))
        _ = await harness.notification(one) { if case .synced = $0.event { true } else { false } }
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let writes = [save(id, "first\n" + text, on: version("A102")), save(id, text + "last\n", on: version("A103"))]
        let sent = harness.send(writes.map { (one, .write($0)) } + [(one, .status)])
        let other = await harness.ask(two, .write(create(noteID(2), "other\n")))
        #expect(other?.isCreated == true)
        #expect(changes(harness, one).isEmpty, "a line before the response")
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        #expect(harness.answered.filter(sent.contains) == sent)
        _ = await harness.notification(one) { notification in
            changed(notification).contains { $0.state.head.id == noteID(2) }
        }
        try await expectSteps(harness)
        let responses = await harness.finish()
        var versions: [Version] = []
        for (number, sides) in zip(sent[..<2], [nil, expected]) {
            guard case .wrote(let outcome, let conflicts, isReplay: false) = responses[number] else {
                Issue.record("not written: \(String(describing: responses[number]))")
                continue
            }
            #expect(outcome.kind == .merged && outcome.shown?.text.starts(with: bytes("first\na\n")) == true)
            if let sides { #expect(contents(conflicts) == sides) } else { #expect(conflicts.count == 1) }
            outcome.shown.map { versions.append($0.version) }
        }
        // The response to the first write does not show the second one, whose response is not sent then.
        #expect(versions.count == 2 && versions[0] != versions[1])
    }

    /// Watches with texts receive lines about the note, from a broadcast, from an outbox and from a
    /// catch-up. The lines wait, and the requests of their connections do not.
    @Test(arguments: [0, 64 << 20])
    func linesOfWatches_wait(cacheBytesMax: Int) async throws {
        var harness = try await makeHarness(cacheBytesMax)
        let text = "a\nX\nY\nc\n" + (1...100).map { "\($0)\n" }.joined()
        func watch(snapshot: Bool) -> Call {
            .watch(WatchNotes(filter: Filter(), include: .text, since: nil, snapshot: snapshot, echo: true))
        }
        for dependent in [two, three] { _ = await harness.ask(dependent, watch(snapshot: false)) }
        for dependent in [two, three] {
            _ = await harness.notification(dependent) { if case .synced = $0.event { true } else { false } }
        }
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let saved = await harness.ask(one, .write(save(id, text + "101\n", on: version("A103"))))
        #expect(saved?.outcome?.kind == .saved)
        _ = await harness.ask(four, watch(snapshot: true))
        let other = await harness.ask(one, .write(create(noteID(2), "other\n")))
        #expect(other?.isCreated == true)
        for dependent in [two, three, four] { #expect(await harness.ask(dependent, .status) != nil) }
        #expect([two, three].allSatisfy { changes(harness, $0).isEmpty })
        harness.engine.walkWorker.queue.resume()
        for dependent in [two, three, four] {
            _ = await harness.notification(dependent) { notification in
                changed(notification).contains { $0.state.head.id == noteID(2) }
            }
            let shown = changes(harness, dependent).filter { $0.state.head.id == id }
            #expect(shown.count == 1 && shown.first?.state.text == bytes(text + "101\n"))
            #expect(contents(shown.first?.state.conflicts) == expected)
        }
        try await expectSteps(harness)
        _ = await harness.finish()
    }

    /// An engine in which lines of two watches wait for a walk, which the worker does not begin.
    private func makeHarnessWithHeldLines() async throws -> Harness {
        var harness = try await makeHarness()
        for dependent in [two, three] {
            _ = await harness.ask(
                dependent, .watch(WatchNotes(filter: Filter(), include: .text, since: nil, snapshot: false, echo: true)))
            _ = await harness.notification(dependent) { if case .synced = $0.event { true } else { false } }
        }
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let text = "a\nX\nY\nc\n" + (1...101).map { "\($0)\n" }.joined()
        _ = await harness.ask(one, .write(save(id, text, on: version("A103"))))
        while try await harness.engine.runOnEngine({ $0.longReads.heldLines.count }) < 2 {}
        return harness
    }

    /// The next commit is broadcast before the lines that are tried again are sent.
    @Test func linesThatAreTriedAgain_precedeABroadcast() async throws {
        var harness = try await makeHarnessWithHeldLines()
        let create = Request(dependent: one, requestNumber: 1_000, body: .call(.write(create(noteID(2), "other\n"))))
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.retryHeldLines()
            try engine.takeAlone(create)
        }
        harness.engine.walkWorker.queue.resume()
        for dependent in [two, three] {
            _ = await harness.notification(dependent) { notification in
                changed(notification).contains { $0.state.head.id == noteID(2) }
            }
            let numbers = (harness.notifications[dependent] ?? []).map(\.number)
            #expect(numbers == Array(1...UInt64(numbers.count)) && numbers.count == 3)
        }
        _ = await harness.finish()
    }

    /// A walk is skipped at its turn, since the lines that waited for it need another one first by then.
    @Test func linesOfASkippedWalk_areTriedAgain() async throws {
        var harness = try await makeHarnessWithHeldLines()
        let isParked = try await harness.engine.runOnEngine { engine throws(JournalError) in
            let wasParked = engine.longReads.isParked(two)
            try engine.startLines(ConflictedState(note: noteID(9), version: version("A1")))
            return (before: wasParked, after: engine.longReads.isParked(two))
        }
        #expect(isParked.before && !isParked.after)
        harness.engine.walkWorker.queue.resume()
        for dependent in [two, three] {
            let line = await harness.notification(dependent) { !changed($0).isEmpty }
            #expect(line?.number == 2)
        }
        _ = await harness.finish()
    }

    /// A watch ends, a connection ends and the engine stops while lines wait.
    @Test func linesOfAnEndedWatch_areDropped() async throws {
        var harness = try await makeHarnessWithHeldLines()
        guard case .unwatched = await harness.ask(two, .unwatch(WatchID(1))) else {
            Issue.record("the watch has another number")
            return
        }
        harness.engine.submit([.released(three)])
        _ = await harness.ask(two, .status)
        let hasWork = try await harness.engine.runOnEngine { $0.longReads.running != nil || !$0.longReads.waiting.isEmpty }
        #expect(!hasWork)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(two, .status)
        #expect(changes(harness, two).isEmpty)
        _ = await harness.finish()
    }

    /// A compaction of the note, and a purge of another note, during the walk of the lines. Only the first
    /// removes what the walk has read.
    @Test(arguments: [false, true])
    func compactionMeanwhile_beginsTheWalkAgain_butNoPurgeOfAnotherNote(isCompaction: Bool) async throws {
        var harness = try await makeHarness()
        _ = await harness.ask(one, .write(create(noteID(2), "other\n")))
        _ = await harness.ask(
            two, .watch(WatchNotes(filter: Filter(), include: .text, since: nil, snapshot: false, echo: true)))
        _ = await harness.notification(two) { if case .synced = $0.event { true } else { false } }
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let (id, text) = (id, "a\nX\nY\nc\n" + (1...101).map { "\($0)\n" }.joined())
        _ = await harness.ask(one, .write(save(id, text, on: version("A103"))))
        while try await harness.engine.runOnEngine({ $0.longReads.running?.reading != nil || $0.longReads.heldLines.isEmpty }) {}
        if isCompaction {
            try await harness.engine.runOnEngine { engine throws(JournalError) in engine.longReads.compacted(id) }
        } else {
            let purge = Command.purgeNote(PurgeNote(id: noteID(2), base: version("A104")))
            let purged = await harness.ask(one, .write(purge))
            if case .purged = purged {} else { Issue.record("not purged: \(String(describing: purged))") }
        }
        harness.engine.walkWorker.queue.resume()
        _ = await harness.notification(two) { notification in
            changed(notification).contains { $0.state.head.id == id }
        }
        let shown = changes(harness, two).filter { $0.state.head.id == id }
        #expect(shown.count == 1 && contents(shown.first?.state.conflicts) == expected)
        let steps = try await harness.engine.runOnEngine { ($0.noteCache.journal as? MemoryJournal)?.readSteps ?? [] }
        #expect(steps.allSatisfy { $0 <= Self.rowsMax })
        #expect((steps.reduce(0, +) > 2 * Self.count) == isCompaction)
        _ = await harness.finish()
    }

    /// The writes are committed, and no client can take their responses for refusals.
    @Test func stoppingEngine_answersWritesWithoutSides() async throws {
        var harness = try await makeHarness()
        _ = await harness.ask(one, .get(GetNote(.id(id), at: version("A102"))))
        let text = "a\nX\nY\nc\n" + (1...99).map { "\($0)\n" }.joined()
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([
            (one, .write(save(id, "first\n" + text, on: version("A102")))),
            (one, .write(create(noteID(2), "other\n"))), (one, .status),
        ])
        while try await harness.engine.runOnEngine({ !$0.longReads.holdsResponses(of: one) }) {}
        let responses = await harness.finish()
        harness.engine.walkWorker.queue.resume()
        #expect(harness.answered.filter(sent.contains) == sent)
        guard case .wrote(let outcome, let conflicts, isReplay: false) = responses[sent[0]] else {
            Issue.record("not written: \(String(describing: responses[sent[0]]))")
            return
        }
        #expect(outcome.shown?.text.starts(with: bytes("first\na\n")) == true)
        #expect(conflicts.count == 1 && conflicts.allSatisfy(\.sides.isEmpty))
        #expect(responses[sent[1]]?.isCreated == true)
    }

    private func changed(_ notification: WatchNotification) -> [ChangeNotification] {
        switch notification.event {
        case .changed(let changed): [changed]
        case .changes(let shared): shared.changes.map(\.notification)
        default: []
        }
    }

    private func changes(_ harness: Harness, _ dependent: DependentID) -> [ChangeNotification] {
        (harness.notifications[dependent] ?? []).flatMap(changed)
    }
}
