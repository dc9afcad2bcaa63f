import Causality
import Dependents
import Foundation
import Logging
import NotesModel
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

/// Searches while something is wrong: with the store, with the index, or because nobody waits for them any more.
@Suite struct SearchFaultTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func search(_ query: String) throws -> Request.Body {
        .search(SearchNotes(query: try SearchQuery(parsing: ByteString(query)), limit: 100, after: nil))
    }

    private static func index(_ folder: TemporaryDirectory, of store: ReplicaID) throws -> SearchIndex {
        try SearchIndex(directory: folder.path, store: store, logger: logger)
    }

    // MARK: - The store

    /// A text that cannot be read for once is not taken for one that is gone for good.
    @Test(arguments: [0, 1]) func aFaultOfReadingThatPasses_losesNothing(reads: Int) async throws {
        let folder = try TemporaryDirectory()
        var harness = Harness(
            journal: Harness.memoryJournal(), index: try Self.index(folder, of: replica("F")),
            configuration: EngineConfiguration(cacheBytesMax: 0))
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n"), operation: nil))
        try await harness.engine.inTurn { engine throws(JournalError) in
            let journal = engine.library.journal as? MemoryJournal
            journal?.readFault = .failed("a passing error")
            journal?.readsBeforeFault = reads
        }
        #expect(await harness.ask(one, try Self.search("milk"))?.failure == .storageFailed("a passing error"))
        try await harness.engine.inTurn { engine throws(JournalError) in
            (engine.library.journal as? MemoryJournal)?.readFault = nil
        }
        harness.engine.submit([.tick(seconds: 5)])
        guard case .hits(let hits, _, _) = await harness.ask(one, try Self.search("milk")) else {
            Issue.record("no hits")
            return
        }
        #expect(hits.map(\.head.id) == [noteID(1)])
        _ = await harness.finish()
    }

    // MARK: - Stopping

    /// What stood behind a search that the stop ended is not begun: nobody would end it.
    @Test func aBackupBehindASearch_isNotBegunWhenTheDaemonStops() async throws {
        let folder = try TemporaryDirectory()
        let journal = try Site.open(folder, replica("A"))
        let index = try Self.index(folder, of: journal.identity.store)
        var harness = Harness(journal: journal, index: index)
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n"), operation: nil))
        let gate = try await holdIndex(of: harness.engine)
        let copy = ByteString(folder.path + "/copy")
        let tickets = harness.send([(one, try Self.search("milk")), (one, .backup(copy)), (one, try Self.search("milk"))])
        // All were taken before the stop.
        try await harness.engine.inTurn { _ throws(JournalError) in }
        try await harness.engine.inTurn { engine throws(JournalError) in
            #expect(engine.held[one]?.count == 2)
        }
        gate.open(after: harness.engine)
        let answers = await harness.finish()
        #expect(tickets.map { answers[$0]?.failure } == [.shuttingDown, .shuttingDown, .shuttingDown])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
    }

    // MARK: - Helpers

    /// Keeps the index's thread from doing anything until the gate is opened.
    private func holdIndex(of engine: Engine) async throws -> Gate {
        let gate = Gate()
        try await engine.inTurn { engine throws(JournalError) in
            engine.searching.searcher?.perform { _ throws(SearchFault) in
                gate.wait()
            } then: { _ in
            }
        }
        return gate
    }

    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)

        func wait() { opened.wait() }
        func open() { opened.signal() }

        /// Opens when the engine takes nothing more.
        func open(after engine: Engine) {
            Thread.detachNewThread {
                while engine.submit([.errand(Errand({ _ throws(JournalError) in }, answer: { _ in }))]) { usleep(1_000) }
                self.open()
            }
        }
    }
}
