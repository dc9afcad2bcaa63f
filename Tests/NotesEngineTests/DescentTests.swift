import Causality
import Dependents
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing

@testable import NotesEngine

/// Watches that resume from far below a note with a long history. Their pages and lines wait while the
/// engine follows its commits.
@Suite struct DescentTests {
    private let id = noteID(1)
    private static let count = 100
    private static let configuration = EngineConfiguration(shortWalkRevisionsMax: 4, walkRowsMax: 16)
    /// The links that one step may read.
    private static let rowsMax = 16

    /// A restarted engine, which has to count the commits that a line covers. The store has a note of
    /// sequential revisions and another note.
    private func makeHarness(_ configuration: EngineConfiguration = Self.configuration) async throws -> Harness {
        var writer = Harness(journal: Harness.memoryJournal())
        _ = await writer.register(1)
        _ = await writer.ask(one, .write(create(noteID(2), "other\n")))
        _ = await writer.ask(one, .write(create(id, "0\n")))
        for number in 1...Self.count {
            _ = await writer.ask(one, .write(save(id, "\(number)\n", on: version("A\(number + 1)"))))
        }
        let commits = try await writer.engine.runOnEngine { ($0.noteCache.journal as? MemoryJournal)?.commits ?? [] }
        _ = await writer.finish()
        let journal = Harness.memoryJournal()
        try journal.append(commits.map { .commit($0, operation: nil) })
        journal.restart(as: replica("B"))
        var harness = Harness(journal: journal, configuration: configuration)
        for number in 1...3 { _ = await harness.register(UInt64(number)) }
        return harness
    }

    private func resume(_ include: WatchDetail, since sequence: UInt64 = 3) -> Call {
        let cursor = Cursor(CommitPosition(sequence: sequence, replica: replica("A")))
        return .watch(WatchNotes(filter: Filter(), include: include, since: cursor, snapshot: true, echo: true))
    }

    private func steps(_ harness: Harness) async throws -> [Int] {
        try await harness.engine.runOnEngine { ($0.noteCache.journal as? MemoryJournal)?.readSteps ?? [] }
    }

    private func changes(_ harness: Harness, _ dependent: DependentID) -> [ChangeNotification] {
        changes(harness.notifications[dependent] ?? [])
    }

    private func changes(_ notifications: [WatchNotification]) -> [ChangeNotification] {
        notifications.flatMap { notification -> [ChangeNotification] in
            switch notification.event {
            case .changed(let changed): [changed]
            case .changes(let shared): shared.changes.map(\.notification)
            default: []
            }
        }
    }

    private func untilSynced(_ harness: inout Harness, _ dependent: DependentID) async {
        _ = await harness.notification(dependent) { if case .synced = $0.event { true } else { false } }
    }

    /// All watches share the search, and each line has the exact count.
    @Test(arguments: [WatchDetail.meta, .text, .edits])
    func resumedWatches_waitForTheCommits(include: WatchDetail) async throws {
        var harness = try await makeHarness()
        for dependent in [one, two] { _ = await harness.ask(dependent, resume(include)) }
        for dependent in [one, two] {
            await untilSynced(&harness, dependent)
            let lines = changes(harness, dependent)
            #expect(lines.map(\.state.head.id) == [id])
            #expect(lines.first?.coalesced == Self.count - 1 && lines.first?.kind == .edited)
            if include != .meta { #expect(lines.first?.state.text == bytes("\(Self.count)\n")) }
            if include == .edits { #expect(lines.first?.base?.text == bytes("1\n")) }
        }
        let steps = try await steps(harness)
        #expect(steps.allSatisfy { $0 <= Self.rowsMax }, "a turn read \(steps.max() ?? 0) links")
        #expect(steps.reduce(0, +) < 2 * Self.count && steps.reduce(0, +) >= Self.count - 1)
        _ = await harness.finish()
    }

    /// Both connections end while their pages wait for the same commits.
    @Test func endedConnections_leaveNoSearch() async throws {
        var harness = try await makeHarness()
        let left = try await harness.engine.runOnEngine { engine throws(JournalError) in
            for dependent in [one, two] {
                #expect(try engine.waits(dependent, forCommitsOf: id, downTo: 3))
            }
            #expect(engine.longReads.waiting.isEmpty && engine.longReads.hasWork)
            engine.longReads.forget(one)
            #expect(engine.longReads.hasWork)
            engine.longReads.forget(two)
            return engine.longReads.hasWork
        }
        #expect(!left)
        _ = await harness.finish()
    }

    /// The page is read without the search, which reports the damage or does without the row.
    @Test func unreadableRow_endsTheSearch() async throws {
        var harness = try await makeHarness()
        let isAsked = try await harness.engine.runOnEngine { engine throws(JournalError) in
            let journal = engine.noteCache.journal as? MemoryJournal
            guard try engine.waits(one, forCommitsOf: id, downTo: 3) else { return false }
            journal?.readFault = .failed("a passing error")
            try engine.readOn()
            journal?.readFault = nil
            #expect(!engine.longReads.hasWork)
            return try !engine.waits(one, forCommitsOf: id, downTo: 3)
        }
        #expect(isAsked)
        _ = await harness.ask(one, resume(.meta))
        await untilSynced(&harness, one)
        #expect(changes(harness, one).first?.coalesced == Self.count - 1)
        _ = await harness.finish()
    }

    /// Many lines that read the store are spread over turns.
    @Test func lines_areSpreadOverTurns() async throws {
        var configuration = Self.configuration
        configuration.turnReadsMax = 1
        var harness = try await makeHarness(configuration)
        let watchers = [one, two, DependentID(3)]
        for dependent in watchers { _ = await harness.ask(dependent, resume(.edits, since: 1)) }
        for dependent in watchers {
            await untilSynced(&harness, dependent)
            #expect(changes(harness, dependent).first?.coalesced == Self.count + 1)
        }
        _ = await harness.finish()
    }

    /// Other notes are written in each turn while lines wait. No broadcast overtakes a line.
    @Test func broadcasts_followTheLinesThatWait() async throws {
        var configuration = Self.configuration
        configuration.turnReadsMax = 1
        configuration.turnWeightMax = 1
        var harness = try await makeHarness(configuration)
        let watchers = [one, two]
        for dependent in watchers { _ = await harness.ask(dependent, resume(.meta, since: 1)) }
        let writes = (10..<200).map { number in
            (DependentID(3), Call.write(create(noteID(UInt64(number)), "new\n")))
        }
        _ = harness.send(writes)
        for dependent in watchers {
            _ = await harness.notification(dependent) { changes([$0]).contains { $0.state.head.id == noteID(199) } }
            let numbers = (harness.notifications[dependent] ?? []).map(\.number)
            let lines = changes(harness, dependent)
            #expect(lines.first { $0.state.head.id == id }?.coalesced == Self.count + 1)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        }
        _ = await harness.finish()
    }

    /// The client resumes from its cursor.
    @Test func stoppingEngine_readsNoFurtherLinks() async throws {
        var harness = try await makeHarness()
        let left = try await harness.engine.runOnEngine { engine throws(JournalError) in
            #expect(try engine.waits(one, forCommitsOf: id, downTo: 3))
            try engine.readOn()
            let begun = (engine.noteCache.journal as? MemoryJournal)?.readSteps.count
            try engine.endLongReads()
            #expect(!engine.longReads.hasWork)
            try engine.readOn()
            return (engine.noteCache.journal as? MemoryJournal)?.readSteps.count == begun
        }
        #expect(left)
        _ = await harness.ask(one, resume(.text))
        _ = await harness.finish()
    }
}
