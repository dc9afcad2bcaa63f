import Causality
import Dependents
import Dispatch
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

/// Undos that another thread computes. The tests suspend that thread's queue, so they determine what happens
/// meanwhile.
@Suite struct LongUndoTests {
    private let id = noteID(1)
    /// Every undo is long.
    private static let allLong = EngineConfiguration(shortWalkRevisionsMax: -1)

    private func undo(_ names: String..., on base: String, isPreview: Bool = false) -> Call {
        .write(.undoNote(UndoNote(id: id, base: version(base), revisions: names.map { dot($0) }, isPreview: isPreview)))
    }

    private var get: Call { .get(GetNote(.id(id))) }

    /// A note of four revisions, A1 to A4, and another one, A5.
    private func harness() async -> Harness {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.allLong)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n")))
        for (base, text) in [("A1", "1\n2\n"), ("A2", "1\n2\n3\n"), ("A3", "1\n2\n3\n4\n")] {
            _ = await harness.ask(one, .write(save(id, text, on: version(base))))
        }
        _ = await harness.ask(one, .write(create(noteID(2), "a\n")))
        return harness
    }

    /// Waits until the worker has the step of a walk, of the first load or a later one. The command of the step then
    /// has a dot.
    private func handedOver(_ harness: Harness, load: Int = 1) async throws {
        while try await harness.engine.runOnEngine({ engine in
            engine.longReads.running.map { $0.loads < load || $0.reading != nil } ?? true
        }) {}
    }

    @Test func othersAreAnswered_duringAnUndo() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, undo("A3", "A4", on: "A4")), (one, .status), (one, get)])
        try await handedOver(harness)
        #expect(await harness.ask(two, .write(save(noteID(2), "b\n", on: version("A5"))))?.outcome?.kind == .saved)
        #expect(await harness.ask(two, get)?.text == bytes("1\n2\n3\n4\n"))
        #expect(sent.allSatisfy { !harness.answered.contains($0) })
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        #expect(harness.answered.filter(sent.contains) == sent)
        let responses = await harness.finish()
        let outcome = responses[sent[0]]?.outcome
        // The save of the other note was committed first.
        #expect(outcome?.dot == dot("A7") && outcome?.version == version("A7") && outcome?.shown?.version == version("A7"))
        #expect(outcome?.shown?.text == bytes("1\n2\n"))
        guard case .note(let note) = responses[sent[2]] else {
            Issue.record("the note is read")
            return
        }
        #expect(
            note.text == bytes("1\n2\n") && note.head.version == version("A7") && note.head.vector.counters[replica("A")] == 7)
    }

    /// The result is that of an undo at the moment of its commit.
    @Test func writesDuringAnUndo_areKept() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, undo("A2", on: "A4"))])
        try await handedOver(harness)
        for (base, text) in [("A4", "1\n2\n3\n4\n5\n"), ("A6", "1\n2 or 3\n3\n4\n5\n")] {
            #expect(await harness.ask(two, .write(save(id, text, on: version(base))))?.outcome?.kind == .saved)
        }
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        var plain = Harness(journal: Harness.memoryJournal(), configuration: EngineConfiguration(shortWalkRevisionsMax: .max))
        _ = await plain.register(1)
        _ = await plain.register(2)
        _ = await plain.ask(one, .write(create(id, "1\n")))
        let texts = [("A1", "1\n2\n"), ("A2", "1\n2\n3\n"), ("A3", "1\n2\n3\n4\n")]
        for (base, text) in texts { _ = await plain.ask(one, .write(save(id, text, on: version(base)))) }
        _ = await plain.ask(one, .write(create(noteID(2), "a\n")))
        for (base, text) in [("A4", "1\n2\n3\n4\n5\n"), ("A6", "1\n2 or 3\n3\n4\n5\n")] {
            _ = await plain.ask(two, .write(save(id, text, on: version(base))))
        }
        let expected = await plain.ask(one, undo("A2", on: "A4"))
        let responses = await harness.finish()
        let response = responses[sent[0]]
        #expect(response?.outcome == expected?.outcome && response?.outcome?.dot == dot("A8"))
        guard case .wrote(_, let conflicts, _) = response, case .wrote(_, let other, _) = expected else {
            Issue.record("both are executed")
            return
        }
        #expect(conflicts == other && !conflicts.isEmpty)
        _ = await plain.finish()
    }

    /// A note whose name another note takes while it is brought back has none. The first step asks which notes have
    /// the name, and the second uses the answer.
    @Test(arguments: [1, 2])
    func nameThatIsTakenMeanwhile_isNotBroughtBack(beforeStep step: Int) async throws {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.allLong)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n", name: "a")))
        _ = await harness.ask(one, .write(.saveNote(SaveNote(id: id, base: version("A1"), text: nil, name: .set("b")))))
        _ = await harness.ask(one, .write(create(noteID(2), "2\n")))
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, undo("A2", on: "A2"))])
        try await handedOver(harness)
        if step == 2 {
            let queue = harness.engine.walkWorker.queue
            queue.async { queue.suspend() }
            queue.resume()
            try await handedOver(harness, load: 2)
        }
        let taken = SaveNote(id: noteID(2), base: version("A3"), text: nil, name: .set("a"))
        #expect(await harness.ask(two, .write(.saveNote(taken)))?.outcome?.kind == .saved)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .status)
        guard case .note(let note) = await harness.ask(two, get) else {
            Issue.record("the note is read")
            return
        }
        #expect(note.head.name == nil && note.text == bytes("1\n"))
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.outcome?.dot == dot("A5"))
    }

    @Test func preview_changesNothing_andEndsWithItsConnection() async throws {
        var harness = await harness()
        let preview = await harness.ask(one, undo("A3", "A4", on: "A4", isPreview: true))
        #expect(preview?.outcome?.kind == .unchanged && preview?.outcome?.shown?.text == bytes("1\n2\n"))
        harness.engine.walkWorker.queue.suspend()
        _ = harness.send([(one, undo("A3", on: "A4", isPreview: true))])
        harness.engine.submit([.released(one)])
        _ = await harness.ask(two, .status)
        #expect(try await harness.engine.runOnEngine { $0.longReads.running == nil && $0.longReads.waiting.isEmpty })
        harness.engine.walkWorker.queue.resume()
        #expect(await harness.ask(two, get)?.text == bytes("1\n2\n3\n4\n"))
        #expect(await harness.ask(two, .write(save(noteID(2), "b\n", on: version("A5"))))?.outcome?.dot == dot("A6"))
        _ = await harness.finish()
    }

    @Test func undoOfAnEndedConnection_isExecuted() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        _ = harness.send([(one, undo("A3", "A4", on: "A4"))])
        harness.engine.submit([.released(one)])
        _ = await harness.ask(two, .status)
        harness.engine.walkWorker.queue.resume()
        while try await harness.engine.runOnEngine({ $0.dependents.count }) > 1 {}
        #expect(await harness.ask(two, get)?.text == bytes("1\n2\n"))
        _ = await harness.finish()
    }

    /// A note that changes during each of its loads leaves the cache, so that its writers wait for the undo.
    @Test func noteThatKeepsChanging_doesNotKeepAnUndoFromItsEnd() async throws {
        var harness = await harness()
        let sent = harness.send([(one, undo("A3", on: "A4"))])
        var (base, writes, loads) = (version("A4"), 0, 0)
        while !harness.answered.contains(sent[0]) {
            _ = await harness.ask(two, .status)
            let now = try await harness.engine.runOnEngine { $0.longReads.running?.loads ?? 0 }
            guard now > loads else { continue }
            loads = now
            writes += 1
            base = await harness.ask(two, .write(save(id, "\(writes)\n", on: base)))?.outcome?.version ?? base
        }
        // The undo may end before a write comes into its way.
        #expect(writes <= LongReads.loadsMax + 1)
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.outcome?.dot != nil)
    }
}
