import Causality
import Foundation
import NotesEngine
import NotesMethods
import NotesModel
import Replication
import Synchronization
import TestKit
import Testing

/// Replicators between engines, over connections that break anywhere.
@Suite struct ReplicationTests {
    private static let notes = [noteID(1), noteID(2), noteID(3)]

    /// The events of a replicator, from both directions.
    private final class Log: Sendable {
        private let events = Mutex<[FlowEvent]>([])

        var all: [FlowEvent] { events.withLock { $0 } }

        func add(_ event: FlowEvent) { events.withLock { $0.append(event) } }

        /// The numbers of revisions that the stores lacked when the directions began.
        var lacked: [Int] {
            all.compactMap { event in
                if case .began(let lacks) = event { lacks } else { nil }
            }
        }
    }

    /// Runs a replicator between two sites.
    ///
    /// - Returns: its events; nil if a connection broke.
    private static func replicate(
        _ a: Site, _ b: Site, number: UInt64, once: Bool = true, cutAfter: (Int?, Int?) = (nil, nil)
    ) async throws -> (log: Log, sent: [Dot])? {
        let log = Log()
        let (here, there): (EngineLink, EngineLink)
        do {
            here = try await EngineLink(a, number, cutAfter: cutAfter.0)
            there = try await EngineLink(b, number, cutAfter: cutAfter.1)
        } catch is EngineLink.Cut {
            return nil
        }
        defer {
            here.end()
            there.end()
        }
        do {
            try await Replicator(here: here, there: there).run(once: once) { log.add($1) }
        } catch is EngineLink.Cut {
            return nil
        }
        return (log, here.sent + there.sent)
    }

    private static func expectEqual(_ sites: inout [Site], _ place: Comment) async throws {
        let known = try await sites[0].knownDots()
        for index in sites.indices {
            #expect(try await sites[index].knownDots() == known, place)
            for id in notes {
                let (mine, first) = (await sites[index].facts(id), await sites[0].facts(id))
                #expect(mine == first, place)
            }
        }
    }

    /// The pairs of sites that replicators connect: a line, a star around the first site, or a ring.
    private static func edges(_ count: Int, _ random: inout SeededGenerator) -> [(Int, Int)] {
        let line = (1..<count).map { ($0 - 1, $0) }
        switch random.below(3) {
        case 0: return line
        case 1: return (1..<count).map { (0, $0) }
        default: return count > 2 ? line + [(count - 1, 0)] : line
        }
    }

    @Test(arguments: seeds(40))
    func storesAgree_whereverConnectionsBreak(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let place: Comment = "seed \(seed)"
        var sites: [Site] = []
        for index in 0..<2 + random.below(3) { sites.append(try await Site(as: ReplicaID(bits: UInt64(index + 1)))) }
        let edges = Self.edges(sites.count, &random)
        var number: UInt64 = 100
        for step in 0..<40 {
            await sites[random.below(sites.count)].writeSomething(Self.notes, step, &random)
            guard random.chance(0.3) else { continue }
            let (a, b) = random.pick(edges)
            number += 1
            let cuts = (random.chance(0.7) ? random.below(12) : nil, random.chance(0.7) ? random.below(12) : nil)
            _ = try await Self.replicate(sites[a], sites[b], number: number, cutAfter: cuts)
        }
        for _ in 0...sites.count {
            for (a, b) in edges {
                number += 1
                #expect(try await Self.replicate(sites[a], sites[b], number: number) != nil, place)
            }
        }
        try await Self.expectEqual(&sites, place)
        for (a, b) in edges {
            number += 1
            let last = try #require(try await Self.replicate(sites[a], sites[b], number: number))
            #expect(last.log.lacked == [0, 0] && last.sent.isEmpty, place)
        }
        for site in sites { await site.stop() }
    }

    /// Writes on both sides while a replicator runs: each revision crosses once, and none returns to the
    /// store that it came from.
    @Test(arguments: seeds(20))
    func liveWrites_crossOnce(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let place: Comment = "seed \(seed)"
        var sites = [try await Site(as: ReplicaID(bits: 1)), try await Site(as: ReplicaID(bits: 2))]
        for step in 0..<10 { await sites[step % 2].writeSomething(Self.notes, step, &random) }
        let (here, there) = (try await EngineLink(sites[0], 100), try await EngineLink(sites[1], 100))
        let running = Task { try await Replicator(here: here, there: there).run(once: false) { _, _ in } }
        for step in 10..<60 { await sites[step % 2].writeSomething(Self.notes, step, &random) }
        while true {
            let (mine, theirs) = (try await sites[0].knownDots(), try await sites[1].knownDots())
            if mine == theirs { break }
            await Task.yield()
        }
        here.end()
        there.end()
        await #expect(throws: EngineLink.Cut.self) { try await running.value }
        #expect(Set(here.sent).count == here.sent.count && Set(there.sent).count == there.sent.count, place)
        #expect(here.sent.allSatisfy { $0.replica == ReplicaID(bits: 1) }, place)
        #expect(there.sent.allSatisfy { $0.replica == ReplicaID(bits: 2) }, place)
        try await Self.expectEqual(&sites, place)
        for site in sites { await site.stop() }
    }

    /// A store that does not accept a note says so at each exchange, and so does the one that sends it.
    @Test func refusedRevision_isNamedEachTime() async throws {
        var a = try await Site(as: ReplicaID(bits: 1))
        let small = EngineConfiguration(model: ModelLimits(noteBytesMax: 64))
        let b = try await Site(as: ReplicaID(bits: 2), configuration: small)
        _ = await a.write(create(noteID(1), String(repeating: "long\n", count: 100)))
        var words: [[String]] = []
        for number in UInt64(100)..<102 {
            for (here, there) in [(a, b), (b, a)] {
                let (mine, theirs) = (try await EngineLink(here, number), try await EngineLink(there, number))
                let state = Mutex(ReplicationState())
                try await Replicator(here: mine, there: theirs).run(once: true) { isPull, event in
                    state.withLock { $0.take(event, isPull: isPull) }
                }
                words.append("\(state.withLock { $0 })".components(separatedBy: "; "))
                mine.end()
                theirs.end()
            }
        }
        let refused = "the peer has not accepted 1 revision of this store"
        // The driver counts what the own store has not accepted, of all peers.
        #expect(
            words == [
                ["up to date", "1 revisions wait or were not accepted"], ["up to date"], ["up to date", refused], ["up to date"],
            ])
        for site in [a, b] { await site.stop() }
    }

    /// A store holds back a third one's revisions, since their parent comes from the peer. The exchange ends when
    /// the peer has them, too.
    @Test func revisionsThatAPullReleases_arePushed() async throws {
        let (here, there, third, _) = try await Self.storesWithWaiting(EngineConfiguration())
        let state = Mutex(ReplicationState())
        let (mine, theirs) = (try await EngineLink(here, 101), try await EngineLink(there, 101))
        try await Replicator(here: mine, there: theirs).run(once: true) { isPull, event in
            state.withLock { $0.take(event, isPull: isPull) }
        }
        for link in [mine, theirs] { link.end() }
        #expect("\(state.withLock { $0 })" == "up to date")
        var sites = [here, there, third]
        try await Self.expectEqual(&sites, "all have the third store's revisions")
        for site in sites { await site.stop() }
    }

    /// The parent releases the revisions in several turns, and a replicator that asks at once gets all.
    @Test func knownRevisions_includeWhatAnOfferReleases() async throws {
        var (here, there, third, parent) = try await Self.storesWithWaiting(EngineConfiguration(adoptedRevisionsMax: 1))
        let offer = OfferedRevisions(revisions: [parent], unreadable: [])
        let responses = await here.harness.ask(bodies: [(one, .adopt(offer)), (one, .call(.knownRevisions()))])
        guard case .knownRevisions(let known)? = responses.last else {
            Issue.record("no known revisions")
            return
        }
        #expect(known.dots == (try await third.knownDots()))
        #expect(known.waiting == 0)
        for site in [here, there, third] { await site.stop() }
    }

    /// A store that holds a third one's revisions back, a store that has their parent, the third one, and the parent.
    private static func storesWithWaiting(
        _ configuration: EngineConfiguration
    ) async throws -> (here: Site, there: Site, third: Site, parent: LinkedRevision) {
        let here = try await Site(as: ReplicaID(bits: 1), configuration: configuration)
        var (there, third) = (try await Site(as: ReplicaID(bits: 2)), try await Site(as: ReplicaID(bits: 3)))
        let id = noteID(1)
        _ = await there.write(create(id, "one\n"))
        _ = try #require(try await replicate(there, third, number: 100))
        let known = try await third.knownDots()
        for number in 1...8 {
            let base = try #require(await third.note(id)).head.version
            _ = await third.write(save(id, "one\n\(number)\n", on: base))
        }
        let report = try await here.adopt(try await third.missing(by: known).revisions)
        #expect(report.waiting.count == 8)
        return (here, there, third, try #require(try await there.missing(by: DotSet()).revisions.first))
    }

    @Test func bothEndsOneDaemon_isRefused() async throws {
        let site = try await Site(as: ReplicaID(bits: 1))
        let (here, there) = (try await EngineLink(site, 100), try await EngineLink(site, 101))
        await #expect(throws: ReplicationFault.sameDaemon) {
            try await Replicator(here: here, there: there).run(once: true) { _, _ in }
        }
        here.end()
        there.end()
        await site.stop()
    }

    @Test func unexpectedStore_isRefused() async throws {
        let (a, b) = (try await Site(as: ReplicaID(bits: 1)), try await Site(as: ReplicaID(bits: 2)))
        let (here, there) = (try await EngineLink(a, 100), try await EngineLink(b, 100))
        let fault = ReplicationFault.otherStore(expected: ReplicaID(bits: 7), found: ReplicaID(bits: 99))
        await #expect(throws: fault) {
            try await Replicator(here: here, there: there, expected: ReplicaID(bits: 7)).run(once: true) { _, _ in }
        }
        for link in [here, there] { link.end() }
        for site in [a, b] { await site.stop() }
    }

    /// A daemon of another version may show the same revisions differently, and edits would rest on a text that
    /// their writer never saw. Nothing is carried, in either direction, until both have the same rules.
    @Test(arguments: [0, 2])
    func otherRules_stopTheExchange(view: Int) async throws {
        var (a, b) = (try await Site(as: ReplicaID(bits: 1)), try await Site(as: ReplicaID(bits: 2)))
        _ = await a.write(create(noteID(1), "a\n"))
        _ = await b.write(create(noteID(2), "b\n"))
        let known = (try await a.knownDots(), try await b.knownDots())
        let (here, there) = (try await EngineLink(a, 100), try await EngineLink(b, 100, view: view))
        let fault = ReplicationFault.otherRules(isHereOlder: view > 1)
        #expect(!fault.isLasting, "an update of the older machine corrects it")
        await #expect(throws: fault) {
            try await Replicator(here: here, there: there).run(once: true) { _, _ in }
        }
        #expect(here.sent.isEmpty && there.sent.isEmpty)
        let after = (try await a.knownDots(), try await b.knownDots())
        #expect(after == known)
        for link in [here, there] { link.end() }
        for site in [a, b] { await site.stop() }
    }
}
