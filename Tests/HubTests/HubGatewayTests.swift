import Causality
import Hub
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

@Suite struct HubGatewayTests {
    private static let peer = (store: ReplicaID(bits: 20), replica: ReplicaID(bits: 21))

    private func watch(knowing known: DotSet = DotSet(), refusing refused: DotSet = DotSet()) -> Call {
        .watchRevisions(
            WatchRevisions(peer: RevisionPeer(store: Self.peer.store, replica: Self.peer.replica), known: known, refuses: refused)
        )
    }

    /// Appends a row of another writer: mostly a revision, sometimes bytes that are none.
    private func write(_ log: inout MemoryLog, _ random: inout SeededGenerator, _ junk: inout Set<Dot>) {
        let dot = Dot(ReplicaID(bits: UInt64(100 + random.below(3))), UInt64(log.rows.count) + 1)
        let text = String(repeating: "a", count: random.chance(0.02) ? 90_000 : random.pick([0, 3, 40, 900]))
        var body = RevisionCodec.canonicalBytes(of: revision(dot, text: text))
        if random.chance(0.1) {
            body[body.count - 1 - random.below(9)] ^= UInt8(1 + random.below(255))
            if let found = RevisionCodec.revision(from: body), found.dot == dot, AdoptionRules.fault(in: found.content) == nil {
                body.removeLast()
            }
            junk.insert(dot)
        }
        log.append(dot, body)
    }

    /// A client that acknowledges pages, and what it received.
    private struct Receiver {
        var dots: [Dot] = []
        var gone: Set<Dot> = []
        var unacknowledged: [UInt64] = []
        var lastSeq: UInt64 = 0
        var left: Int

        mutating func take(_ page: RevisionsPage, _ seed: UInt64) {
            #expect(page.seq == lastSeq + 1, "seed \(seed)")
            lastSeq = page.seq
            unacknowledged.append(page.seq)
            #expect(unacknowledged.count <= 4 && page.revisions.count <= 256, "seed \(seed)")
            #expect(page.revisions.count == 1 || page.revisions.reduce(0) { $0 + $1.byteCount } <= 256 << 10, "seed \(seed)")
            let count = page.revisions.count + page.gone.count
            // While the receiver lacks nothing, but the rows up to the start are not read, 1 follows.
            #expect(page.left == max(0, left - count) || page.left == 1 && left <= count, "seed \(seed)")
            left = page.left
            dots += page.revisions.compactMap { RevisionCodec.dot(ofHead: $0.head) }
            gone.formUnion(page.gone)
        }
    }

    @Test func eachRowThatTheClientLacks_isSentOnceInOrder() throws {
        for seed in seeds(40) {
            var random = SeededGenerator(seed: seed)
            var desk = Desk()
            var junk: Set<Dot> = []
            for _ in 0..<random.pick([0, 1, 5, 60, 500]) { write(&desk.log, &random, &junk) }
            let all = desk.log.rows.compactMap(\.place.dot)
            let knows = random.pick([0, 0.5, 1])
            let known = DotSet(all.filter { _ in random.chance(knows) })
            let refused = DotSet(all.filter { _ in random.chance(0.05) })
            desk.hello()
            let start: WatchRevisionsResult = try desk.taken(watch(knowing: known, refusing: refused))
            #expect(start.lacks == DotSet(all).subtracting(known.union(refused)).count, "seed \(seed)")
            var receiver = Receiver(left: start.lacks)
            var own: [Dot] = []
            for step in 0..<60 {
                if step < 40 {
                    switch random.below(5) {
                    case 0: for _ in 0..<random.below(9) { write(&desk.log, &random, &junk) }
                    case 1: desk.gateway.wake()
                    case 2:
                        let dot = Dot(ReplicaID(bits: 5), UInt64(step) + 1)
                        own.append(dot)
                        let offer = AdoptParams(revisions: [RevisionCodec.wireForm(of: revision(dot, text: "own"))])
                        let result: AdoptResult = try desk.taken(.adopt(offer))
                        #expect(result.committed == 1, "seed \(seed)")
                    default: break
                    }
                }
                if step == 40 { desk.gateway.look() }
                desk.idle()
                for page in desk.takePages() { receiver.take(page, seed) }
                if step >= 40 || random.chance(0.5), let seq = receiver.unacknowledged.first {
                    receiver.unacknowledged.removeFirst()
                    let _: EmptyResult = try desk.taken(.proceed(ProceedParams(watch: WatchID(start.watch), seq: seq)))
                }
            }
            while let seq = receiver.unacknowledged.first {
                receiver.unacknowledged.removeFirst()
                let _: EmptyResult? = desk.result(.proceed(ProceedParams(watch: WatchID(start.watch), seq: seq)))
                desk.idle()
                for page in desk.takePages() { receiver.take(page, seed) }
            }
            let wanted = desk.log.rows.compactMap(\.place.dot).filter {
                !known.contains($0) && !refused.contains($0) && !own.contains($0)
            }
            #expect(desk.end == nil, "seed \(seed): \(desk.reports)")
            #expect(receiver.dots == wanted.filter { !junk.contains($0) }, "seed \(seed)")
            #expect(receiver.gone == Set(wanted).intersection(junk), "seed \(seed)")
            #expect(receiver.left == 0, "seed \(seed)")
        }
    }

    @Test func restoredLog_endsTheSessionOrIsReadWhole() throws {
        var ends = 0
        for seed in seeds(100) {
            var random = SeededGenerator(seed: seed)
            var desk = Desk()
            var junk: Set<Dot> = []
            for _ in 0..<30 { write(&desk.log, &random, &junk) }
            desk.hello()
            let start: WatchRevisionsResult = try desk.taken(watch())
            var received: Set<Dot> = []
            func turn(_ desk: inout Desk) {
                desk.idle()
                for page in desk.takePages() {
                    received.formUnion(page.revisions.compactMap { RevisionCodec.dot(ofHead: $0.head) })
                    received.formUnion(page.gone)
                    let _: EmptyResult? = desk.result(.proceed(ProceedParams(watch: WatchID(start.watch), seq: page.seq)))
                }
            }
            for _ in 0..<random.below(3) { turn(&desk) }
            desk.log.cut(to: random.below(30))
            let dots = (0..<random.below(40)).map { Dot(ReplicaID(bits: 300), UInt64($0) + 1) }
            for dot in dots { desk.log.append(dot, RevisionCodec.canonicalBytes(of: revision(dot, text: "new"))) }
            desk.gateway.look()
            for _ in 0..<20 where desk.end == nil { turn(&desk) }
            if desk.end == 75 {
                ends += 1
            } else {
                #expect(received.isSuperset(of: desk.log.rows.compactMap(\.place.dot)), "seed \(seed)")
            }
        }
        #expect(ends > 0)
    }

    @Test func logThatLostTheClientsOwnRow_endsTheSession() throws {
        var desk = Desk()
        desk.hello()
        let offer = AdoptParams(revisions: [RevisionCodec.wireForm(of: revision(Dot(ReplicaID(bits: 5), 1), text: "own"))])
        let _: AdoptResult = try desk.taken(.adopt(offer))
        desk.gateway.look()
        desk.idle()
        #expect(desk.end == nil)
        desk.log.cut(to: 0)
        desk.gateway.look()
        desk.idle()
        #expect(desk.end == 75)
    }

    @Test func offer_isSortedByOutcome() throws {
        var desk = Desk()
        desk.hello()
        let replica = ReplicaID(bits: 5)
        let (one, other) = (revision(Dot(replica, 1), text: "one"), revision(Dot(replica, 1), text: "other"))
        let withdrawal = emptyWithdrawal(Dot(replica, 2))
        let zero = revision(Dot(replica, 3), text: "\0")
        let offer = [one, one, other, withdrawal, zero].map(RevisionCodec.wireForm) + [WireRevision(head: [2], text: [])]
        let wires = AdoptParams(revisions: offer.filter { !$0.text.contains(0) })
        let result: AdoptResult = try desk.taken(.adopt(wires))
        #expect(result.committed == 1 && result.known == 1 && result.unreadable == [4])
        #expect(result.quarantined.map(\.dot) == [Dot(replica, 2), Dot(replica, 1)])
        #expect(HubCheck.offered(offer[4]) == .unreadable)
        #expect(desk.log.rows.count == 1)
    }

    /// A revision that no daemon takes: it withdraws another one, but has no parents.
    private func emptyWithdrawal(_ dot: Dot) -> LinkedRevision {
        let content = Revision(
            note: noteID(1), dot: dot, parents: Version([]), edits: [], origin: .stated, withdraws: [Dot(dot.replica, 1)],
            author: ada, time: Timestamp(milliseconds: 1))
        return LinkedRevision(content, parentHashes: [])
    }

    @Test func rowThatNoDaemonTakes_isLeftOut() {
        let (dot, other) = (Dot(ReplicaID(bits: 5), 1), Dot(ReplicaID(bits: 5), 2))
        let good = revision(dot, text: "good")
        func row(_ revision: LinkedRevision, under dot: Dot) -> HubRow {
            HubRow(HubPlace(1, dot), body: RevisionCodec.canonicalBytes(of: revision))
        }
        #expect(HubCheck.stored(row(good, under: dot)) == .revision(RevisionCodec.wireForm(of: good)))
        let bad = [row(good, under: other), row(emptyWithdrawal(dot), under: dot), row(revision(dot, text: "\0"), under: dot)]
        for row in bad {
            guard case .skipped = HubCheck.stored(row) else {
                Issue.record("row with \(row.body.count) bytes is sent")
                continue
            }
        }
    }

    @Test func otherMethods_areNotFound() {
        var desk = Desk()
        #expect(desk.refusal(.knownRevisions()) == .helloRequired)
        desk.hello()
        #expect(desk.refusal(.list(ListNotes())) == .methodNotFound)
        #expect(desk.refusal(.listPeers) == .methodNotFound)
        #expect(desk.refusal(.proceed(ProceedParams(watch: WatchID(1), seq: 1))) == .invalidParams)
    }

    @Test func readOnlyRole_mayNotOffer() {
        var desk = Desk()
        desk.log.mayWrite = false
        desk.hello()
        let offer = AdoptParams(revisions: [RevisionCodec.wireForm(of: revision(Dot(ReplicaID(bits: 5), 1), text: "own"))])
        #expect(desk.refusal(.adopt(offer)) == .permissionDenied)
        #expect(desk.log.rows.isEmpty)
    }

    /// The replicator waits after this error, and offers the same revisions again on the same connection.
    @Test func fullDisk_isNamed_andTheSameOfferSucceedsLater() throws {
        var desk = Desk()
        desk.hello()
        let offer = AdoptParams(revisions: [RevisionCodec.wireForm(of: revision(Dot(ReplicaID(bits: 5), 1), text: "own"))])
        desk.log.isFull = true
        #expect(desk.refusal(.adopt(offer)) == .storageFull)
        #expect(desk.end == nil && desk.log.rows.isEmpty)
        desk.log.isFull = false
        let result: AdoptResult = try desk.taken(.adopt(offer))
        #expect(result.committed == 1 && desk.log.rows.count == 1)
    }

    @Test func anyLine_getsAnAnswerOrNone() {
        for seed in seeds(200) {
            var random = SeededGenerator(seed: seed)
            var desk = Desk()
            if random.chance(0.7) { desk.hello() }
            var line = Array(watch().line(id: .integer(1)).dropLast())
            for _ in 0..<random.below(4) { line[random.below(line.count)] = UInt8(random.below(256)) }
            let answer = desk.line(line)
            desk.idle()
            #expect(answer?.last == UInt8(ascii: "\n") && desk.end == nil, "seed \(seed)")
        }
    }

    /// A space keeps no notes whose past is gone: such an offer must not count as held.
    @Test func beginning_isNotAccepted() throws {
        var desk = Desk()
        desk.hello()
        let floor = LinkedRevision(
            Revision(
                note: noteID(1), dot: dot("A2"), parents: version("A1"), edits: [], origin: .stated, name: .set(nil),
                mark: Mark(.purge, covers: []), author: ada, time: Timestamp(milliseconds: 0)),
            parentHashes: [RevisionHash(bits: 0)])
        let beginning = NoteBeginning(
            floor: floor, below: DotSet([dot("A1")]), text: [], name: nil, lastLine: .shown, isDeleted: false,
            created: Timestamp(milliseconds: 0))
        let offer = AdoptParams(revisions: [], beginnings: [WireBeginning(beginning)])
        let result: AdoptResult = try desk.taken(.adopt(offer))
        #expect(result.notBegun.map(\.dot) == [dot("A2")] && result.committed == 0 && result.known == 0)
    }
}
