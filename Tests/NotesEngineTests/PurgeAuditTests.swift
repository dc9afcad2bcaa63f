import Dependents
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing

@testable import NotesEngine

/// Audits that read a note in several steps, with a purge in between.
@Suite struct PurgeAuditTests {
    private let id = noteID(1)

    /// Executes steps of an audit.
    ///
    /// - Parameter count: the number of steps; nil for all that are left.
    private func advance(_ audit: Audit, by count: Int?, _ engine: Engine) async throws -> Audit {
        try await engine.runOnEngine { engine throws(JournalError) in
            var audit = audit
            var left = count ?? .max
            while left > 0, !audit.isDone {
                try audit.step(engine.noteCache.journal)
                left -= 1
            }
            return audit
        }
    }

    /// The note has more revisions than one step reads. The purge comes after each number of steps.
    @Test(arguments: [false, true], 0...6)
    func purgeWhileANoteIsRead_isNoFinding(isOnDisk: Bool, steps: Int) async throws {
        var site = try await Site(isOnDisk ? TemporaryDirectory() : nil, as: replica("A"))
        _ = await site.write(create(id, "0\n"))
        for number in 1..<600 { _ = await site.write(save(id, "\(number)\n", on: version("A\(number)"))) }
        var audit = Audit(dependent: DependentID(7), requestNumber: 0)
        audit = try await advance(audit, by: steps, site.engine)
        guard case .purged = await site.write(.purgeNote(PurgeNote(id: id, base: version("A600")))) else {
            Issue.record("the note was not purged")
            return
        }
        audit = try await advance(audit, by: nil, site.engine)
        #expect(audit.finished.findings == [])
        #expect(audit.finished.notes == 1 && (600...601).contains(audit.finished.revisions))
        await site.stop()
    }
}
