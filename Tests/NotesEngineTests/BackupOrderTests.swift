import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

@testable import NotesEngine

@Suite struct BackupOrderTests {
    /// A turn learns that a backup has ended, and contains a later request of the same connection.
    /// The requests that waited for the backup come first, even if they have to wait for a commit.
    @Test func requestsQueuedDuringBackup_precedeLaterOnes() async throws {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        func request(_ requestNumber: UInt64, _ body: Call) -> Request {
            Request(dependent: one, requestNumber: requestNumber, body: .call(body))
        }
        let run = BackupJob(dependent: one, requestNumber: 100)
        let waiting = [request(101, .write(create(noteID(1), "a\n"))), request(102, .status)]
        let begins = Errand(
            { engine throws(JournalError) in
                engine.maintenance.backup = run
                engine.queuedBehind[one] = waiting
            }, completion: { _ in })
        let ends = Errand({ engine throws(JournalError) in engine.ended(run, .failure(.cancelled)) }, completion: { _ in })
        harness.engine.submit([.errand(begins), .errand(ends), .request(request(103, .status)), .request(request(104, .status))])
        _ = await harness.finish()
        #expect(harness.answered.suffix(5) == [100, 101, 102, 103, 104])
    }
}
