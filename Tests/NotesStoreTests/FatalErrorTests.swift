import Causality
import Foundation
import NotesModel
import TestKit
import Testing

@testable import NotesStore

/// The state of a journal after a fatal error, and how an engine can use it.
@Suite struct FatalErrorTests {
    @Test func damagedFile_isPermanentlyFatal() throws {
        var generator = HistoryGenerator(seed: 9)
        let directory = try TemporaryDirectory()
        let first = try openStore(directory.path, replica: generator.replica)
        try first.append(generator.commits(200).map { .commit($0, operation: nil) })
        try first.close()
        generator.restart()
        let journal = try openStore(directory.path, replica: generator.replica)
        let path = directory.path + "/notes.sqlite3"
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: size - 4_096))
        try file.close()

        var found: JournalError?
        for id in generator.ids where found == nil {
            do { _ = try journal.note(id, downTo: .start, asOf: nil) } catch { found = error }
        }
        let error = try #require(found)
        #expect(error.isFatal && error.message.contains("damaged"))
        #expect(throws: error) { try journal.append([.commit(generator.next(), operation: nil)]) }
        #expect(throws: error) { try journal.statistics() }
        #expect(throws: error) { try journal.maintain() }
    }

    private actor Engine {
        private let journal: SQLiteJournal
        init(_ journal: sending SQLiteJournal) { self.journal = journal }
        func lastSequence() -> UInt64 { journal.lastSequence }
        func close() throws { try journal.close() }
    }

    @Test func openedJournal_canBeSentToAnActor() async throws {
        let directory = try TemporaryDirectory()
        let engine = Engine(
            try Store.open(
                directory: directory.path, replica: ReplicaID(bits: 1), newStore: testStore, now: Timestamp(milliseconds: 0),
                logger: silent))
        #expect(await engine.lastSequence() == 0)
        try await engine.close()
    }
}
