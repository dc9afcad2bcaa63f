import Dependents
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

@Suite struct BatchTests {
    private let id = noteID(1)

    /// Each read waits for the write before it, and so for a commit; other connections do not wait
    /// for all of these.
    @Test func alternatingWritesAndReads_delayNoOther() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.register(2)
        let get = Call.get(GetNote(.id(noteID(1))))
        var requests: [(DependentID, Call)] = []
        for number in UInt64(1)...10 { requests += [(one, .write(create(noteID(number), "a"))), (one, get)] }
        let responses = await harness.ask(requests + [(two, .status)])
        #expect(responses.count == 21)
        let requestNumbers = Array(harness.answered.suffix(21))
        #expect(requestNumbers.firstIndex(of: 23) ?? .max <= 1, "behind one write at most: \(requestNumbers)")
        #expect(requestNumbers.filter { $0 != 23 } == Array(3...22), "a connection's own order stays")
    }

    /// Three connections write long notes, and one ends after its writes. Each turn takes as much
    /// text as it may, in the order of each connection, and every write that was taken is executed.
    @Test func longWrites_takeTurns_inConnectionOrder() async {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(turnTextBytesMax: 100))
        for number in UInt64(1)...4 { _ = await harness.register(number) }
        var requests: [(DependentID, Call)] = []
        for number in UInt64(0)..<12 {
            let note = noteID(number)
            let text = String(repeating: "x", count: 60)
            requests.append((DependentID(1 + number % 3), .write(create(note, text))))
            requests.append((DependentID(1 + number % 3), .get(GetNote(.id(note)))))
        }
        let responses = await harness.ask(requests + [(DependentID(4), .status)], releasing: DependentID(3))
        #expect(responses.count == 25)
        for index in stride(from: 0, to: 24, by: 2) {
            #expect(responses[index].isCreated && responses[index + 1].text?.count == 60, "request \(index)")
        }
        let requestNumbers = Array(harness.answered.suffix(25))
        #expect(requestNumbers.firstIndex(of: 29) ?? .max <= 3, "behind two long writes at most: \(requestNumbers)")
        let list = ListNotes(filter: Filter(), limit: 100, place: .byName(after: nil))
        guard case .notes(let heads, _) = await harness.ask(one, .list(list)) else {
            Issue.record("no list")
            return
        }
        #expect(heads.count == 12)
    }

    /// After a connection that writes eight long notes at once, another waits for one of them.
    @Test func smallWrite_waitsForAtMostOneLongWrite() async {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(turnTextBytesMax: 100))
        for number in UInt64(1)...2 { _ = await harness.register(number) }
        let long = String(repeating: "x", count: 200)
        let writes = (UInt64(1)...8).map { (one, Call.write(create(noteID($0), long))) }
        let responses = await harness.ask(writes + [(two, .write(create(noteID(9), "short")))])
        #expect(responses.filter(\.isCreated).count == 9)
        #expect(Array(harness.answered.suffix(9)) == [3, 11, 4, 5, 6, 7, 8, 9, 10])
    }

    /// One of eight long writes is executed in each turn; the end of their connection follows all
    /// of them.
    @Test func writesBeforeDisconnect_areCommitted() async {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(turnTextBytesMax: 100))
        for number in UInt64(1)...2 { _ = await harness.register(number) }
        let long = String(repeating: "x", count: 200)
        let writes = (UInt64(1)...8).map { number in
            Input.request(
                Request(dependent: one, requestNumber: 100 + number, body: .call(.write(create(noteID(number), long)))))
        }
        harness.engine.submit(writes + [.released(one)])
        var count = 0
        // Each of these is in a separate turn.
        for _ in 0..<20 where count < 8 {
            let list = Call.list(ListNotes(filter: Filter(), limit: 100, place: .byName(after: nil)))
            if case .notes(let heads, _) = await harness.ask(two, list) { count = heads.count }
        }
        #expect(count == 8)
    }

    @Test func readAfterWrite_seesIt() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        let responses = await harness.ask([
            (one, .get(GetNote(.id(id)))), (one, .write(create(id, "a"))),
            (one, .get(GetNote(.id(id)))),
            (one, .write(save(id, "b", on: version("A1")))), (one, .get(GetNote(.id(id)))),
        ])
        #expect(responses.count == 5)
        #expect(responses[0].rejection == .noteNotFound)
        #expect(responses[1].isCreated)
        #expect(responses[2].text == bytes("a"))
        #expect(responses[3].outcome?.kind == .saved)
        #expect(responses[4].text == bytes("b"))
    }

    @Test func writesOnOneBase_inOneBatch_areAllKept() async {
        var harness = Harness(journal: Harness.memoryJournal())
        for number in 1...3 { _ = await harness.register(UInt64(number)) }
        _ = await harness.ask(one, .write(create(id, "1\n2\n3\n4\n5\n")))
        let responses = await harness.ask(
            [(1, "a\n2\n3\n4\n5\n"), (2, "1\n2\nb\n4\n5\n"), (3, "1\n2\n3\n4\nc\n")].map { number, text in
                (DependentID(number), .write(save(id, text, on: version("A1"))))
            })
        #expect(responses.map { $0.outcome?.kind } == [.saved, .merged, .merged])
        let shown = await harness.ask(one, .get(GetNote(.id(id))))
        #expect(shown?.text == bytes("a\n2\nb\n4\nc\n"))
    }

    @Test func commitWithoutSpace_isRetriedSingly() async {
        let full = JournalError.full("no room")
        let journal = Harness.memoryJournal(faults: [nil, full, full, nil])
        var harness = Harness(journal: journal)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "a")))
        let responses = await harness.ask([
            (one, .write(save(id, "large", on: version("A1")))),
            (two, .write(create(noteID(2), "small"))),
        ])
        #expect(responses[0].failure == .storageFull("no room"))
        #expect(responses[1].isCreated)
        let shown = await harness.ask(one, .get(GetNote(.id(id))))
        #expect(shown?.text == bytes("a"), "a write that was refused changes nothing")
        let again = await harness.ask(one, .write(save(id, "large", on: version("A1"))))
        #expect(again?.outcome?.dot == dot("A3"), "and takes no dot: the small one had A2")
    }

    /// The refused write makes the note stale in its batch, while the repeated write has read the
    /// earlier state.
    @Test func noteWithRefusedWrite_isShownAsCommitted() async {
        var configuration = EngineConfiguration()
        configuration.model.noteBytesMax = 10
        var harness = Harness(journal: Harness.memoryJournal(), configuration: configuration)
        for number in 1...3 { _ = await harness.register(UInt64(number)) }
        _ = await harness.ask(one, .write(create(id, "")))
        let named = Call.write(save(id, "aaaaaaaaa\n", on: version("A1")), operation: "op")
        _ = await harness.ask(one, named)
        let responses = await harness.ask([
            (one, .write(save(id, "bbbbbbbbb\n", on: version("A1")))), (two, named),
            (DependentID(3), .write(save(id, "c\n", on: version("A1")))),
        ])
        #expect(responses[0].outcome?.kind == .merged)
        #expect(responses[1].isReplay)
        #expect(responses[2].rejection == .noteTooLarge(bytes: 22, limit: 20))
        let shown = await harness.ask(one, .get(GetNote(.id(id))))
        #expect(shown?.text == bytes("aaaaaaaaa\nbbbbbbbbb\n"))
    }

    @Test func commitOfUnknownOutcome_isNotAnswered() async {
        var harness = Harness(journal: Harness.memoryJournal(faults: [.fatal("fdatasync failed")]))
        _ = await harness.register(1)
        let responses = await harness.ask([(one, .write(create(id, "a")))])
        #expect(responses.isEmpty)
        #expect(harness.failure == "fdatasync failed")
        #expect(!harness.engine.submit([.tick(seconds: 1)]), "nothing is taken any more")
    }

    /// A caller adds a last input, and the engine ends before that caller wakes it. That is no
    /// failure.
    @Test func wakeAfterFinish_doesNothing() async throws {
        let folder = try TemporaryDirectory()
        var harness = Harness(journal: try Site.open(folder, replica("A")))
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(id, "a")))
        await harness.engine.finish()
        harness.engine.wake()
        harness.engine.submit([.tick(seconds: 1)])
        // Runs after the tick on the engine's thread.
        #expect(await harness.engine.isEnding)
        _ = await harness.finish()
        #expect(harness.failure == nil)
    }

    @Test func writeOfClosedConnection_isSkipped() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.register(2)
        let strange = Request(dependent: DependentID(99), requestNumber: 1_000, body: .call(.write(create(id, "a"))))
        let late = Request(dependent: two, requestNumber: 1_001, body: .call(.write(create(noteID(2), "b"))))
        harness.engine.submit([.request(strange), .released(two), .request(late)])
        guard case .status(let status) = await harness.ask(one, .status) else {
            Issue.record("no status")
            return
        }
        #expect(status.store.notes == 0)
    }

    @Test func readOnlyStore_isReported() async {
        var harness = Harness(journal: Harness.memoryJournal(faults: [.readOnly("mounted read-only")]))
        _ = await harness.register(1)
        let response = await harness.ask(one, .write(create(id, "a")))
        #expect(response?.failure == .readOnly("mounted read-only"))
        guard case .status(let status) = await harness.ask(one, .status) else {
            Issue.record("no status")
            return
        }
        #expect(status.state == .readOnly)
    }
}

@Suite struct OperationTests {
    private let id = noteID(1)

    @Test func repeatedOp_isExecutedOnce() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(id, "a\n"), operation: "make"))
        let first = await harness.ask(one, .write(save(id, "a\nb\n", on: version("A1")), operation: "op"))
        _ = await harness.ask(one, .write(save(id, "c\na\nb\n", on: version("A2"))))
        let again = await harness.ask(one, .write(save(id, "a\nb\n", on: version("A1")), operation: "op"))
        #expect(first?.isReplay == false)
        #expect(again?.isReplay == true)
        #expect(again?.outcome?.dot == first?.outcome?.dot)
        #expect(again?.outcome?.version == first?.outcome?.version)
        #expect(again?.outcome?.shown?.text == bytes("c\na\nb\n"), "the note as it is now")
        let made = await harness.ask(one, .write(create(id, "a\n"), operation: "make"))
        #expect(made?.isCreated == true)
        #expect(made?.isReplay == true)
    }

    @Test func equalOpsInOneTurn_areExecutedOnce() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.register(2)
        let write = Call.write(create(id, "a"), operation: "op")
        let responses = await harness.ask([(one, write), (two, write)])
        #expect(responses.map(\.isCreated) == [true, true])
        #expect(responses.map(\.isReplay) == [false, true])
    }

    @Test func usedOpWithOtherParams_isRefused() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.register(2, user: 1001)
        _ = await harness.ask(one, .write(create(id, "a"), operation: "op"))
        let other = await harness.ask(one, .write(create(id, "b"), operation: "op"))
        #expect(other?.failure == .operationReused)
        let another = await harness.ask(two, .write(create(noteID(2), "b"), operation: "op"))
        #expect(another?.isCreated == true, "names belong to their user")
    }

    @Test func failedWrite_storesNoOp_butUnchangedDoes() async {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        let refused = await harness.ask(one, .write(save(id, "a", on: version("A1")), operation: "op"))
        #expect(refused?.rejection == .noteNotFound)
        _ = await harness.ask(one, .write(create(id, "a")))
        let unchanged = await harness.ask(one, .write(save(id, "a", on: version("A1")), operation: "op"))
        #expect(unchanged?.outcome?.kind == .unchanged)
        #expect(unchanged?.isReplay == false)
        let again = await harness.ask(one, .write(save(id, "a", on: version("A1")), operation: "op"))
        #expect(again?.outcome?.kind == .unchanged)
        #expect(again?.isReplay == true)
    }
}
