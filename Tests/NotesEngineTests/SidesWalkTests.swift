import Causality
import Dependents
import Dispatch
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
    private static let count = 100
    private static let configuration = EngineConfiguration(shortWalkRevisionsMax: 4, walkRowsMax: 3)
    /// The rows that one step may read: those of the first one, which suffice for a short walk.
    private static let rowsMax = 5

    /// An engine with a note whose conflict is open, without any text in memory.
    private func makeHarness() async throws -> Harness {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.configuration)
        for number in 1...4 { _ = await harness.register(UInt64(number)) }
        _ = await harness.ask(one, .write(create(id, "a\nb\nc\n"), operation: nil))
        _ = await harness.ask(one, .write(save(id, "a\nX\nc\n", on: version("A1")), operation: nil))
        _ = await harness.ask(one, .write(save(id, "a\nY\nc\n", on: version("A1")), operation: nil))
        let open = await harness.ask(one, .get(GetNote(key: .id(id))))
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
            engine.noteCache.dropTexts()
            (engine.noteCache.journal as? MemoryJournal)?.walkSteps = []
        }
    }

    /// Checks that no step since `forget` has read more rows than a turn may read, and that the steps
    /// have read a long history.
    private func expectSteps(_ harness: Harness) async throws {
        let steps = try await harness.engine.runOnEngine { ($0.noteCache.journal as? MemoryJournal)?.walkSteps ?? [] }
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
        let from = GetNote(key: .id(id), from: version("A103"))
        let sent = harness.send([(one, .get(GetNote(key: .id(id)))), (one, .status), (two, .get(from)), (two, .status)])
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
        let known = await harness.ask(one, .get(GetNote(key: .id(id), at: version("A102"))))
        #expect(known?.text == bytes(text))
        let sent = save(id, text + "100\n", on: base)
        try await forget(harness)
        // Another write since, so that the response shows the note.
        let last = await harness.ask(one, .write(save(id, text + "100\n101\n", on: version("A103")), operation: nil))
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
        _ = await harness.ask(one, .get(GetNote(key: .id(id), at: version("A102"))))
        let text = "a\nX\nY\nc\n" + (1...99).map { "\($0)\n" }.joined()
        let watch = WatchNotes(filter: Filter(), include: .meta, since: nil, snapshot: false, echo: true)
        _ = await harness.ask(one, .watch(watch))
        _ = await harness.notification(one) { if case .synced = $0.event { true } else { false } }
        try await forget(harness)
        harness.engine.walkWorker.queue.suspend()
        let writes = [save(id, "first\n" + text, on: version("A102")), save(id, text + "last\n", on: version("A103"))]
        let sent = harness.send(writes.map { (one, .write($0, operation: nil)) } + [(one, .status)])
        let other = await harness.ask(two, .write(create(noteID(2), "other\n"), operation: nil))
        #expect(other?.isCreated == true)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        #expect(harness.answered.filter(sent.contains) == sent)
        try await expectSteps(harness)
        let responses = await harness.finish()
        for number in sent[..<2] {
            guard case .wrote(let outcome, let conflicts, isReplay: false) = responses[number] else {
                Issue.record("not written: \(String(describing: responses[number]))")
                continue
            }
            #expect(outcome.kind == .merged && outcome.shown?.text.starts(with: bytes("first\na\n")) == true)
            #expect(contents(conflicts) == expected)
        }
    }
}
