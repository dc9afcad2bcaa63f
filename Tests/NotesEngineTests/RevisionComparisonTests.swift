import Causality
import NotesEngine
import NotesMethods
import NotesModel
import NotesWire
import Synchronization
import TestKit
import Testing
import TextMerge

@testable import Replication

/// Stores that hold different revisions under one dot learn of it from their exchange.
@Suite struct RevisionComparisonTests {
    /// Every dot is compared after as many parts as it takes, whatever the first place is.
    @Test(arguments: seeds(20))
    func parts_coverEverything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var common = DotSet()
        for replica in 1...UInt64(1 + random.below(4)) {
            for _ in 0..<1 + random.below(3) {
                let low = UInt64(1 + random.below(9_000))
                common.insert(low...low + UInt64(random.below(3_000)), of: ReplicaID(bits: replica))
            }
        }
        var comparison = RevisionComparison(from: Double(random.below(1_000)) / 1_000)
        var seen = DotSet()
        let runs = [ReplicaID(bits: 1), ReplicaID(bits: 9)]
        for _ in 0..<2 + 2 * common.count / RevisionDigest.countMax {
            let part = comparison.next(of: common, runs: runs)
            #expect(part.count <= RevisionDigest.countMax && common.isSuperset(of: part), "seed \(seed)")
            if let last = common.ranges(of: runs[0]).last {
                #expect(part.contains(Dot(runs[0], last.upperBound)), "seed \(seed)")
            }
            seen.formUnion(part)
        }
        #expect(seen == common, "seed \(seed)")
    }

    /// The differences that an exchange of two sites reports.
    private func differences(_ a: Site, _ b: Site, _ number: UInt64) async throws -> [Dot] {
        let (here, there) = (try await EngineLink(a, number), try await EngineLink(b, number))
        defer {
            here.end()
            there.end()
        }
        let found = Mutex<[Dot]>([])
        try await Replicator(here: here, there: there).run(once: true) { _, event in
            if case .differs(let dot, _) = event { found.withLock { $0.append(dot) } }
        }
        return found.withLock { $0 }
    }

    private func forged(_ id: NoteID, _ dot: Dot, _ text: String, on parents: Version = .nothing) -> LinkedRevision {
        LinkedRevision(
            Revision(
                note: id, dot: dot, parents: parents, edits: [Edit(start: 0, end: 0, replacement: bytes(text))],
                origin: .stated, author: ada, time: Timestamp(milliseconds: 1)),
            parentHashes: parents.dots.map { _ in RevisionHash(bits: 5) })
    }

    /// A liar gave each store another text under one dot. Both say that they lack nothing, and each shows its own.
    @Test func twoTextsUnderOneDot_areFound() async throws {
        let (a, b) = (try await Site(TemporaryDirectory(), as: replica("A")), try await Site(as: replica("B")))
        for (site, text) in [(a, "for A\n"), (b, "for B\n")] {
            #expect(try await site.adopt([forged(noteID(1), dot("F1"), text)]).committed == [dot("F1")])
        }
        #expect(try await differences(a, b, 100) == [dot("F1")])
        for site in [a, b] { await site.stop() }
    }

    /// Two stores that have nothing in common at first are compared while they stay connected.
    @Test func laterRevisions_areCompared() async throws {
        let (a, b) = (try await Site(as: replica("A")), try await Site(as: replica("B")))
        let (here, there) = (try await EngineLink(a, 100), try await EngineLink(b, 100))
        let liars = [try await EngineLink(a, 101), try await EngineLink(b, 101)]
        let lies = ["for A\n", "for B\n"].map { RevisionCodec.wireForm(of: forged(noteID(1), dot("F1"), $0)) }
        let sleeps = Mutex(0)
        let found = Mutex<[Dot]>([])
        let replicator = Replicator(here: here, there: there, direction: .pull) { _ in
            let count = sleeps.withLock { count in
                count += 1
                return count
            }
            guard count == 1 else { throw CancellationError() }
            for (liar, lie) in zip(liars, lies) { _ = try await liar.adopt(AdoptParams(revisions: [lie])) }
        }
        await #expect(throws: CancellationError.self) {
            try await replicator.run(once: false) { _, event in
                if case .differs(let dot, _) = event { found.withLock { $0.append(dot) } }
            }
        }
        #expect(found.withLock { $0 } == [dot("F1")])
        for link in [here, there] + liars { link.end() }
        for site in [a, b] { await site.stop() }
    }

    /// A liar claims the dots of a running daemon, as the past of an invented note. The daemon's own notes cannot
    /// reach the store, since it says that it has their revisions.
    @Test func claimedDots_areFound() async throws {
        var (a, b) = (
            try await Site(TemporaryDirectory(), as: replica("A")), try await Site(TemporaryDirectory(), as: replica("B"))
        )
        let claim = NoteBeginning(
            floor: forged(noteID(9), dot("F1"), "", on: version("B9")), below: DotSet((1...9).map { dot("B\($0)") }), text: [],
            name: nil, lastLine: .shown,
            isDeleted: false, created: Timestamp(milliseconds: 1))
        #expect(try await a.adopt([], beginnings: [claim]).committed.count == 10)
        for number in 1...3 { _ = await b.write(create(noteID(UInt64(number)), "\(number)\n")) }
        #expect(try await differences(a, b, 100) == [dot("B1"), dot("B2"), dot("B3")])
        for site in [a, b] { await site.stop() }
    }

    /// Purges, compaction and beginnings leave rows without texts, and no differences.
    @Test func soundStores_haveNoDifferences() async throws {
        var a = try await Site(TemporaryDirectory(), as: replica("A"), configuration: EngineConfiguration(history: .keepDays(0)))
        let (b, c) = (try await Site(TemporaryDirectory(), as: replica("B")), try await Site(as: replica("C")))
        let id = noteID(1)
        _ = await a.write(create(id, "a\n"))
        _ = await a.write(save(id, "b\n", on: version("A1")))
        #expect(try await differences(a, b, 100) == [])
        _ = await a.write(.purgeNote(PurgeNote(id: id, base: version("A2"))))
        _ = await a.write(save(id, "c\n", on: version("A3")))
        _ = await a.write(save(id, "d\n", on: version("A4")))
        #expect(try await differences(a, b, 101) == [])
        a.engine.submit([.tick(seconds: 86_400)])
        while try await a.engine.isCompacting() {}
        for (number, pair) in [(a, c), (b, c), (a, b), (c, b)].enumerated() {
            #expect(try await differences(pair.0, pair.1, UInt64(102 + number)) == [])
        }
        for site in [a, b, c] { await site.stop() }
    }
}
