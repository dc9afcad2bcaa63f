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

/// Reads of old versions whose walks another thread executes. The tests suspend that thread's queue,
/// so they determine what happens meanwhile.
@Suite struct LongReadTests {
    private let id = noteID(1)
    /// Every walk is long.
    private static let allLong = EngineConfiguration(shortWalkRevisionsMax: -1, walkRowsMax: 2)

    private func get(_ at: String? = nil, from: String? = nil) -> Call {
        .get(GetNote(.id(id), at: at.map { version($0) }, from: from.map { version($0) }))
    }

    private func note(_ response: Response?) -> NoteResponse? {
        if case .note(let note) = response { note } else { nil }
    }

    /// An engine with a note of three revisions, for which every walk is long.
    private func harness() async -> Harness {
        var harness = Harness(journal: Harness.memoryJournal(), configuration: Self.allLong)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n")))
        _ = await harness.ask(one, .write(save(id, "1\n2\n", on: version("A1"))))
        _ = await harness.ask(one, .write(save(id, "1\n2\n3\n", on: version("A2"))))
        return harness
    }

    @Test func saveDuringALongRead_isAnsweredFirst() async {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, get("A2")), (one, .status), (one, get(from: "A1")), (one, .listDependents)])
        let saved = await harness.ask(two, .write(save(id, "1\n2\n3\n4\n", on: version("A3"))))
        #expect(saved?.outcome?.kind == .saved)
        #expect(sent.allSatisfy { !harness.answered.contains($0) })
        harness.engine.walkWorker.queue.resume()
        let last = await harness.ask(one, get("A1"))
        #expect(last?.text == bytes("1\n"))
        #expect(harness.answered.filter(sent.contains) == sent)
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.text == bytes("1\n2\n"))
        #expect(note(responses[sent[0]])?.siblings == version("A4"), "the current state when the response is sent")
        #expect(responses[sent[2]]?.text == bytes("1\n2\n3\n4\n"))
        #expect(note(responses[sent[2]])?.from == bytes("1\n"))
    }

    @Test func readOfAnEndedConnection_isDropped() async {
        var harness = await harness()
        let others = [DependentID(3), DependentID(4)]
        harness.engine.walkWorker.queue.suspend()
        let dropped = harness.send([(one, get("A1")), (others[0], get("A1"))])
        let kept = harness.send([(two, get("A2"))])
        harness.engine.submit([.released(one), .released(others[0])])
        _ = await harness.ask(others[1], .status)
        harness.engine.walkWorker.queue.resume()
        #expect(await harness.ask(two, get("A1"))?.text == bytes("1\n"))
        let responses = await harness.finish()
        #expect(responses[kept[0]]?.text == bytes("1\n2\n"))
        #expect(dropped.allSatisfy { responses[$0] == nil })
    }

    @Test func stoppingEngine_doesNotWaitForLongReads() async {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let first = harness.send([(one, get("A1")), (one, .status), (one, .write(create(noteID(2), "a\n")))])
        let second = harness.send([(one, get()), (one, get("A1")), (two, get("A1")), (two, .status)])
        let responses = await harness.finish()
        harness.engine.walkWorker.queue.resume()
        for refused in [first[0], second[1], second[2]] { #expect(responses[refused]?.failure == .shuttingDown) }
        #expect(responses[first[2]]?.isCreated == true)
        #expect(responses[second[0]]?.text == bytes("1\n2\n3\n"))
        #expect(harness.answered.filter { (first + second[..<2]).contains($0) } == first + second[..<2])
        #expect(responses[second[3]] != nil)
    }

    @Test func tooManyLongReads_areRefused() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let connections = (0..<UInt64(LongReads.waitingMax) + 2).map { DependentID(10 + $0) }
        let sent = harness.send(connections.dropLast().map { ($0, get("A1")) })
        // Several turns take them.
        while try await harness.engine.runOnEngine({ $0.longReads.waiting.count }) < LongReads.waitingMax {}
        let refused = await harness.ask(connections[connections.count - 1], get("A1"))
        #expect(refused?.failure == .overloaded)
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(connections[connections.count - 2], .status)
        let responses = await harness.finish()
        #expect(sent.allSatisfy { responses[$0]?.text == bytes("1\n") })
    }

    @Test func readFaultMeanwhile_isTheResponse() async throws {
        var harness = await harness()
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, get("A1")), (two, get("A2"))])
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            (engine.noteCache.journal as? MemoryJournal)?.readFault = .failed("a passing error")
        }
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(two, .listDependents)
        let responses = await harness.finish()
        #expect(responses[sent[0]]?.text == bytes("1\n"))
        #expect(responses[sent[1]]?.failure == .storageFailed("a passing error"))
    }

    /// Reads of old versions that arrive together delay a save by those of one turn.
    @Test func readsOfOldVersions_areSpreadOverTurns() async {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(turnRevisionsMax: 100))
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(id, "1\n")))
        let sent = harness.send([
            (one, get("A1")), (one, get(from: "A1")), (one, get("A1")), (one, .status),
            (two, .get(GetNote(.id(id)))), (DependentID(3), get("A1")), (DependentID(3), .status),
        ])
        _ = await harness.finish()
        #expect(harness.answered.suffix(sent.count) == [0, 1, 4, 2, 3, 5, 6].map { sent[$0] })
    }

    /// A conflict stays open while one writer goes on. The record of a late version begins above the
    /// conflict's sides, which a second step reads.
    @Test(arguments: [false, true], [-1, .max])
    func sidesBelowTheRecord_areRead(isOnDisk: Bool, shortWalkRevisionsMax: Int) async throws {
        let configuration = EngineConfiguration(shortWalkRevisionsMax: shortWalkRevisionsMax)
        var site = try await Site(
            isOnDisk ? TemporaryDirectory() : nil, as: replica("A"), configuration: configuration)
        _ = await site.write(create(id, "a\nb\nc\nd\n"))
        _ = await site.write(save(id, "a\nX\nc\nd\n", on: version("A1")))
        _ = await site.write(save(id, "a\nY\nc\nd\n", on: version("A1")))
        var now = try #require(await site.note(id))
        #expect(now.conflicts.count == 1)
        for number in 0..<20 {
            _ = await site.write(save(id, String(decoding: now.text, as: UTF8.self) + "\(number)\n", on: now.siblings))
            now = try #require(await site.note(id))
        }
        #expect(now.conflicts.count == 1)
        let id = id
        let expected = try await site.engine.runOnEngine { engine throws(JournalError) in
            let record = try engine.noteCache.journal.note(id, downTo: .dots(version("A22")), asOf: nil)
            #expect(record?.floor != nil, "the record does not begin below the sides")
            return try wholeHistory(of: id, at: version("A22"), from: version("A1"), engine.noteCache.journal)
        }
        let response = await site.harness.ask(one, read(at: version("A22"), from: version("A22")))
        #expect(facts(response)?.conflicts == expected?.conflicts && expected?.conflicts.count == 1)
        await site.stop()
    }

    // MARK: - Laws

    /// Long and short reads answer the same, and what the whole history shows.
    @Test(arguments: [false, true], seeds(10))
    func longRead_answersWhatTheWholeHistoryShows(isOnDisk: Bool, seed: UInt64) async throws {
        let place: Comment = "seed \(seed), on disk \(isOnDisk)"
        var random = SeededGenerator(seed: seed)
        var history = UndoneHistory(seed: seed, of: id)
        func site(_ configuration: EngineConfiguration) async throws -> Site {
            try await Site(isOnDisk ? TemporaryDirectory() : nil, as: ReplicaID(bits: 0xA0), configuration: configuration)
        }
        var long = try await site(Self.allLong)
        var short = try await site(EngineConfiguration(shortWalkRevisionsMax: .max))
        var made: [Dot] = []
        for _ in 0..<history.writes {
            let now = await short.note(id)
            var own: UndoneHistory.Read?
            if let newest = made.last, let read = note(await short.harness.ask(one, read(at: Version(newest)))) {
                own = UndoneHistory.Read(Version(newest), read.text)
            }
            let command = history.next(
                now: now.map { UndoneHistory.Read($0.siblings, $0.text) }, own: own,
                conflicts: now?.head.conflicts.map(\.id) ?? [], made: made)
            _ = await long.write(command)
            if let dot = (await short.write(command))?.made { made.append(dot) }
        }
        for _ in 0..<20 {
            let at = random.chance(0.8) ? someVersion(made, &random) : nil
            let from = random.chance(0.5) ? someVersion(made, &random) : nil
            let response = await long.harness.ask(one, read(at: at, from: from))
            let other = await short.harness.ask(one, read(at: at, from: from))
            #expect(facts(response) == facts(other), place)
            guard let response = note(response) else { continue }
            let id = id
            let expected = try await short.engine.runOnEngine { engine throws(JournalError) in
                try wholeHistory(of: id, at: at, from: from, engine.noteCache.journal)
            }
            #expect(Facts(response) == expected, place)
        }
        await long.stop()
        await short.stop()
    }

    private func read(at: Version?, from: Version? = nil) -> Call {
        .get(GetNote(.id(id), at: at, from: from))
    }

    private func someVersion(_ made: [Dot], _ random: inout SeededGenerator) -> Version {
        (0..<random.pick([0, 1, 1, 2, 3])).reduce(.nothing) { version, _ in version.union(Version(random.pick(made))) }
    }

    private func facts(_ response: Response?) -> Facts? {
        note(response).map { Facts($0) }
    }
}

/// The facts that a response states about a version.
private struct Facts: Hashable {
    let head: Head
    let text: [UInt8]
    let siblings: Version
    let conflicts: [ConflictDetail]
    let from: [UInt8]?
}

extension Facts {
    fileprivate init(_ note: NoteResponse) {
        self.init(head: note.head, text: note.text, siblings: note.siblings, conflicts: note.conflicts, from: note.from)
    }
}

/// The facts about a version, computed from the note's complete history.
private func wholeHistory(
    of id: NoteID, at: Version?, from: Version?, _ journal: any Journal
) throws(JournalError) -> Facts? {
    guard let record = try journal.note(id, downTo: .start, asOf: nil) else { return nil }
    var note = Note(record)
    let shown = at.map { note.reduced($0) } ?? note.version
    let source = try journal.revision(record.tail.last { shown.dots.contains($0.dot) }?.dot ?? record.tail[0].dot, of: id)
    guard let source else { return nil }
    // The empty version shows the time of creation.
    let modified = shown.isNothing ? source.created : source.modified
    let head = note.head(at: shown, author: source.author, modified: modified)
    var conflicts: [ConflictDetail] = []
    for conflict in head.conflicts {
        guard let contents = note.conflictSides(of: conflict, at: shown) else { return nil }
        var sides: [ConflictSide] = []
        for (dot, content) in zip(conflict.sides, contents.sides) {
            guard let revision = try journal.revision(dot, of: id) else { return nil }
            sides.append(
                ConflictSide(
                    dot: dot, isWithdrawn: conflict.withdrawn.contains(dot), author: revision.author, modified: revision.time,
                    content: content))
        }
        conflicts.append(ConflictDetail(conflict: conflict, base: contents.base, sides: sides))
    }
    return Facts(
        head: head, text: note.text(at: shown), siblings: note.version, conflicts: conflicts,
        from: from.map { note.text(at: note.reduced($0)) })
}

extension Response {
    /// The dot of the revision that a write made.
    fileprivate var made: Dot? {
        if case .created(let head, _) = self { return head.version.dots.first }
        return outcome?.dot
    }
}
