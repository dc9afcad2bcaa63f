import Causality
import Foundation
import Logging
import NoteText
import NotesMethods
import NotesModel
import NotesSearch
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

/// Searches through an engine, its store and its index: every acknowledged write is found.
@Suite struct SearchingTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// An engine on a store with an index, and the expected notes.
    private struct Desk {
        let folder: TemporaryDirectory
        var harness: Harness
        var notes: [NoteID: (note: SearchableNote, version: Version)] = [:]

        init(_ folder: TemporaryDirectory, as replica: ReplicaID) async throws {
            self.folder = folder
            harness = try Self.harness(folder, replica)
            _ = await harness.register(1)
            _ = await harness.register(2)
        }

        private static func harness(_ folder: TemporaryDirectory, _ replica: ReplicaID) throws -> Harness {
            let journal = try Site.open(folder, replica)
            let index = try SearchIndex(directory: folder.path, store: journal.identity.store, logger: logger)
            return Harness(journal: journal, index: index)
        }

        mutating func restart(as replica: ReplicaID) async throws {
            await harness.engine.finish()
            harness = try Self.harness(folder, replica)
            _ = await harness.register(1)
            _ = await harness.register(2)
        }

        static func search(_ query: String, limit: Int = 100) throws -> Call {
            .search(SearchNotes(query: try SearchQuery(parsing: ByteString(query)), limit: limit, after: nil))
        }

        mutating func found(_ query: String, by dependent: DependentID = two) async throws -> [SearchHit]? {
            guard case .hits(let hits, _, _) = await harness.ask(dependent, try Self.search(query)) else { return nil }
            return hits
        }

        /// Creates, changes, renames or deletes a note. Returns the command and its expected
        /// result.
        mutating func change(_ random: inout SeededGenerator) -> Command {
            let number = 1 + UInt64(random.below(12))
            let id = noteID(number)
            guard let (note, version) = notes[id] else {
                let note = SearchableNote(name: nil, text: random.searchableText(pieces: 8))
                return .createNote(CreateNote(id: id, isIDChosen: false, name: nil, text: bytes(note.text)))
            }
            switch random.below(4) {
            case 0: return .deleteNote(DeleteNote(id: id, base: version))
            case 1:
                let name = random.searchableName(number)
                let request: NameRequest = name.map { .set(ByteString($0)) } ?? .clear
                return .saveNote(SaveNote(id: id, base: version, text: bytes(note.text), name: request, resolves: []))
            default:
                let text = random.searchableText(pieces: 8)
                return .saveNote(SaveNote(id: id, base: version, text: bytes(text), name: .leave, resolves: []))
            }
        }

        /// Takes over the daemon's state of a note.
        mutating func learn(_ id: NoteID) async {
            guard case .note(let response) = await harness.ask(one, .get(GetNote(.id(id)))) else { return }
            let note = SearchableNote(
                name: response.head.name?.description, text: String(decoding: response.text, as: UTF8.self))
            notes[id] = response.head.isDeleted ? nil : (note, response.head.version)
        }
    }

    /// Writes and searches of one connection, and searches of another, in sequence; the engine is
    /// restarted now and then.
    @Test(arguments: seeds(12))
    func acknowledgedWrites_areFound(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var desk = try await Desk(TemporaryDirectory(), as: replica("A"))
        var runs: [Character] = ["B", "C", "D", "E"]
        for _ in 0..<40 {
            let command = desk.change(&random)
            let text = random.query()
            // The search follows the write on the same connection, and both are sent at once.
            let responses = await desk.harness.ask([(one, .write(command)), (one, try Desk.search(text))])
            await desk.learn(command.note)
            let query = try SearchQuery(parsing: ByteString(text))
            let expected = Set(desk.notes.filter { $0.value.note.matches(query.root) }.keys)
            guard case .hits(let hits, nil, false) = try #require(responses.last) else {
                Issue.record("seed \(seed): \(text): \(responses)")
                return
            }
            #expect(Set(hits.map(\.head.id)) == expected && hits.count == expected.count, "seed \(seed): \(text)")
            for hit in hits { #expect(hit.head.version == desk.notes[hit.head.id]?.version, "seed \(seed): as it is now") }
            #expect(Set(try #require(try await desk.found(text)).map(\.head.id)) == expected, "seed \(seed): the other's \(text)")
            if random.chance(0.08), let run = runs.popLast() {
                if random.chance(0.5) { desk.harness.engine.submit([.tick(seconds: 5), .tick(seconds: 10)]) }
                try await desk.restart(as: replica(run))
            }
        }
        #expect(desk.harness.failure == nil)
        guard case .audited(let report) = await desk.harness.ask(one, .audit) else {
            Issue.record("no audit")
            return
        }
        #expect(report.findings.isEmpty, "seed \(seed): \(report.findings)")
        await desk.harness.engine.finish()
    }

    /// The response to a search is in order among those of its connection, and other connections do
    /// not wait for it.
    @Test func responses_areInOrder() async throws {
        var desk = try await Desk(TemporaryDirectory(), as: replica("A"))
        let write = Call.write(create(noteID(1), "milk\n"))
        let responses = await desk.harness.ask([
            (one, write), (one, try Desk.search("milk")), (one, .status), (one, try Desk.search("bread")),
            (one, .get(GetNote(.id(noteID(1))))),
        ])
        let order = desk.harness.answered.suffix(5)
        #expect(Array(order) == order.sorted() && responses.count == 5)
        guard case .hits(let first, _, _) = responses[1], case .hits(let second, _, _) = responses[3] else {
            Issue.record("\(responses)")
            return
        }
        #expect(first.map(\.head.id) == [noteID(1)] && second.isEmpty)
        #expect(first.first?.excerpt == SearchExcerpt(text: bytes("milk\n"), ranges: [0..<4]))
        await desk.harness.engine.finish()
    }

    /// Writes in the turn that takes a search, or while it waits, do not change its result, even if
    /// they change a note before its earlier state is handed over.
    @Test func noteRewrittenDuringSearch_isFound() async throws {
        var desk = try await Desk(TemporaryDirectory(), as: replica("A"))
        // More than fit into one batch, so that some are written again between two batches.
        let ids = (1...300).map { noteID(UInt64($0)) }
        _ = await desk.harness.ask(ids.map { (one, .write(create($0, "milk\n"))) })
        for id in ids { await desk.learn(id) }
        let writes: [(DependentID, Call)] = try ids.map { id in
            let version = try #require(desk.notes[id]?.version)
            return (one, .write(save(id, "milk bread\n", on: version)))
        }
        let responses = await desk.harness.ask([(two, try Desk.search("milk", limit: 300))] + writes)
        guard case .hits(let hits, nil, false) = try #require(responses.first) else {
            Issue.record("\(responses.first.debugDescription)")
            return
        }
        #expect(hits.count == 300 && Set(hits.map(\.head.id)) == Set(ids), "\(hits.count) of 300")
        await desk.harness.engine.finish()
    }

    /// A store without an index, or whose index was removed or belongs to another history: the
    /// index is built, and until then a search reports that instead of returning fewer hits.
    @Test func missingIndex_isBuilt_andSearchesReportProgress() async throws {
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: replica("A"))
        for number in 1...1_200 { _ = await site.write(create(noteID(UInt64(number)), "milk \(number)\n")) }
        await site.stop()
        var desk = try await Desk(folder, as: replica("B"))
        var refusals = 0
        var hits: [SearchHit]?
        while hits == nil {
            switch await desk.harness.ask(two, try Desk.search("milk -name:x")) {
            case .hits(let found, _, _): hits = found
            case .failed(.searchBehind(let done, let total)):
                refusals += 1
                #expect(done < total && total == 1_200)
                // The requests give the engine turns, in which it makes progress.
                _ = await desk.harness.ask(one, .status)
            case let other:
                Issue.record("\(String(describing: other))")
                return
            }
        }
        #expect(hits?.count == 100 && hits?.first?.head.id == noteID(1_200))
        #expect(try await desk.found("1200")?.count == 1)
        #expect(try await desk.found("1")?.map(\.head.id) == [noteID(1)])
        await desk.harness.engine.finish()
    }

    /// A store that was restored to an earlier state, with the index of the later one.
    @Test func indexOfAnotherHistory_isRebuilt() async throws {
        let folder = try TemporaryDirectory()
        var desk = try await Desk(folder, as: replica("A"))
        _ = await desk.harness.ask(one, .write(create(noteID(1), "milk\n")))
        try await desk.restart(as: replica("B"))
        let copy = folder.path + "/copy"
        await desk.harness.engine.finish()
        try FileManager.default.copyItem(atPath: folder.path + "/notes.sqlite3", toPath: copy)
        try await desk.restart(as: replica("C"))
        _ = await desk.harness.ask(one, .write(create(noteID(2), "bread\n")))
        #expect(try await desk.found("bread")?.count == 1)
        await desk.harness.engine.finish()
        try FileManager.default.removeItem(atPath: folder.path + "/notes.sqlite3")
        try FileManager.default.moveItem(atPath: copy, toPath: folder.path + "/notes.sqlite3")
        var other = try await Desk(folder, as: replica("D"))
        _ = await other.harness.ask(one, .write(create(noteID(3), "tea\n")))
        #expect(try await other.found("bread") == [], "it was never written in this history")
        #expect(try await other.found("tea OR milk")?.count == 2)
        await other.harness.engine.finish()
    }

    @Test func withoutIndex_searchFails_andWritesSucceed() async throws {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        let responses = await harness.ask([
            (one, try Desk.search("milk")), (one, .write(create(noteID(1), "milk\n"))),
        ])
        guard case .failed(.storageFailed) = responses.first else {
            Issue.record("\(responses)")
            return
        }
        #expect(responses.last?.isCreated == true)
    }
}
