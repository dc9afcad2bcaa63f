import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import StoreTestKit
import TestKit
import Testing
import TextMerge

/// Notes whose earlier texts are gone, sent to stores that lack them (`NoteBeginning`).
@Suite struct BeginningTests {
    private let id = noteID(1)
    private let secret = "hunter2"

    private func site(_ isOnDisk: Bool, _ name: Character) async throws -> Site {
        try await Site(
            isOnDisk ? TemporaryDirectory() : nil, as: replica(name), configuration: EngineConfiguration(history: .keepDays(0)))
    }

    private func compact(_ site: Site, day: Int) async throws {
        site.engine.submit([.tick(seconds: day * 86_400)])
        while try await site.engine.isCompacting() {}
    }

    private func page(_ site: Site, lacking known: DotSet = DotSet()) async throws -> MissingRevisions {
        try await site.missing(by: known)
    }

    /// Sends all that the other site lacks, and returns what it reports.
    private func send(_ site: Site, to other: Site, mayPurge: Bool = true) async throws -> AdoptionReport {
        let page = try await page(site, lacking: try await other.knownDots())
        return try await other.adopt(page.revisions, beginnings: page.beginnings, mayPurge: mayPurge)
    }

    private func expectEqual(_ site: inout Site, _ other: inout Site, _ text: String? = nil) async {
        let (mine, theirs) = (await site.facts(id), await other.facts(id))
        #expect(mine == theirs)
        if let text { #expect(mine[1] == text) }
    }

    private func expectSameDots(_ site: Site, _ other: Site) async throws {
        let (mine, theirs) = (try await site.knownDots(), try await other.knownDots())
        #expect(mine == theirs)
    }

    private func expectSound(_ site: inout Site) async {
        guard case .audited(let audited) = await site.harness.ask(one, .audit) else {
            Issue.record("the store cannot be audited")
            return
        }
        #expect(audited.findings.isEmpty)
    }

    /// A1, A2: a text with a secret that was removed. A3: the purge. A4: a write above.
    private func purged(_ site: inout Site) async {
        _ = await site.write(create(id, "a\n\(secret)\n", name: "n"))
        _ = await site.write(save(id, "a\n", on: version("A1")))
        _ = await site.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        _ = await site.write(save(id, "a\nb\n", on: version("A3")))
    }

    // MARK: Stores without the note

    @Test(arguments: [false, true])
    func purgedNote_comesToAnEmptyStore_andGoesOn(isOnDisk: Bool) async throws {
        var (a, c, d) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "C"), try await site(isOnDisk, "D"))
        await purged(&a)
        let page = try await page(a)
        #expect(page.gone.isEmpty && page.beginnings.map(\.dot) == [dot("A3")] && page.revisions.map(\.dot) == [dot("A4")])
        #expect(page.beginnings.map(\.below) == [DotSet([dot("A1"), dot("A2")])])
        let report = try await c.adopt(page.revisions, beginnings: page.beginnings, mayPurge: false)
        #expect(report.committed == [dot("A1"), dot("A2"), dot("A3"), dot("A4")] && report.notBegun.isEmpty)
        await expectEqual(&c, &a)
        try await expectSameDots(c, a)
        // What is written on the beginning returns, and a third store gets all of it from the second.
        _ = await c.write(save(id, "a\nb\nc\n", on: version("A4")))
        #expect(try await send(c, to: a).committed == [dot("C1")])
        #expect(try await send(c, to: d).committed.count == 5)
        _ = await a.write(save(id, "a\nb\nc\nd\n", on: version("C1")))
        #expect(try await send(a, to: d).committed == [dot("A5")])
        #expect(try await send(d, to: c).committed == [dot("A5")])
        let facts = await a.facts(id)
        #expect(facts[1] == "a\nb\nc\nd\n")
        for var site in [c, d] {
            #expect(await site.facts(id) == facts)
            await expectSound(&site)
            guard
                case .history(let revisions, _) = await site.harness.ask(
                    one, .history(ReadHistory(id: id, limit: 10, before: nil)))
            else { continue }
            #expect(revisions.last?.isPurge == true && revisions.last?.dot == dot("A3"))
        }
        #expect(try await send(a, to: d).committed.isEmpty)
        for site in [a, c, d] { await site.stop() }
        for folder in [c.folder, d.folder].compactMap(\.self) { #expect(try folder.files(having: secret) == []) }
    }

    /// The floor has two parents and takes its name from them. Undo works above it.
    @Test(arguments: [false, true])
    func compactedNote_comesToAnEmptyStore(isOnDisk: Bool) async throws {
        var (a, c) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "C"))
        _ = await a.write(create(id, "one\ntwo\nthree\n", name: "n"))
        _ = await a.write(save(id, "ONE\ntwo\nthree\n", on: version("A1")))
        _ = await a.write(save(id, "one\ntwo\nTHREE\n", on: version("A1")))
        let merged = try #require(await a.note(id))
        _ = await a.write(save(id, "ONE\ntwo\nTHREE\nfour\n", on: merged.head.version))
        try await compact(a, day: 1)
        _ = await a.write(save(id, "ONE\ntwo\nTHREE\nfour\nfive\n", on: version("A4")))
        let page = try await page(a)
        #expect(page.beginnings.map(\.dot) == [dot("A4")] && page.gone.isEmpty && page.revisions.map(\.dot) == [dot("A5")])
        let report = try await c.adopt(page.revisions, beginnings: page.beginnings)
        #expect(report.committed.count == 5 && report.notBegun.isEmpty)
        await expectEqual(&c, &a)
        await expectSound(&c)
        _ = await c.write(.undoNote(UndoNote(id: id, base: version("A5"), revisions: [dot("A5")])))
        #expect(try await send(c, to: a).committed == [dot("C1")])
        await expectEqual(&c, &a, "ONE\ntwo\nTHREE\nfour\n")
        try await compact(c, day: 2)
        await expectSound(&c)
        for site in [a, c] { await site.stop() }
    }

    @Test(arguments: [false, true])
    func deletedNote_comesToAnEmptyStore(isOnDisk: Bool) async throws {
        var (a, c) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "C"))
        _ = await a.write(create(id, "one\n", name: "n"))
        _ = await a.write(.deleteNote(DeleteNote(id: id, base: version("A1"))))
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        #expect(try await send(a, to: c).committed.count == 3)
        await expectEqual(&c, &a)
        _ = await c.write(save(id, "two\n", on: version("A3")))
        #expect(try await send(c, to: a).committed == [dot("C1")])
        await expectEqual(&c, &a)
        await expectSound(&c)
        for site in [a, c] { await site.stop() }
    }

    // MARK: Stores that have the note

    /// B has all or only a part of what is below the purge.
    @Test(arguments: [false, true], [1, 2])
    func purge_erasesInStoresThatHaveWhatIsBelow(isOnDisk: Bool, count: Int) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        _ = await a.write(create(id, "a\n\(secret)\n", name: "n"))
        if count == 1 { _ = try await send(a, to: b) }
        _ = await a.write(save(id, "a\n", on: version("A1")))
        if count == 2 { _ = try await send(a, to: b) }
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        _ = await a.write(save(id, "a\nb\n", on: version("A3")))
        let before = await b.facts(id)
        let refused = try await send(a, to: b, mayPurge: false)
        #expect(refused.notBegun == [AdoptionReport.NotBegun(dot: dot("A3"), reason: .mayNotPurge)])
        #expect(await b.facts(id) == before)
        // A4 has waited for the purge.
        let report = try await send(a, to: b)
        #expect(report.notBegun.isEmpty && report.committed.contains(dot("A3")))
        await expectEqual(&b, &a)
        try await expectSameDots(b, a)
        await expectSound(&b)
        for site in [a, b] { await site.stop() }
        if let folder = b.folder { #expect(try folder.files(having: secret) == []) }
    }

    /// A write that the purge had not seen stays: nothing is erased, and both stores keep what they have.
    @Test(arguments: [false, true])
    func lateWrite_isKeptAndReported(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        _ = await a.write(create(id, "a\n\(secret)\n"))
        _ = try await send(a, to: b)
        _ = await b.write(save(id, "a\n\(secret)\nlate\n", on: version("A1")))
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A1"))))
        let (before, other) = (await b.facts(id), await a.facts(id))
        let report = try await send(a, to: b)
        #expect(report.notBegun == [AdoptionReport.NotBegun(dot: dot("A2"), reason: .isLate)] && report.committed.isEmpty)
        #expect(await b.facts(id) == before)
        let back = try await send(b, to: a)
        #expect(back.quarantined.map(\.reason) == [.parentIsCompacted])
        #expect(await a.facts(id) == other)
        for site in [a, b] { await site.stop() }
    }

    @Test(arguments: [false, true])
    func compaction_erasesNothingElsewhere(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        _ = await a.write(create(id, "a\n"))
        _ = try await send(a, to: b)
        _ = await a.write(save(id, "a\nb\n", on: version("A1")))
        _ = await a.write(save(id, "a\nb\nc\n", on: version("A2")))
        try await compact(a, day: 1)
        let report = try await send(a, to: b, mayPurge: false)
        // The floor waits for A2, which a third store may have.
        #expect(report.notBegun.isEmpty && report.committed.isEmpty && report.waiting == [dot("A3")])
        let again = try await send(a, to: b, mayPurge: false)
        #expect(again.waiting == [dot("A3")], "a peer that offers it again learns that it still waits")
        #expect(await b.text(id) == "a\n")
        // A peer that may purge is trusted with the text. What the store had of the note stays in its files.
        #expect(try await send(a, to: b).committed == [dot("A2"), dot("A3")])
        await expectEqual(&b, &a, "a\nb\nc\n")
        try await expectSameDots(b, a)
        _ = await b.write(save(id, "a\nb\nc\nd\n", on: version("A3")))
        _ = try await send(b, to: a)
        await expectEqual(&b, &a, "a\nb\nc\nd\n")
        await expectSound(&b)
        for site in [a, b] { await site.stop() }
    }

    // MARK: Forged beginnings

    @Test(arguments: [false, true])
    func forgedBeginnings_changeNothing(isOnDisk: Bool) async throws {
        var (a, c) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "C"))
        await purged(&a)
        _ = await c.write(create(noteID(2), "other\n"))
        let known = try await c.knownDots()
        let real = try #require(try await page(a).beginnings.first)
        func forged(
            below: DotSet? = nil, text: String? = nil, name: String? = "n", lastLine: LastLineFeed = .shown,
            isDeleted: Bool = false,
            floor: LinkedRevision? = nil
        ) throws -> NoteBeginning {
            NoteBeginning(
                floor: floor ?? real.floor, below: below ?? real.below, text: text.map(bytes) ?? real.text,
                name: try name.map { try NoteName(ByteString($0)) }, lastLine: lastLine, isDeleted: isDeleted,
                created: real.created)
        }
        let plain = Revision(
            note: id, dot: dot("A9"), parents: version("A2"),
            edits: [Edit(start: 0, end: .max, replacement: []), Edit(start: .max, end: .max, replacement: bytes("x"))],
            origin: .stated, author: ada, time: Timestamp(milliseconds: 0))
        var all = DotSet([dot("A1"), dot("A2")])
        all.insert(10...UInt64(NoteBeginning.belowMax + 10), of: replica("E"))
        let cases: [(NoteBeginning, BeginningFault)] = [
            (try forged(below: DotSet([dot("A1")])), .invalid),
            (try forged(below: DotSet([dot("A1"), dot("A2"), dot("A3")])), .invalid),
            (try forged(below: all), .invalid),
            (try forged(text: "a\0"), .invalid),
            (try forged(text: "a\n", lastLine: .absent), .invalid),
            (try forged(text: "a\n", isDeleted: true), .invalid),
            (try forged(name: "other"), .invalid),
            (try forged(text: "xx", floor: LinkedRevision(plain, parentHashes: [RevisionHash(bits: 1)])), .invalid),
            (try forged(below: DotSet([dot("A1"), dot("A2"), dot("C1")])), .dotIsOurs),
            (try forged(below: DotSet([dot("A1"), dot("A2"), dot("C2")])), .dotIsOurs),
        ]
        for (index, (beginning, fault)) in cases.enumerated() {
            let report = try await c.adopt([], beginnings: [beginning])
            // C1 is a revision of another note.
            let expected = index == 8 ? .dotIsTaken : fault
            #expect(report.notBegun.map(\.reason) == [expected], "case \(index)")
            #expect(try await c.knownDots() == known, "case \(index)")
        }
        #expect(try await c.adopt([], beginnings: [real]).committed.count == 3)
        #expect(try await c.adopt([], beginnings: [real]).known == 1)
        let other = NoteBeginning(
            floor: LinkedRevision(
                Revision(
                    note: id, dot: dot("A3"), parents: version("A2"), edits: [], origin: .stated, name: .set(nil),
                    mark: Mark(.purge, covers: []), author: ada, time: Timestamp(milliseconds: 0)),
                parentHashes: [RevisionHash(bits: 0)]), below: real.below, text: real.text, name: nil, lastLine: .shown,
            isDeleted: false, created: real.created)
        #expect(try await c.adopt([], beginnings: [other]).notBegun.map(\.reason) == [.dotIsTaken])
        await expectSound(&c)
        for site in [a, c] { await site.stop() }
    }

    /// A purge keeps the text, and a store that has the version below it knows the text.
    @Test(arguments: [false, true])
    func purge_bringsNoOtherText(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        var configuration = EngineConfiguration()
        configuration.acceptsPurges = false
        var c = try await Site(as: replica("C"), configuration: configuration)
        _ = await a.write(create(id, "a\n\(secret)\n", name: "n"))
        _ = await a.write(save(id, "a\n", on: version("A1")))
        for other in [b, c] { _ = try await send(a, to: other) }
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        let real = try #require(try await page(a).beginnings.first)
        let (ofB, ofC) = (await b.facts(id), await c.facts(id))
        for (text, isDeleted) in [("EVIL\n", false), ("", true)] {
            let forged = NoteBeginning(
                floor: real.floor, below: real.below, erased: real.erased, text: bytes(text), name: isDeleted ? nil : real.name,
                lastLine: real.lastLine, isDeleted: isDeleted, created: real.created)
            let report = try await b.adopt([], beginnings: [forged])
            #expect(report.notBegun.count == 1 && report.committed.isEmpty, "\(report)")
            if !isDeleted { #expect(report.notBegun.map(\.reason) == [.textDiffers]) }
            #expect(await b.facts(id) == ofB)
        }
        #expect(try await send(a, to: b).committed.contains(dot("A3")))
        await expectEqual(&b, &a)
        #expect(try await send(a, to: c).notBegun.map(\.reason) == [.purgesAreRefused])
        #expect(await c.facts(id) == ofC)
        for site in [a, b, c] { await site.stop() }
    }

    /// A revision of C, which no store here has.
    private func foreign(_ name: String, on parents: Version, _ hashes: [RevisionHash], of note: NoteID) -> LinkedRevision {
        LinkedRevision(
            Revision(
                note: note, dot: dot(name), parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes("x\n"))],
                origin: .stated, author: ada, time: Timestamp(milliseconds: 1)), parentHashes: hashes)
    }

    /// A forged beginning names dots of revisions of another note. Those that are held stay, and so does one
    /// that comes later.
    @Test(arguments: [false, true])
    func revisionsOfOtherNotes_areNotSwallowed(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        await purged(&a)
        let real = try #require(try await page(a).beginnings.first)
        func forged(_ names: String...) -> NoteBeginning {
            NoteBeginning(
                floor: real.floor, below: real.below.union(DotSet(names.map { dot($0) })), text: real.text, name: real.name,
                lastLine: real.lastLine, isDeleted: real.isDeleted, created: real.created)
        }
        let waiting = foreign("C2", on: version("C1"), [RevisionHash(bits: 1)], of: noteID(2))
        #expect(try await b.adopt([waiting]).waiting == [dot("C2")])
        #expect(try await b.adopt([], beginnings: [forged("C2")]).notBegun.map(\.reason) == [.dotIsTaken])
        #expect(try await b.adopt([], beginnings: [forged("C7")]).committed.count == 4)
        let late = try await b.adopt([foreign("C7", on: .nothing, [], of: noteID(3))])
        #expect(late.known == 0 && late.quarantined.map(\.reason) == [.dotIsTaken])
        let first = try await b.adopt([foreign("C1", on: .nothing, [], of: noteID(2))])
        #expect(first.committed.first == dot("C1"))
        for site in [a, b] { await site.stop() }
    }

    /// A revision of the note waits here. Without the right to purge, a purge above it is not taken, so its
    /// text is not lost; a compacted note never takes it either.
    @Test(arguments: [false, true])
    func heldRevision_isErasedOnlyByAnAdministratorsPurge(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        await purged(&a)
        let real = try #require(try await page(a).beginnings.first)
        let held = foreign("A2", on: version("A1"), [RevisionHash(bits: 1)], of: id)
        #expect(try await b.adopt([held]).waiting == [dot("A2")])
        let refused = try await b.adopt([], beginnings: [real], mayPurge: false)
        #expect(refused.notBegun.map(\.reason) == [.mayNotPurge])
        guard case .knownRevisions(let before) = await b.harness.ask(one, .knownRevisions()) else { return }
        #expect(before.waiting == 1)
        #expect(try await b.adopt([], beginnings: [real]).committed.count == 3)
        guard case .knownRevisions(let after) = await b.harness.ask(one, .knownRevisions()) else { return }
        #expect(after.waiting == 0)
        await expectSound(&b)
        for site in [a, b] { await site.stop() }
    }

    /// The purge comes as the beginning of its note. As a plain revision it is not kept, so that the peer
    /// still sends the beginning.
    @Test(arguments: [false, true])
    func barePurge_doesNotBlockTheBeginning(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        _ = await a.write(create(id, "a\n\(secret)\n"))
        _ = try await send(a, to: b)
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A1"))))
        let real = try #require(try await page(a).beginnings.first)
        let report = try await b.adopt([real.floor])
        #expect(report.notBegun == [AdoptionReport.NotBegun(dot: dot("A2"), reason: .floor(.marked))])
        guard case .knownRevisions(let known) = await b.harness.ask(one, .knownRevisions()) else { return }
        #expect(known.quarantined.isEmpty)
        #expect(try await send(a, to: b).committed == [dot("A2")])
        for site in [a, b] { await site.stop() }
    }

    /// The store that made the purge has compacted the note above it. A store from before erases its texts
    /// nevertheless, and so does one that hears of it from a third store.
    @Test(arguments: [false, true])
    func purgeBelowACompactionFloor_stillErases(isOnDisk: Bool) async throws {
        var (a, b) = (try await site(isOnDisk, "A"), try await site(isOnDisk, "B"))
        var (c, d) = (try await site(isOnDisk, "C"), try await site(isOnDisk, "D"))
        _ = await a.write(create(id, "a\n\(secret)\n", name: "n"))
        for other in [b, d] { _ = try await send(a, to: other) }
        _ = await a.write(save(id, "a\n", on: version("A1")))
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        _ = await a.write(save(id, "a\nb\n", on: version("A3")))
        _ = await a.write(save(id, "a\nb\nc\n", on: version("A4")))
        try await compact(a, day: 1)
        let beginning = try #require(try await page(a).beginnings.first)
        #expect(
            beginning.dot == dot("A5") && !beginning.isPurge && beginning.erased == DotSet(["A1", "A2", "A3"].map { dot($0) }))
        #expect(try await send(a, to: b, mayPurge: false).notBegun.map(\.reason) == [.mayNotPurge])
        for (source, other) in [(a, b), (a, c), (c, d)] {
            let report = try await send(source, to: other)
            #expect(report.notBegun.isEmpty && report.committed.contains(dot("A5")))
        }
        await expectEqual(&b, &a)
        await expectEqual(&c, &a)
        await expectEqual(&d, &a)
        await expectSound(&b)
        await expectSound(&d)
        for site in [a, b, c, d] { await site.stop() }
        for folder in [b.folder, d.folder].compactMap(\.self) { #expect(try folder.files(having: secret) == []) }
    }
}
