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

/// Audits whose checks another thread executes. The tests suspend that thread's queue, so they
/// determine what happens meanwhile.
@Suite struct LongAuditTests {
    private let id = noteID(1)

    /// An engine with two notes, for which every check is long.
    private func harness() async -> Harness {
        var harness = Harness(
            journal: Harness.memoryJournal(), configuration: EngineConfiguration(shortWalkRevisionsMax: -1))
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n")))
        _ = await harness.ask(one, .write(save(id, "1\n2\n", on: version("A1"))))
        _ = await harness.ask(one, .write(create(noteID(2), "a\n")))
        return harness
    }

    private func report(_ response: Response?) -> AuditReport? {
        if case .audited(let report) = response { report } else { nil }
    }

    /// Suspends the worker, and requests an audit. When this returns, the worker has its first check.
    private func beginAudit(_ harness: inout Harness) async throws -> UInt64 {
        harness.engine.walkWorker.queue.suspend()
        let sent = harness.send([(one, .audit)])
        while try await !harness.engine.runOnEngine({ engine throws(JournalError) in
            engine.maintenance.audits.contains(where: \.isAway)
        }) {}
        return sent[0]
    }

    @Test func saveDuringACheck_isAnsweredFirst() async throws {
        var harness = await harness()
        let audit = try await beginAudit(&harness)
        let behind = harness.send([(one, .status)])
        let saved = await harness.ask(two, .write(save(id, "1\n2\n3\n", on: version("A2"))))
        #expect(saved?.outcome?.kind == .saved)
        #expect(!harness.answered.contains(audit) && !harness.answered.contains(behind[0]))
        harness.engine.walkWorker.queue.resume()
        _ = await harness.ask(one, .listDependents)
        #expect(harness.answered.filter { $0 == audit || behind.contains($0) } == [audit] + behind)
        let found = report(await harness.finish()[audit])
        #expect(found?.findings == [] && found?.notes == 2)
    }

    @Test func auditsAtOnce_reportTheSame() async throws {
        var harness = await harness()
        let dependents = (0..<UInt64(Engine.auditsMax)).map { DependentID(10 + $0) }
        let responses = await harness.ask(dependents.map { ($0, .audit) } + [(two, .audit)])
        #expect(responses.dropLast().allSatisfy { report($0)?.notes == 2 && report($0)?.revisions == 3 })
        #expect(responses.last?.failure == .overloaded)
        _ = await harness.finish()
    }

    @Test func checkForAnEndedConnection_isDropped() async throws {
        var harness = await harness()
        let audit = try await beginAudit(&harness)
        harness.engine.submit([.released(one)])
        _ = await harness.ask(two, .status)
        harness.engine.walkWorker.queue.resume()
        #expect(report(await harness.ask(two, .audit))?.notes == 2)
        #expect(await harness.finish()[audit] == nil)
    }

    @Test func stoppingEngine_doesNotWaitForACheck() async throws {
        var harness = await harness()
        let audit = try await beginAudit(&harness)
        let behind = harness.send([
            (one, .status), (one, .write(create(noteID(3), ""))), (one, .audit), (one, .status),
        ])
        let responses = await harness.finish()
        harness.engine.walkWorker.queue.resume()
        #expect(responses[audit]?.failure == .shuttingDown)
        #expect(responses[behind[1]]?.isCreated == true)
        #expect(responses[behind[2]]?.failure == .shuttingDown)
        #expect(harness.answered.suffix(5) == [audit] + behind)
    }
}
