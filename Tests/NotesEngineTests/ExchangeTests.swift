import Causality
import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import StoreTestKit
import TestKit
import Testing
import TextMerge

@testable import NotesStore

/// Stores that exchange revisions: stores with the same revisions have the same merged text. The
/// numbers are those of the cases in `docs/causality.md`.
@Suite struct ExchangeTests {
    private let id = noteID(1)

    private func converged(_ sites: inout [Site], _ place: Comment) async throws {
        // Two rounds pass everything on, including revisions of a neighbour's neighbour.
        for _ in 0..<2 {
            for sender in sites.indices {
                for receiver in sites.indices where receiver != sender { try await sites[sender].sendAll(to: sites[receiver]) }
            }
        }
        let known = try await sites[0].knownDots()
        for index in sites.indices { #expect(try await sites[index].knownDots() == known, place) }
    }

    /// Pages in any order, repeated, cut short, with restarts in between: the same dots, siblings,
    /// texts and heads in the end.
    @Test(arguments: seeds(6))
    func exchangeInAnyOrder_converges(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let count = 2 + random.below(2)
        var sites: [Site] = []
        for index in 0..<count {
            // The first store is in memory, the others on disk.
            sites.append(try await Site(index == 0 ? nil : try TemporaryDirectory(), as: ReplicaID(bits: random.next())))
        }
        let notes = (1...3).map { noteID(UInt64($0)) }
        for number in 0..<60 {
            let site = random.below(count)
            await sites[site].writeSomething(notes, number, &random)
            if random.chance(0.25) { try await sites[site].send(to: sites[(site + 1) % count], &random) }
            if random.chance(0.1) { try await sites[site].restart(as: ReplicaID(bits: random.next())) }
        }
        try await converged(&sites, "seed \(seed)")
        for index in sites.indices { try await sites[index].restart(as: ReplicaID(bits: random.next())) }
        for note in notes {
            let facts = await sites[0].facts(note)
            for index in sites.indices.dropFirst() {
                let other = await sites[index].facts(note)
                #expect(other == facts, "seed \(seed), \(note), site \(index)")
            }
        }
    }

    /// Cases 20 to 25: a conflict between both sides, resolved by one, by both differently, and by
    /// both alike.
    @Test func concurrentWrites_areBothShown() async throws {
        var a = try await Site(as: replica("A"))
        var b = try await Site(try TemporaryDirectory(), as: replica("B"))
        _ = await a.write(create(id, "1\n2\n3\n"))
        try await a.sendAll(to: b)
        _ = await a.write(save(id, "a\n2\n3\n", on: version("A1")))
        _ = await b.write(save(id, "1\n2\nb\n", on: version("A1")))
        try await a.sendAll(to: b)
        try await b.sendAll(to: a)
        try await expect(&a, &b, "a\n2\nb\n", version("A2", "B1"))
        // 22: resolved here, and sent.
        _ = await a.write(save(id, "a\n2\nb\n4\n", on: version("A2", "B1")))
        // 24: and there, in the same way.
        _ = await b.write(save(id, "a\n2\nb\n4\n", on: version("A2", "B1")))
        try await a.sendAll(to: b)
        try await b.sendAll(to: a)
        try await expect(&a, &b, "a\n2\nb\n4\n", version("A3", "B2"))
    }

    private func expect(_ a: inout Site, _ b: inout Site, _ text: String, _ siblings: Version) async throws {
        let known = try await b.knownDots()
        #expect(try await a.knownDots() == known)
        for note in [await a.note(id), await b.note(id)] {
            #expect(note.map { String(decoding: $0.text, as: UTF8.self) } == text)
            #expect(note?.siblings == siblings)
        }
    }

    /// Cases 26 and 36: a base that names a missing dot is refused, and accepted once that dot has
    /// arrived.
    @Test func baseNotYetReceived_isRefusedThenAccepted() async throws {
        let a = try await Site(as: replica("A"))
        var b = try await Site(as: replica("B"))
        var writer = a
        _ = await writer.write(create(id, "x\n"))
        #expect(await b.write(save(id, "y\n", on: version("A1")))?.rejection == .noteNotFound)
        try await a.sendAll(to: b)
        _ = await writer.write(save(id, "x\nz\n", on: version("A1")))
        let early = await b.write(save(id, "y\nz\n", on: version("A2")))
        #expect(early?.rejection == .unknownBase(known: .nothing, unknown: version("A2")))
        try await a.sendAll(to: b)
        #expect(await b.write(save(id, "y\nz\n", on: version("A2")))?.outcome?.kind == .saved)
        // A dot of this run that it never created.
        #expect(
            await b.write(save(id, "q\n", on: version("B9")))?.rejection
                == .unknownBase(known: .nothing, unknown: version("B9")))
    }

    /// Case 27: a one-way ring of three stores converges after two rounds.
    @Test func ringOfThree_convergesAfterTwoRounds() async throws {
        var sites: [Site] = []
        for letter in "ABC" { sites.append(try await Site(as: replica(letter))) }
        for (index, site) in sites.enumerated() {
            var site = site
            _ = await site.write(create(noteID(UInt64(index + 1)), "\(index)\n", name: "same"))
        }
        for _ in 0..<2 {
            for index in 0..<3 { try await sites[index].sendAll(to: sites[(index + 1) % 3]) }
        }
        for index in 0..<3 {
            for note in 1...3 { #expect(await sites[index].text(noteID(UInt64(note))) == "\(note - 1)\n") }
            // Three living notes with one name are legal in this way; the name finds the lowest id.
            let named = await sites[index].harness.ask(one, .get(GetNote(.name("same"))))
            guard case .note(let found) = named else {
                Issue.record("no note is found by the name")
                return
            }
            #expect(found.head.id == noteID(1))
        }
    }

    /// Case 30 with a restart: the revision waits on disk, and is committed with its parents,
    /// whether these arrive before the stop or after it.
    @Test func waitingRevisions_surviveRestart() async throws {
        var a = try await Site(as: replica("A"))
        var b = try await Site(try TemporaryDirectory(), as: replica("B"))
        _ = await a.write(create(id, "1\n"))
        for number in 2...5 { _ = await a.write(save(id, "\(number)\n", on: version("A\(number - 1)"))) }
        let all = try await a.missing(by: DotSet()).revisions
        #expect(try await b.adopt([all[4], all[2]]).waiting == [dot("A5"), dot("A3")])
        try await b.restart(as: replica("C"))
        #expect(try await b.knownDots().isEmpty)
        #expect(await b.note(id) == nil)
        #expect(try await b.adopt([all[0], all[1]]).committed == [dot("A1"), dot("A2"), dot("A3")])
        try await b.restart(as: replica("D"))
        #expect(await b.text(id) == "3\n")
        #expect(try await b.adopt([all[3]]).committed == [dot("A4"), dot("A5")])
        let note = await b.note(id)
        #expect(note?.text == bytes("5\n") && note?.siblings == version("A5"))
    }

    /// A run ended between the commit of the parents and that of the children: the next run checks
    /// everything that waits.
    @Test func waitingChildrenWithParents_areCommittedAtStart() async throws {
        let folder = try TemporaryDirectory()
        var a = try await Site(as: replica("A"))
        _ = await a.write(create(id, "1\n"))
        for number in 2...5 { _ = await a.write(save(id, "\(number)\n", on: version("A\(number - 1)"))) }
        let all = try await a.missing(by: DotSet()).revisions
        let b = try await Site(folder, as: replica("B"))
        _ = try await b.adopt(Array(all[1...]))
        await b.stop()
        let journal = try Site.open(folder, replica("C"))
        var adoption = Adoption(of: [all[0]], limits: ModelLimits(), replica: replica("C"))
        while let need = adoption.run() {
            switch need {
            case .held(let dot): adoption.supply(.nothing, for: dot)
            case .note(let id, let depth): adoption.supply(loaded: nil, for: id, downTo: depth)
            case .waiting(on: let dot): adoption.supply(waiting: [], on: dot)
            }
        }
        let first = try #require(adoption.accepted.first)
        try journal.append([
            .commit(
                Commit(
                    sequence: 1, previous: 0, revision: first.revision, coversAll: true, text: first.text, name: nil,
                    head: first.after), operation: nil)
        ])
        try journal.close()
        var c = try await Site(folder, as: replica("D"))
        try await c.harness.released()
        let text = await c.text(id)
        #expect(text == "5\n")
    }

    /// Watches report revisions of other replicas like any change; no local dependent is their
    /// origin.
    @Test func watches_getAdoptedRevisions() async throws {
        var a = try await Site(as: replica("A"))
        let b = try await Site(as: replica("B"))
        _ = await a.write(create(id, "1\n"))
        var watcher = b.harness
        let watch = WatchNotes(filter: .init(), include: .text, since: nil, snapshot: false, echo: false)
        _ = await watcher.ask(one, .watch(watch))
        try await a.sendAll(to: b)
        let told = await watcher.notification(one) { if case .changed = $0.event { true } else { false } }
        guard case .changed(let changed) = told?.event else {
            Issue.record("nothing was told")
            return
        }
        #expect(changed.kind == .created && changed.origin == nil && changed.state.text == bytes("1\n"))
    }

    /// A full disk refuses a part; the same revisions can be offered again.
    @Test func partThatCannotBeStored_changesNothing() async throws {
        var a = try await Site(as: replica("A"))
        _ = await a.write(create(id, "1\n"))
        _ = await a.write(save(id, "2\n", on: version("A1")))
        let all = try await a.missing(by: DotSet()).revisions
        let journal = MemoryJournal(identity: StoreIdentity(store: replica("F"), replica: replica("B")))
        journal.appendFaults = [.full("no room"), nil, .failed("no")]
        let b = Harness(journal: journal)
        await #expect(throws: RequestFailure.storageFull("no room")) { try await b.adopt(all) }
        #expect(try await b.knownDots().isEmpty)
        #expect(try await b.adopt([all[1]]).waiting == [dot("A2")])
        await #expect(throws: RequestFailure.storageFailed("no")) { try await b.adopt([all[0]]) }
        #expect(try await b.adopt([all[0]]).committed == [dot("A1"), dot("A2")])
    }

    @Test func endedEngine_refusesExchange() async throws {
        let a = try await Site(as: replica("A"))
        await a.stop()
        await #expect(throws: RequestFailure.shuttingDown) { try await a.adopt([]) }
        await #expect(throws: RequestFailure.shuttingDown) { try await a.knownDots() }
    }

    /// A revision was not accepted because it made the note too long. The daemon accepts it, and what waits
    /// for it, once it runs with a higher limit. Another one has a dot that is taken, and stays apart.
    @Test func quarantinedRevisions_areOfferedAgainAtTheNextStart() async throws {
        var a = try await Site(as: replica("A"))
        var small = EngineConfiguration()
        small.model.noteBytesMax = 10
        var b = try await Site(try TemporaryDirectory(), as: replica("B"), configuration: small)
        _ = await a.write(create(id, "a\n"))
        try await a.sendAll(to: b)
        _ = await a.write(save(id, "a\n" + String(repeating: "long ", count: 20) + "\n", on: version("A1")))
        _ = await a.write(save(id, "a\nb\n", on: version("A2")))
        let page = try await a.missing(by: DotSet([dot("A1")]))
        let taken = LinkedRevision(
            Revision(
                note: id, dot: dot("A1"), parents: .nothing, edits: [Edit(start: 0, end: 0, replacement: bytes("other"))],
                origin: .stated, author: ada, time: Timestamp(milliseconds: 0)), parentHashes: [])
        let report = try await b.adopt(page.revisions + [taken])
        #expect(report.quarantined.map(\.reason) == [.tooLong, .dotIsTaken] && report.waiting == [dot("A3")])
        try await b.restart(as: replica("C"))
        var known: KnownRevisions?
        while known?.waiting != 0 || known?.quarantined != DotSet([dot("A1")]) {
            guard case .knownRevisions(let now) = await b.harness.ask(one, .knownRevisions()) else { break }
            known = now
        }
        let (mine, theirs) = (await b.facts(id), await a.facts(id))
        #expect(mine == theirs && mine[1] == "a\nb\n")
        guard case .audited(let audited) = await b.harness.ask(one, .audit) else { return }
        #expect(audited.findings.isEmpty && audited.quarantined.map(\.dot) == [dot("A1")])
        for site in [a, b] { await site.stop() }
    }
}
