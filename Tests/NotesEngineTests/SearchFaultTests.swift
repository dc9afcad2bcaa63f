import Causality
import Dependents
import Foundation
import Logging
import NoteText
import NotesMethods
import NotesModel
import NotesSearch
import NotesStore
import StoreTestKit
import Synchronization
import TestKit
import Testing

@testable import NotesEngine

/// Searches during faults of the store and of the index, and searches without a waiting client.
@Suite struct SearchFaultTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func search(_ query: String) throws -> Call {
        .search(SearchNotes(query: try SearchQuery(parsing: ByteString(query)), limit: 100, after: nil))
    }

    private static func index(_ folder: TemporaryDirectory, of store: ReplicaID) throws -> SearchIndex {
        try SearchIndex(directory: folder.path, store: store, logger: logger)
    }

    // MARK: - The store

    /// A temporary read error does not make the index treat a text as gone.
    @Test(arguments: [0, 1]) func temporaryReadFault_losesNothing(reads: Int) async throws {
        let folder = try TemporaryDirectory()
        var harness = Harness(
            journal: Harness.memoryJournal(), index: try Self.index(folder, of: replica("F")),
            configuration: EngineConfiguration(cacheBytesMax: 0))
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            let journal = engine.noteCache.journal as? MemoryJournal
            journal?.readFault = .failed("a passing error")
            journal?.readsBeforeFault = reads
            // The text is not cached. The first read lists the notes that the index lacks, the
            // second reads the text.
            engine.noteCache.forget(noteID(1))
        }
        #expect(await harness.ask(one, try Self.search("milk"))?.failure == .storageFailed("a passing error"))
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            (engine.noteCache.journal as? MemoryJournal)?.readFault = nil
            #expect(engine.searchCoordinator.handedOver == 0, "it is not gone past")
        }
        harness.engine.submit([.tick(seconds: 5)])
        guard case .hits(let hits, _, _) = await harness.ask(one, try Self.search("milk")) else {
            Issue.record("no hits")
            return
        }
        #expect(hits.map(\.head.id) == [noteID(1)])
        _ = await harness.finish()
    }

    // MARK: - The index

    /// A daemon that could not create its index, since the disk was full or another file was in its
    /// place, creates it once it can.
    @Test func uncreatableIndex_isCreatedLater() async throws {
        let folder = try TemporaryDirectory()
        let journal = try Site.open(folder, replica("A"))
        try block(folder)
        let index = SearchIndex.open(directory: folder.path, of: journal.identity.store, logger: Self.logger)
        var harness = Harness(journal: journal, index: index)
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        harness.engine.submit([.tick(seconds: 5)])
        guard case .storageFailed = await harness.ask(one, try Self.search("milk"))?.failure else {
            Issue.record("there is no index, and it is not said")
            return
        }
        try unblock(folder)
        #expect(try await found(&harness, "milk", ticksFrom: 10) == [noteID(1)])
        _ = await harness.finish()
    }

    /// As above, for an index that was damaged and could not be rebuilt at once.
    @Test func unrebuildableIndex_isRebuiltLater() async throws {
        let folder = try TemporaryDirectory()
        let journal = try Site.open(folder, replica("A"))
        let index = SearchIndex.open(directory: folder.path, of: journal.identity.store, logger: Self.logger)
        var harness = Harness(journal: journal, index: index)
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        #expect(try await found(&harness, "milk", ticksFrom: 5) == [noteID(1)])
        try block(folder)
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.foundFault(.damaged("a test")) }
        await indexIsDone(in: harness.engine)
        harness.engine.submit([.tick(seconds: 10)])
        #expect(await harness.ask(one, try Self.search("milk"))?.failure != nil)
        await indexIsDone(in: harness.engine)
        try unblock(folder)
        #expect(try await found(&harness, "milk", ticksFrom: 15) == [noteID(1)])
        _ = await harness.ask(one, .write(create(noteID(2), "milk\n")))
        #expect(try await found(&harness, "milk", ticksFrom: 20).count == 2)
        _ = await harness.finish()
    }

    /// An index that reports fewer commits than it was given is given the rest again.
    @Test func laggingIndex_getsMissingCommits() async throws {
        let folder = try TemporaryDirectory()
        var harness = Harness(journal: Harness.memoryJournal(), index: try Self.index(folder, of: replica("F")))
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.searchCoordinator.restart(at: 1) }
        guard case .searchBehind(done: 0, total: 1) = await harness.ask(one, try Self.search("milk"))?.failure else {
            Issue.record("it has less, and it is not said")
            return
        }
        #expect(try await found(&harness, "milk", ticksFrom: nil) == [noteID(1)])
        _ = await harness.finish()
    }

    /// Recurring damage delays the next rebuild.
    @Test func recurringDamage_delaysRebuild() async throws {
        let folder = try TemporaryDirectory()
        var harness = Harness(journal: Harness.memoryJournal(), index: try Self.index(folder, of: replica("F")))
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.foundFault(.damaged("a test")) }
        #expect(try await found(&harness, "milk", ticksFrom: nil) == [noteID(1)])
        harness.engine.submit([.tick(seconds: 5)])
        try await harness.engine.runOnEngine { engine throws(JournalError) in engine.foundFault(.damaged("a test")) }
        harness.engine.submit([.tick(seconds: 34)])
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            #expect(engine.searchCoordinator.indexRebuild.isNeeded && !engine.searchCoordinator.indexRebuild.isUnderWay)
        }
        guard case .storageFailed = await harness.ask(one, try Self.search("milk"))?.failure else {
            Issue.record("no pause")
            return
        }
        #expect(try await found(&harness, "milk", ticksFrom: 35) == [noteID(1)])
        _ = await harness.finish()
    }

    @Test func delays_doubleUntilDamageEnds() {
        var rebuild = IndexRebuild()
        var pauses: [UInt64] = []
        for _ in 0..<10 {
            rebuild.damaged()
            pauses.append(rebuild.pause)
            if rebuild.pause > 0 {
                rebuild.now += rebuild.pause - 1
                #expect(!rebuild.isDue)
                rebuild.now += 1
            }
            #expect(rebuild.isDue)
            rebuild.rebuilt()
            #expect(!rebuild.isDue)
        }
        #expect(pauses == [0, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
        rebuild.now += IndexRebuild.calmSeconds
        rebuild.damaged()
        #expect(rebuild.pause == 0 && rebuild.isDue)
        #expect(rebuild.failed() && !rebuild.failed() && rebuild.isDue, "it is tried again, and said once")
    }

    // MARK: - Cancelled searches

    /// The searches of closed connections are not executed.
    @Test func searchesOfClosedConnections_areNotStarted() async throws {
        let folder = try TemporaryDirectory()
        var harness = Harness(journal: Harness.memoryJournal(), index: try Self.index(folder, of: replica("F")))
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        #expect(try await found(&harness, "milk", ticksFrom: nil) == [noteID(1)])
        let gate = try await holdIndex(of: harness.engine)
        _ = harness.send([(two, try Self.search("milk"))])
        let stop = try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.searchCoordinator.underWay[two]?.stop
        }
        #expect(stop?.isCancelled == false)
        harness.engine.submit([.released(two)])
        try await harness.engine.runOnEngine { _ throws(JournalError) in }
        #expect(stop?.isCancelled == true)
        let calls = Calls()
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            engine.searchCoordinator.indexWorker?.perform(until: stop) { _ throws(SearchFault) in
                calls.add()
            } then: { _ in
            }
        }
        gate.open()
        #expect(try await found(&harness, "milk", ticksFrom: nil) == [noteID(1)])
        #expect(calls.count == 0)
        _ = await harness.finish()
    }

    // MARK: - Stopping

    /// A request that waited for a search that the stop ended is not started: nothing would end it.
    @Test func backupQueuedAfterSearch_isNotStartedOnStop() async throws {
        let folder = try TemporaryDirectory()
        let journal = try Site.open(folder, replica("A"))
        let index = try Self.index(folder, of: journal.identity.store)
        var harness = Harness(journal: journal, index: index)
        _ = await harness.register(1)
        _ = await harness.ask(one, .write(create(noteID(1), "milk\n")))
        let gate = try await holdIndex(of: harness.engine)
        let copy = ByteString(folder.path + "/copy")
        let requestNumbers = harness.send([
            (one, try Self.search("milk")), (one, .backup(to: copy)), (one, try Self.search("milk")),
        ])
        // All were taken before the stop.
        try await harness.engine.runOnEngine { _ throws(JournalError) in }
        try await harness.engine.runOnEngine { engine throws(JournalError) in
            #expect(engine.queuedBehind[one]?.count == 2)
        }
        gate.open(after: harness.engine)
        let responses = await harness.finish()
        #expect(requestNumbers.map { responses[$0]?.failure } == [.shuttingDown, .shuttingDown, .shuttingDown])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
    }

    // MARK: - Helpers

    /// Returns when the index has executed its jobs, and the engine has taken in their results.
    private func indexIsDone(in engine: Engine) async {
        await withCheckedContinuation { continuation in
            let errand = Errand(
                { engine throws(JournalError) in
                    engine.searchCoordinator.indexWorker?.perform { _ throws(SearchFault) in
                    } then: { _ in
                        let errand = Errand({ _ throws(JournalError) in }, completion: { _ in continuation.resume() })
                        engine.submit([.errand(errand)])
                    }
                }, completion: { _ in })
            engine.submit([.errand(errand)])
        }
    }

    private final class Calls: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    /// Puts something in place of the index that is not a file and cannot be removed.
    private func block(_ folder: TemporaryDirectory) throws {
        let path = folder.path + "/search.sqlite3"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/in the way", withIntermediateDirectories: true)
    }

    private func unblock(_ folder: TemporaryDirectory) throws {
        try FileManager.default.removeItem(atPath: folder.path + "/search.sqlite3")
    }

    /// Searches until there is a result, or until a deadline. Sends a tick before each search if
    /// `seconds` is given.
    private func found(
        _ harness: inout Harness, _ query: String, ticksFrom seconds: Int?
    ) async throws -> [NoteID] {
        var refusals: [RequestFailure] = []
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            // The same second each time: the clock does not advance by itself.
            if let seconds { harness.engine.submit([.tick(seconds: seconds)]) }
            switch await harness.ask(one, try Self.search(query)) {
            case .hits(let hits, _, _): return hits.map(\.head.id)
            case .failed(let failure): refusals.append(failure)
            case let other: Issue.record("\(String(describing: other))")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("it stays refused: \(String(describing: refusals.last))")
        return []
    }

    /// Blocks the index's thread until the gate is opened.
    private func holdIndex(of engine: Engine) async throws -> Gate {
        let gate = Gate()
        try await engine.runOnEngine { engine throws(JournalError) in
            engine.searchCoordinator.indexWorker?.perform { _ throws(SearchFault) in
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

        /// Opens when the engine accepts no more inputs.
        func open(after engine: Engine) {
            Thread.detachNewThread {
                while engine.submit([.errand(Errand({ _ throws(JournalError) in }, completion: { _ in }))]) { usleep(1_000) }
                self.open()
            }
        }
    }
}
