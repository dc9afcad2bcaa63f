import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesStore
import Replication
import Synchronization
import TestKit
import Testing
import TextMerge

@testable import NotesEngine

/// Texts that compaction removed come back when another machine wrote on them (`NoteReopening`).
@Suite struct ReopeningTests {
    private let id = noteID(1)

    private func site(_ name: Character, _ history: HistoryPolicy = .keepAll) async throws -> Site {
        try await Site(TemporaryDirectory(), as: replica(name), configuration: EngineConfiguration(history: history))
    }

    private func compact(_ site: Site, day: Int) async throws {
        site.engine.submit([.tick(seconds: day * 86_400)])
        while try await site.engine.isCompacting() {}
    }

    /// Exchanges everything, and returns what was not accepted.
    @discardableResult
    private func sync(_ a: Site, _ b: Site, _ number: UInt64) async throws -> [Dot] {
        let (here, there) = (try await EngineLink(a, number), try await EngineLink(b, number))
        defer {
            here.end()
            there.end()
        }
        let unaccepted = Mutex<[Dot]>([])
        try await Replicator(here: here, there: there).run(once: true) { _, event in
            if case .notAccepted(let dot, _) = event { unaccepted.withLock { $0.append(dot) } }
        }
        return unaccepted.withLock { $0 }
    }

    private func expectSame(_ sites: inout [Site], text: String? = nil) async throws {
        for index in sites.indices {
            let (mine, first) = (await sites[index].facts(id), await sites[0].facts(id))
            #expect(mine == first, "site \(index)")
            let known = (try await sites[index].knownDots(), try await sites[0].knownDots())
            #expect(known.0 == known.1, "site \(index)")
            guard case .audited(let audited) = await sites[index].harness.ask(one, .audit) else {
                Issue.record("site \(index) cannot be audited")
                continue
            }
            #expect(audited.findings.isEmpty, "site \(index)")
        }
        if let text { #expect(await sites[0].text(id) == text) }
    }

    /// The laptop and the tablet know only the server, and the laptop alone compacts. The tablet wrote while it
    /// was away.
    @Test(arguments: [3, 200])
    func tabletThatWasAway_isHeardByALaptopThatCompacted(saves: Int) async throws {
        var (server, tablet) = (try await site("A"), try await site("B"))
        var laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "one\n"))
        try await sync(laptop, server, 100)
        try await sync(tablet, server, 100)
        _ = await tablet.write(save(id, "one\nTABLET\n", on: version("A1")))
        var text = "one\n"
        var last = version("A1")
        for number in 1...saves {
            text = "\(number)\n" + text
            last = try #require(await laptop.write(save(id, text, on: last))?.outcome?.version)
        }
        try await sync(laptop, server, 101)
        try await compact(laptop, day: 1)
        #expect(await laptop.harness.ask(one, .get(GetNote(.id(id), at: version("A1")))).map(isGone) == true)
        try await sync(tablet, server, 102)
        #expect(try await sync(laptop, server, 103) == [])
        var all = [server, laptop, tablet]
        try await sync(tablet, server, 104)
        try await expectSame(&all, text: text + "TABLET\n")
        // The next pass removes the texts again.
        let shown = try #require(await all[1].note(id)).head.version
        _ = await all[1].write(save(id, "end\n", on: shown))
        for index in [1, 2] { try await sync(all[index], all[0], UInt64(105 + index)) }
        try await compact(all[1], day: 2)
        #expect(await all[1].harness.ask(one, .get(GetNote(.id(id), at: version("A1")))).map(isGone) == true)
        try await all[1].restart(as: replica("D"), EngineConfiguration(history: .keepDays(0)))
        try await expectSame(&all, text: "end\n")
        for site in all { await site.stop() }
    }

    private func isGone(_ response: Response) -> Bool {
        if case .refused(.revisionGone) = response { true } else { false }
    }

    /// The server compacted, and a laptop that has all texts undoes a write that is below.
    @Test func undoOfACompactedWrite_isTaken() async throws {
        var (server, laptop) = (try await site("A", .keepDays(0)), try await site("C"))
        _ = await server.write(create(id, "one\n"))
        _ = await server.write(save(id, "one\ntwo\n", on: version("A1")))
        _ = await server.write(save(id, "zero\none\ntwo\n", on: version("A2")))
        try await sync(laptop, server, 100)
        try await compact(server, day: 1)
        _ = await laptop.write(.undoNote(UndoNote(id: id, base: version("A3"), revisions: [dot("A2")])))
        _ = await laptop.write(save(id, "zero\none\nafter\n", on: version("C1")))
        #expect(try await sync(laptop, server, 101) == [])
        var all = [server, laptop]
        try await expectSame(&all, text: "zero\none\nafter\n")
        for site in all { await site.stop() }
    }

    /// Among the texts that come back is an undo of one of them.
    @Test func undoAmongCompactedWrites_comesBack() async throws {
        var (server, tablet) = (try await site("A"), try await site("B"))
        let laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "one\n"))
        try await sync(tablet, server, 100)
        _ = await server.write(save(id, "one\ntwo\n", on: version("A1")))
        _ = await server.write(.undoNote(UndoNote(id: id, base: version("A2"), revisions: [dot("A2")])))
        _ = await server.write(.undoNote(UndoNote(id: id, base: version("A3"), revisions: [dot("A3")])))
        _ = await server.write(save(id, "one\ntwo\nthree\n", on: version("A4")))
        try await sync(laptop, server, 101)
        try await compact(laptop, day: 1)
        _ = await tablet.write(save(id, "TABLET\none\n", on: version("A1")))
        try await sync(tablet, server, 102)
        #expect(try await sync(laptop, server, 103) == [])
        try await sync(tablet, server, 104)
        var all = [server, laptop, tablet]
        try await expectSame(&all, text: "TABLET\none\ntwo\nthree\n")
        for site in all { await site.stop() }
    }

    /// The peer has compacted, too, but not as far. It sends the note as it was at its own floor.
    @Test func peerThatCompactedLess_isEnough() async throws {
        var (server, tablet) = (try await site("A", .keepDays(0)), try await site("B"))
        var laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "one\n", name: "n"))
        _ = await server.write(save(id, "one\ntwo\n", on: version("A1")))
        try await sync(tablet, server, 100)
        try await sync(laptop, server, 101)
        try await compact(server, day: 1)
        _ = await tablet.write(save(id, "one\ntwo\nTABLET\n", on: version("A2")))
        _ = await laptop.write(save(id, "zero\none\ntwo\n", on: version("A2")))
        _ = await laptop.write(save(id, "zero\none\n2\n", on: version("C1")))
        try await sync(laptop, server, 102)
        try await compact(laptop, day: 1)
        try await sync(tablet, server, 103)
        #expect(try await sync(laptop, server, 104) == [])
        try await sync(tablet, server, 105)
        var all = [server, laptop, tablet]
        try await expectSame(&all)
        #expect(await all[1].text(id)?.contains("TABLET") == true)
        for site in all { await site.stop() }
    }

    /// The daemon is killed while texts come back: those that are there stay, and the rest comes with the next
    /// exchange.
    @Test func killBetweenTwoParts_leavesASoundStore() async throws {
        var (server, tablet) = (try await site("A"), try await site("B"))
        var laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "one\n"))
        try await sync(tablet, server, 100)
        for number in 2...6 { _ = await server.write(save(id, "one\n\(number)\n", on: version("A\(number - 1)"))) }
        try await sync(laptop, server, 101)
        try await compact(laptop, day: 1)
        let texts = try await server.missing(by: DotSet()).revisions
        try await laptop.engine.runOnEngine { [id] engine throws(JournalError) in
            guard let past = try engine.noteCache.journal.compactedPast(of: id), var reopening = NoteReopening(id, past) else {
                throw .failed("nothing was compacted")
            }
            for revision in texts { _ = reopening.take(revision) }
            while reopening.isReady { reopening.run(rowsMax: 1, ModelLimits()) }
            let part = reopening.newestTexts(2)
            try engine.append([.reopened(Reopening(note: id, texts: part))])
        }
        try await laptop.restart(as: replica("D"), EngineConfiguration(history: .keepDays(0)))
        _ = await tablet.write(save(id, "one\nTABLET\n", on: version("A1")))
        try await sync(tablet, server, 102)
        #expect(try await sync(laptop, server, 103) == [])
        try await sync(tablet, server, 104)
        var all = [server, laptop, tablet]
        try await expectSame(&all)
        #expect(await laptop.harness.ask(one, .get(GetNote(.id(id), at: version("A2")))).map(isGone) == false)
        for site in all { await site.stop() }
    }

    /// A pass of compaction moved the floor and was killed before it removed the texts, so the floor before it is
    /// still one.
    @Test func unfinishedCompaction_leavesNoOlderFloor() async throws {
        var (server, tablet) = (try await site("A"), try await site("B"))
        var laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "one\n"))
        try await sync(tablet, server, 100)
        for number in 2...4 { _ = await server.write(save(id, "one\n\(number)\n", on: version("A\(number - 1)"))) }
        try await sync(laptop, server, 101)
        try await compact(laptop, day: 1)
        for number in 5...6 { _ = await server.write(save(id, "one\n\(number)\n", on: version("A\(number - 1)"))) }
        try await sync(laptop, server, 102)
        try await laptop.engine.runOnEngine { [id] engine throws(JournalError) in
            try engine.append([.compacted(Compaction(note: id, compactionFloor: 6, floorBytes: 6, removed: []))])
        }
        try await laptop.restart(as: replica("D"))
        _ = await tablet.write(save(id, "TABLET\none\n", on: version("A1")))
        try await sync(tablet, server, 103)
        #expect(try await sync(laptop, server, 104) == [])
        try await sync(tablet, server, 105)
        var all = [server, laptop, tablet]
        try await expectSame(&all, text: "TABLET\none\n6\n")
        for site in all { await site.stop() }
    }

    /// A revision that is based on erased text is held. No erased text returns.
    @Test func writeBelowAPurge_isHeldAsBefore() async throws {
        var (server, tablet) = (try await site("A"), try await site("B"))
        var laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "secret\none\n"))
        try await sync(tablet, server, 100)
        _ = await server.write(save(id, "one\n", on: version("A1")))
        _ = await server.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        try await sync(laptop, server, 101)
        _ = await laptop.write(save(id, "one\ntwo\n", on: version("A3")))
        try await compact(laptop, day: 1)
        _ = await tablet.write(save(id, "secret\none\nTABLET\n", on: version("A1")))
        #expect(try await sync(tablet, laptop, 102).contains(dot("B1")))
        #expect(try await sync(tablet, laptop, 103).contains(dot("B1")) == false, "it is named once")
        #expect(await laptop.text(id) == "one\ntwo\n")
        for site in [server, laptop, tablet] { await site.stop() }
    }

    /// A peer that sends other texts for those that are asked for changes nothing.
    @Test func forgedTexts_changeNothing() async throws {
        var (server, tablet) = (try await site("A"), try await site("B"))
        var laptop = try await site("C", .keepDays(0))
        _ = await server.write(create(id, "one\n"))
        try await sync(tablet, server, 100)
        for number in 2...3 { _ = await server.write(save(id, "one\n\(number)\n", on: version("A\(number - 1)"))) }
        try await sync(laptop, server, 101)
        try await compact(laptop, day: 1)
        _ = await tablet.write(save(id, "one\nTABLET\n", on: version("A1")))
        let (before, known) = (await laptop.facts(id), try await laptop.knownDots())
        let late = try await tablet.missing(by: known).revisions
        let report = try await laptop.adopt(late)
        #expect(report.quarantined.map(\.dot) == [dot("B1")] && report.changesKnown)
        let needed = known.subtracting(try await laptop.knownDots())
        #expect(needed == DotSet([dot("A1"), dot("A2")]))
        for revision in try await server.missing(by: DotSet()).revisions where needed.contains(revision.dot) {
            let content = revision.content
            let forged = Revision(
                note: id, dot: content.dot, parents: content.parents,
                edits: [Edit(start: 0, end: 0, replacement: bytes("lie\n"))], origin: content.origin, author: content.author,
                time: content.time)
            let answer = try await laptop.adopt([LinkedRevision(forged, parentHashes: revision.parentHashes)])
            #expect(answer.quarantined.map(\.reason) == [.dotIsTaken] && answer.committed.isEmpty)
        }
        let after = await laptop.facts(id)
        #expect(after == before)
        #expect(try await sync(laptop, server, 102) == [])
        try await sync(tablet, server, 103)
        try await sync(laptop, server, 104)
        var all = [server, laptop, tablet]
        try await expectSame(&all)
        #expect(await all[1].text(id)?.contains("TABLET") == true)
        for site in all { await site.stop() }
    }

    /// The server takes the tablet's note only with a text that it compacted and that the laptop brings. The
    /// exchange ends when the laptop has that note, too.
    @Test func revisionThatAPullMakesFit_isPushed() async throws {
        var (server, tablet) = (try await site("A", .keepDays(0)), try await site("B"))
        let laptop = try await site("C")
        _ = await server.write(create(id, "one\n"))
        _ = await server.write(save(id, "one\ntwo\n", on: version("A1")))
        try await sync(server, laptop, 100)
        try await compact(server, day: 1)
        _ = await tablet.write(create(id, "TABLET\n"))
        #expect(try await sync(server, tablet, 101) == [dot("B1")])
        #expect(try await sync(server, laptop, 102) == [])
        var all = [server, laptop]
        try await expectSame(&all)
        #expect(try await laptop.knownDots().contains(dot("B1")))
        for site in [server, tablet, laptop] { await site.stop() }
    }
}
