import Causality
import Dependents
import Dispatch
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing

@testable import NotesEngine

/// The engine reads the rows of long walks in steps.
@Suite struct WalkStepTests {
    private let id = noteID(1)
    private let three = DependentID(3)
    private let four = DependentID(4)
    private static let count = 100
    private static let configuration = EngineConfiguration(shortWalkRevisionsMax: 4, walkRowsMax: 3)
    /// The rows that one step may read: those of the first one, which suffice for a short walk.
    private static let rowsMax = 5

    /// An engine with a note of concurrent revisions, so that each read needs them all, and another
    /// note.
    private func makeHarness() async -> Harness {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.configuration)
        for number in 1...4 { _ = await harness.register(UInt64(number)) }
        _ = await harness.ask(one, .write(create(id, "0\n")))
        for number in 1...Self.count {
            _ = await harness.ask(one, .write(save(id, "0\n\(number)\n", on: version("A1"))))
        }
        _ = await harness.ask(one, .write(create(noteID(2), "other\n")))
        return harness
    }

    private func get(_ at: String) -> GetNote { GetNote(.id(id), at: version(at)) }

    private func request(_ dependent: DependentID, _ get: GetNote) -> Request {
        Request(dependent: dependent, requestNumber: 900 + dependent.number, body: .call(.get(get)))
    }

    /// Reads of versions, and everything else that needs the whole note.
    @Test func noTurn_readsManyRows() async throws {
        var harness = await makeHarness()
        let id = id
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.noteCache.forget(id)
            engine.journal?.readSteps = []
        }
        let place = SetPresence.Position(note: id, version: version("A9"), selection: nil, encoding: .utf8)
        let sent = harness.send([
            (one, .get(get("A50"))), (two, .get(GetNote(.id(id), from: version("A7")))),
            (three, .setPresence(SetPresence(place))),
            (four, .write(save(id, "0\nlast\n", on: version("A1")))),
        ])
        let other = await harness.ask(DependentID(5), .get(GetNote(.id(noteID(2)))))
        #expect(other?.text == bytes("other\n"))
        for dependent in [one, two, three, four] { _ = await harness.ask(dependent, .status) }
        let steps = try await harness.engine.runOnEngine { $0.readSteps }
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.text == bytes("0\n49\n"))
        #expect(responses[sent[3]]?.outcome?.kind == .merged)
        #expect(sent.allSatisfy { responses[$0] != nil })
        #expect(steps.allSatisfy { $0 <= Self.rowsMax })
        #expect(steps.reduce(0, +) > Self.count, "the test reads no long history")
    }

    @Test func readOfAnEndedConnection_stopsWithinAStep() async throws {
        let harness = await makeHarness()
        let first = request(one, get("A90"))
        let (begun, left) = try await harness.engine.runOnEngine { engine throws(JournalError) in
            guard case .call(.get(let get)) = first.body, try engine.read(get, for: first) == nil else { return (0, 0) }
            try engine.readOn()
            try engine.readOn()
            let begun = engine.readSteps.count
            #expect(engine.longReads.hasWork)
            engine.longReads.forget(one)
            #expect(!engine.longReads.hasWork)
            try engine.readOn()
            return (begun, engine.readSteps.count - begun)
        }
        #expect(begun > 2 && left == 0)
    }

    @Test func stoppingEngine_readsNoFurtherRows() async throws {
        var harness = await makeHarness()
        let requests = [one, two, three, four].map { request($0, get("A9\($0.number)")) }
        let left = try await harness.engine.runOnEngine { engine throws(JournalError) in
            for request in requests {
                guard case .call(.get(let get)) = request.body, try engine.read(get, for: request) == nil else { return -1 }
            }
            try engine.readOn()
            let begun = engine.readSteps.count
            try engine.endLongReads()
            #expect(!engine.longReads.hasWork)
            try engine.readOn()
            return engine.readSteps.count - begun
        }
        #expect(left == 0)
        let responses = await harness.finish()
        #expect(requests.allSatisfy { responses[$0.requestNumber]?.failure == .shuttingDown })
    }

    @Test func readsOfTheSameVersion_shareAWalk() async throws {
        var harness = await makeHarness()
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.journal?.readSteps = [] }
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([one, two, three, four].map { ($0, .get(get("A90"))) })
        while try await harness.engine.runOnEngine({ $0.longReads.waiting.count }) < 3 {}
        harness.engine.walkWorker.queue.resume()
        for dependent in [one, two, three, four] { _ = await harness.ask(dependent, .status) }
        let steps = try await harness.engine.runOnEngine { $0.readSteps }
        let responses = await harness.finish()
        #expect(sent.allSatisfy { responses[$0]?.text == bytes("0\n89\n") })
        #expect(steps.reduce(0, +) < 2 * Self.count)
    }

    /// A walk that compaction of the note interrupts begins again.
    @Test func compactedNote_isReadAgain() async throws {
        let harness = await makeHarness()
        let (id, first) = (id, request(one, get("A90")))
        let rows = try await harness.engine.runOnEngine { engine throws(JournalError) in
            guard case .call(.get(let get)) = first.body, try engine.read(get, for: first) == nil else { return 0 }
            try engine.readOn()
            engine.longReads.compacted(id)
            engine.journal?.readSteps = []
            while engine.longReads.running?.reading != nil { try engine.readOn() }
            return engine.readSteps.reduce(0, +)
        }
        #expect(rows >= 89)
    }

    /// A load that begins again and again reads no more rows in one step.
    @Test func loadDuringManyPurges_isReadInSteps() async throws {
        var harness = await makeHarness()
        let (id, queue) = (id, harness.engine.walkWorker.queue)
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.noteCache.forget(id)
            engine.journal?.readSteps = []
        }
        queue.suspend()
        let sent = harness.send([(one, .get(GetNote(.id(id))))])
        for load in 1...LongReads.loadsMax + 1 {
            while try await harness.engine.runOnEngine({ engine in
                engine.longReads.running.map { $0.loads < load || $0.reading != nil } ?? true
            }) {}
            try await harness.engine.runOnEngine { $0.longReads.compacted(id) }
            try await harness.executeWalkStep()
        }
        queue.resume()
        _ = await harness.ask(one, .status)
        let steps = try await harness.engine.runOnEngine { $0.readSteps }
        #expect(steps.allSatisfy { $0 <= Self.rowsMax }, "a turn read \(steps.max() ?? 0) rows")
        #expect(steps.reduce(0, +) > LongReads.loadsMax * Self.count)
        #expect(await harness.finish()[sent[0]]?.failure == nil)
    }

    /// The rows of a load below its first step cannot be read.
    @Test func errorInALaterStep_isTheResponse() async throws {
        var harness = await makeHarness()
        let id = id
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.noteCache.forget(id)
            engine.journal?.readFault = .failed("a passing error")
            engine.journal?.readsBeforeFault = 5
        }
        let response = await harness.ask(one, .get(GetNote(.id(id))))
        #expect(response?.failure == .storageFailed("a passing error"))
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.journal?.readFault = nil }
        #expect(await harness.ask(one, .get(GetNote(.id(id))))?.failure == nil)
        _ = await harness.finish()
    }
}

extension Engine {
    fileprivate var journal: MemoryJournal? { noteCache.journal as? MemoryJournal }

    /// The rows that each step of a walk has read.
    fileprivate var readSteps: [Int] { journal?.readSteps ?? [] }
}
