import Causality
import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import StoreTestKit
import TestKit
import Testing
import TextMerge

/// Which texts are compacted when, and how requests for them are answered.
@Suite struct CompactionTests {
    private let id = noteID(1)
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func site(_ folder: TemporaryDirectory? = nil, as name: Character = "A", days: Int = 0) async throws -> Site {
        try await Site(folder, as: replica(name), configuration: EngineConfiguration(history: .keepDays(days)))
    }

    /// Each revision adds a line.
    private func write(_ count: Int, from first: Int = 1, to site: inout Site) async {
        for number in first..<first + count {
            let text = (1...number).map { "\($0)\n" }.joined()
            let command = number == 1 ? create(id, text) : save(id, text, on: version("A\(number - 1)"))
            _ = await site.write(command)
        }
    }

    private func compact(_ site: Site, day: Int = 1) async throws {
        site.engine.submit([.tick(seconds: 86_400 * day)])
        while try await site.engine.isCompacting() {}
    }

    /// The revisions up to a number that cannot be read.
    private func compactedDots(_ site: inout Site, of dots: [String]) async -> [String] {
        var gone: [String] = []
        for name in dots {
            let response = await site.harness.ask(one, .get(GetNote(.id(id), at: version(name))))
            if case .revisionGone = response?.rejection { gone.append(name) }
        }
        return gone
    }

    private func audit(_ site: inout Site) async throws -> AuditReport {
        let response = await site.harness.ask(one, .audit)
        guard case .audited(let report) = response else { throw RequestFailure.shuttingDown }
        return report
    }

    private func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "A\($0)" } }

    @Test(arguments: [false, true])
    func compactedVersion_isRefusedWithOldestLeft(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk ? TemporaryDirectory() : nil)
        await write(5, to: &site)
        try await compact(site)
        let isGone = Rejection.revisionGone(version("A2"), oldest: dot("A5"))
        #expect(await site.harness.ask(one, .get(GetNote(.id(id), at: version("A2"))))?.rejection == isGone)
        #expect(await site.harness.ask(one, .get(GetNote(.id(id), from: version("A2"))))?.rejection == isGone)
        #expect(await site.write(save(id, "x\n", on: version("A2")))?.rejection == isGone)
        #expect(await site.write(.deleteNote(DeleteNote(id: id, base: version("A2"))))?.rejection == isGone)
        #expect(await site.write(save(id, "x\n", on: .nothing))?.rejection == .revisionGone(.nothing, oldest: dot("A5")))
        // An unknown version stays unknown, and an old version joined with one that covers it
        // equals that one.
        let unknown = Rejection.unknownBase(known: .nothing, unknown: version("B7"))
        #expect(await site.write(save(id, "x\n", on: version("A2", "B7")))?.rejection == unknown)
        #expect(await site.write(save(id, "x\n", on: version("A2", "A5")))?.outcome?.kind == .saved)
        #expect(await site.write(save(id, "y\n", on: version("A5")))?.outcome?.kind == .conflicted)
        #expect(try await audit(&site).findings.isEmpty)
        await site.stop()
    }

    @Test func youngRevisions_areKept() async throws {
        var site = try await site(days: 1)
        func revision(_ name: String, on parents: Version, hoursAgo: Int64) -> Revision {
            Revision(
                note: id, dot: dot(name), parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes(name))],
                origin: .stated, author: ada, time: Timestamp(milliseconds: now.milliseconds - hoursAgo * 3_600_000))
        }
        let written = [
            revision("C1", on: .nothing, hoursAgo: 90), revision("C2", on: version("C1"), hoursAgo: 60),
            revision("C3", on: version("C2"), hoursAgo: 25), revision("C4", on: version("C3"), hoursAgo: 23),
            revision("C5", on: version("C4"), hoursAgo: 99),
        ]
        _ = try await site.adopt(linked(written))
        try await compact(site)
        // C3 was current until C4 was committed, within the last day.
        #expect(await compactedDots(&site, of: ["C1", "C2", "C3", "C4", "C5"]) == ["C1", "C2"])
        #expect(await site.text(id) == "C5C4C3C2C1")
        await site.stop()
    }

    @Test func byDefault_everythingIsKept() async throws {
        var site = try await Site(as: replica("A"))
        await write(5, to: &site)
        try await compact(site)
        #expect(await compactedDots(&site, of: names(1...5)).isEmpty)
        await site.stop()
    }

    @Test func pass_runsOncePerDay() async throws {
        var site = try await site()
        try await compact(site)
        await write(3, to: &site)
        site.engine.submit([.tick(seconds: 86_400 * 2 - 1)])
        #expect(try await site.engine.isCompacting() == false)
        #expect(await compactedDots(&site, of: names(1...3)).isEmpty)
        try await compact(site, day: 2)
        #expect(await compactedDots(&site, of: names(1...3)) == names(1...2))
        await site.stop()
    }

    // MARK: What compaction keeps

    @Test(arguments: [false, true])
    func revisionsMissingAtPeer_areKept(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk ? TemporaryDirectory() : nil)
        let (near, far) = (ReplicaID(bits: 7), ReplicaID(bits: 8))
        await write(8, to: &site)
        let all = DotSet(names(1...8).map { dot($0) })
        try await site.harness.connect(peer: near, knowing: all)
        try await site.harness.connect(peer: far, knowing: DotSet(names(1...3).map { dot($0) }))
        try await compact(site, day: 1)
        #expect(await compactedDots(&site, of: names(1...8)) == names(1...2))
        try await site.harness.connect(peer: far, knowing: DotSet(names(1...6).map { dot($0) }))
        try await compact(site, day: 2)
        #expect(await compactedDots(&site, of: names(1...8)) == names(1...5))
        try await site.harness.forget(peer: far)
        try await compact(site, day: 3)
        #expect(await compactedDots(&site, of: names(1...8)) == names(1...7))
        let report = try await audit(&site)
        #expect(report.findings.isEmpty && report.compacted == 7)
        let page = try await site.missing(by: DotSet())
        #expect(page.gone.isEmpty && page.revisions.isEmpty && page.beginnings.map(\.dot) == [dot("A8")])
        await site.stop()
    }

    @Test func peers_areRememberedAcrossRestart() async throws {
        let folder = try TemporaryDirectory()
        var site = try await site(folder)
        await write(4, to: &site)
        try await site.harness.connect(peer: ReplicaID(bits: 8), knowing: DotSet([dot("A1")]))
        await site.stop()
        site = try await self.site(folder, as: "B")
        try await compact(site)
        #expect(await compactedDots(&site, of: names(1...4)).isEmpty)
        await site.stop()
    }

    @Test func compactedRevisionOfferedAgain_isKnownByHash() async throws {
        var site = try await site()
        await write(5, to: &site)
        let all = try await site.missing(by: DotSet()).revisions
        try await compact(site)
        #expect(try await site.adopt(all).known == 5)
        let altered = Revision(
            note: id, dot: dot("A2"), parents: version("A1"), edits: [], origin: .found, author: ada, time: now)
        let late = Revision(note: id, dot: dot("C1"), parents: version("A2"), edits: [], origin: .found, author: ada, time: now)
        let first = Revision(note: id, dot: dot("C2"), parents: .nothing, edits: [], origin: .found, author: ada, time: now)
        let report = try await site.adopt(linked([altered, late, first], onto: all))
        #expect(
            report.quarantined.map(\.reason) == [.dotIsTaken, .parentIsCompacted, .parentIsCompacted]
                && report.quarantined.map(\.dot) == [dot("A2"), dot("C1"), dot("C2")])
        #expect(await site.text(id) == "1\n2\n3\n4\n5\n")
        await site.stop()
    }

    /// A waiting revision may build on text that would be compacted: its note is not compacted
    /// until the revision is committed.
    @Test(arguments: [false, true])
    func noteWithWaitingRevisions_isNotCompacted(isOnDisk: Bool) async throws {
        var site = try await site(isOnDisk ? TemporaryDirectory() : nil)
        await write(4, to: &site)
        func revision(_ name: String, on parents: Version) -> Revision {
            Revision(
                note: id, dot: dot(name), parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes("0\n"))],
                origin: .found, author: ada, time: now)
        }
        let all = try await site.missing(by: DotSet()).revisions
        let late = linked([revision("C1", on: version("A2")), revision("C2", on: version("C1"))], onto: all)
        #expect(try await site.adopt([late[1]]).waiting == [dot("C2")])
        try await compact(site, day: 1)
        #expect(await compactedDots(&site, of: names(1...4)).isEmpty)
        #expect(try await site.adopt([late[0]]).committed == [dot("C1"), dot("C2")])
        // Two siblings: the floor is below both.
        try await compact(site, day: 2)
        #expect(await compactedDots(&site, of: names(1...4) + ["C1", "C2"]) == ["A1"])
        #expect(try await audit(&site).findings.isEmpty)
        await site.stop()
    }

    /// The floor is below what both sides of an open conflict build on, however much is written
    /// elsewhere in the note.
    @Test func textsOfOpenConflict_areKept() async throws {
        let folder = try TemporaryDirectory()
        var site = try await site(folder)
        let lines = (1...9).map { "\($0)\n" }
        func text(_ changes: [Int: String]) -> String {
            lines.indices.map { changes[$0 + 1].map { "\($0)\n" } ?? lines[$0] }.joined()
        }
        _ = await site.write(create(id, "first\n"))  // A1
        _ = await site.write(save(id, text([:]), on: version("A1")))  // A2
        _ = await site.write(save(id, text([5: "five"]), on: version("A2")))  // A3
        _ = await site.write(save(id, text([5: "fünf"]), on: version("A2")))  // A4
        let merged = try #require(await site.note(id))
        let elsewhere = String(decoding: merged.text, as: UTF8.self).replacing("1\n", with: "one\n")
        _ = await site.write(save(id, elsewhere, on: merged.siblings))  // A5
        let before = try #require(await site.note(id))
        #expect(before.conflicts.count == 1 && before.siblings == version("A5"))
        try await compact(site)
        await site.stop()
        // The contents of the sides are read again.
        site = try await self.site(folder, as: "B")
        try await compact(site)
        #expect(await site.note(id)?.conflicts == before.conflicts)
        #expect(await compactedDots(&site, of: names(1...5)) == ["A1"])
        #expect(try await audit(&site).findings.isEmpty)
        let resolves = SaveNote(id: id, base: version("A5"), text: nil, resolves: before.head.conflicts.map(\.id))
        #expect(await site.write(.saveNote(resolves))?.outcome?.dot == dot("B1"))
        try await compact(site, day: 2)
        #expect(await compactedDots(&site, of: names(1...5) + ["B1"]) == names(1...5))
        await site.stop()
    }

    /// A cached note that contains text below its compaction floor is not written from memory below
    /// that floor.
    @Test func cachedTextBelowFloor_isNotWrittenOn() async throws {
        var site = try await site()
        await write(2, to: &site)
        let wrong = EditNote(
            id: id, base: version("A1"), edits: [PositionedEdit(start: 99, end: 99, text: [])], encoding: .utf8)
        let responses = await site.harness.ask([
            (one, .write(save(id, "x\n", on: version("A2")))),
            (one, .write(.editNote(wrong))),
        ])
        #expect(responses.first?.outcome?.dot == dot("A3") && responses.last?.rejection != nil)
        try await compact(site)
        let late = await site.write(save(id, "y\n", on: version("A1")))
        #expect(late?.rejection == .revisionGone(version("A1"), oldest: dot("A3")))
        await site.stop()
    }

    // MARK: Failures

    /// A part that cannot be made durable ends the pass. The store stays consistent, and the next
    /// pass continues.
    @Test(arguments: 0..<3)
    func interruptedPass_keepsStoreIntact_andContinues(parts: Int) async throws {
        let count = 700
        let faults: [JournalError?] = Array(repeating: nil, count: count + parts) + [.failed("no")]
        var site = try await site(faults: faults)
        await write(count, to: &site)
        try await compact(site, day: 1)
        let cut = try await audit(&site)
        #expect(cut.findings.isEmpty && cut.compacted == min(parts * 256, count - 1), "\(parts) parts")
        let isCut = parts > 0
        #expect(await compactedDots(&site, of: ["A1", "A\(count - 1)", "A\(count)"]) == (isCut ? ["A1", "A\(count - 1)"] : []))
        #expect(await site.text(id) == (1...count).map { "\($0)\n" }.joined())
        try await compact(site, day: 2)
        let whole = try await audit(&site)
        #expect(whole.findings.isEmpty && whole.compacted == count - 1)
        #expect(await site.write(save(id, "x\n", on: version("A\(count)")))?.outcome?.kind == .saved)
        await site.stop()
    }

    private func site(faults: [JournalError?]) async throws -> Site {
        try await Site(as: replica("A"), configuration: EngineConfiguration(history: .keepDays(0)), faults: faults)
    }

    // MARK: Watches and operation names

    private func watch(since: Cursor?) -> Call {
        .watch(WatchNotes(filter: Filter(), include: .text, since: since, snapshot: true, echo: true))
    }

    @Test func cursorBelowCompactionFloor_getsSnapshot() async throws {
        var site = try await site()
        await write(4, to: &site)
        func isReset(since sequence: UInt64) async -> Bool? {
            let response = await site.harness.ask(
                one, watch(since: Cursor(CommitPosition(sequence: sequence, replica: replica("A")))))
            guard case .watching(_, _, let isReset) = response else { return nil }
            return isReset
        }
        #expect(await isReset(since: 2) == false)
        try await compact(site)
        // The watch had read everything that was pending.
        #expect(await isReset(since: 2) == true)
        #expect(await isReset(since: 4) == false)
        await site.stop()
    }

    /// A dependent that does not read gets past states when its turn comes: they are kept until
    /// then.
    @Test func statesPendingForWatch_areKept() async throws {
        let journal = MemoryJournal(identity: StoreIdentity(store: replica("F"), replica: replica("A")))
        var harness = Harness(
            journal: journal, configuration: EngineConfiguration(history: .keepDays(0)), isDraining: false)
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, "1\n")))
        _ = await harness.ask(two, watch(since: nil))
        _ = await harness.notification(two) { if case .synced = $0.event { true } else { false } }
        for number in 2...4 {
            let command = save(id, "\(number)\n", on: version("A\(number - 1)"))
            _ = await harness.ask(one, .write(command))
        }
        harness.engine.submit([.tick(seconds: 0)])
        while try await harness.engine.isCompacting() {}
        #expect(await harness.ask(one, .get(GetNote(.id(id), at: version("A1"))))?.text == bytes("1\n"))
        harness.engine.submit([.drained(two)])
        let last = await harness.notification(two) { $0.cursor.commit.sequence == 4 }
        #expect(last != nil)
        harness.engine.submit([.drained(two), .tick(seconds: 86_400)])
        while try await harness.engine.isCompacting() {}
        let response = await harness.ask(one, .get(GetNote(.id(id), at: version("A1"))))
        #expect(response?.rejection == .revisionGone(version("A1"), oldest: dot("A4")))
        await harness.engine.finish()
    }

    /// A write that is sent again after its text was compacted is not executed again.
    @Test func resentWrite_isKnownByItsOp() async throws {
        var site = try await site()
        await write(1, to: &site)
        let saving = save(id, "1\n2\n", on: version("A1"))
        let editing = Command.editNote(
            EditNote(
                id: id, base: version("A2"), edits: [PositionedEdit(start: 0, end: 0, text: bytes("0\n"))], encoding: .utf8))
        for (command, name) in [(saving, "s"), (editing, "e")] {
            _ = await site.harness.ask(one, .write(command, operation: ByteString(name)))
        }
        await write(1, from: 4, to: &site)
        try await compact(site)
        let again = await site.harness.ask(one, .write(saving, operation: "s"))
        #expect(again?.isReplay == true && again?.outcome?.dot == dot("A2") && again?.outcome?.kind == .merged)
        #expect(again?.outcome?.shown?.sent == bytes("1\n2\n"))
        let edited = await site.harness.ask(one, .write(editing, operation: "e"))
        #expect(edited?.rejection == .revisionGone(version("A3"), oldest: dot("A4")))
        #expect(await site.text(id) == "1\n2\n3\n4\n")
        await site.stop()
    }
}
