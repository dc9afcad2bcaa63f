import NotesModel
import StoreTestKit
import Testing

@testable import NotesStore

/// The faults that tests of the layers above inject.
@Suite struct MemoryJournalFaults {
    @Test func scriptedFaults_comeInOrder_andChangeNothing() throws {
        var generator = HistoryGenerator(seed: 1)
        let journal = MemoryJournal(identity: StoreIdentity(store: testStore, replica: generator.replica))
        let commit = generator.next()
        journal.appendFaults = [.full("no room"), nil]
        #expect(throws: JournalError.full("no room")) { try journal.append([.commit(commit, operation: nil)]) }
        #expect(journal.lastSequence == 0)
        try journal.append([.commit(commit, operation: nil)])
        #expect(journal.lastSequence == 1 && journal.appends == 1)
    }

    @Test func fatalFault_persists() throws {
        var generator = HistoryGenerator(seed: 1)
        let journal = MemoryJournal(identity: StoreIdentity(store: testStore, replica: generator.replica))
        journal.appendFaults = [.fatal("lost")]
        let entries = [JournalEntry.commit(generator.next(), operation: nil)]
        for _ in 0..<2 { #expect(throws: JournalError.fatal("lost")) { try journal.append(entries) } }
        #expect(throws: JournalError.fatal("lost")) { try journal.statistics() }
    }

    @Test func readFault_persistsWhileSet() throws {
        let journal = MemoryJournal(identity: StoreIdentity(store: testStore, replica: testStore))
        journal.readFault = .failed("not now")
        #expect(throws: JournalError.failed("not now")) { try journal.heads(matching: Filter(), after: nil, limit: 1) }
        journal.readFault = nil
        #expect(try journal.heads(matching: Filter(), after: nil, limit: 1).isEmpty)
    }
}
