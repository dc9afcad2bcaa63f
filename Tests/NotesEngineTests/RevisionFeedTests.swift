import Causality
import Dependents
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import Testing

/// The pages of revisions that a connection is sent.
@Suite struct RevisionFeedTests {
    private func peer(
        _ number: UInt64 = 7, run: UInt64 = 70, known: DotSet = DotSet(), isRecorded: Bool = true
    ) -> Call {
        .watchRevisions(
            WatchRevisions(
                peer: RevisionPeer(store: ReplicaID(bits: number), replica: ReplicaID(bits: run)), known: known,
                refuses: DotSet(), isRecorded: isRecorded))
    }

    private func pages(_ site: Site) -> [(number: UInt64, page: NumberedRevisionPage)] {
        site.harness.notifications[one, default: []].compactMap { notification in
            if case .revisions(let page) = notification.event { (notification.number, page) } else { nil }
        }
    }

    /// Many notes, each of half a page.
    private func filled() async throws -> Site {
        var site = try await Site(as: ReplicaID(bits: 1))
        let text = String(repeating: "x", count: 128 << 10)
        for number in 1...20 { _ = await site.write(create(noteID(UInt64(number)), text)) }
        return site
    }

    /// A client that does not read costs the daemon a few pages, however much it lacks.
    @Test func pages_waitForTheirAcknowledgement() async throws {
        var site = try await filled()
        guard case .feeding(let watch, lacks: 20) = await site.harness.ask(one, peer()) else {
            Issue.record("no feed of 20 revisions")
            return
        }
        // Every answer follows the pages of the turns before.
        for _ in 0..<10 { _ = await site.harness.ask(one, .listDependents) }
        let unread = pages(site)
        #expect(!unread.isEmpty && unread.count <= 5, "\(unread.count)")
        var acknowledged: UInt64 = 0
        while let last = pages(site).last, last.page.remaining > 0 || last.number > acknowledged {
            acknowledged = last.number
            guard
                case .proceeded = await site.harness.ask(
                    one, .proceed(ProceedParams(watch: watch, seq: last.number, lacking: [])))
            else { break }
            _ = await site.harness.ask(one, .listDependents)
        }
        #expect(pages(site).map(\.number) == Array(1...UInt64(pages(site).count)))
        #expect(pages(site).flatMap(\.page.revisions).count == 20 && pages(site).last?.page.remaining == 0)
        await site.stop()
    }

    @Test func ownDaemon_isNoPeer() async throws {
        var site = try await Site(as: ReplicaID(bits: 70))
        #expect(await site.harness.ask(one, peer())?.failure == .sameReplica)
        await site.stop()
    }

    @Test func peers_areListedWithWhatTheyLack() async throws {
        var site = try await filled()
        _ = await site.harness.ask(one, peer(7, known: DotSet([Dot(ReplicaID(bits: 1), 3)])))
        _ = await site.harness.ask(one, peer(8, isRecorded: false))
        guard case .peers(let peers) = await site.harness.ask(one, .listPeers) else {
            Issue.record("no list")
            return
        }
        #expect(peers.map(\.store) == [ReplicaID(bits: 7)] && peers.map(\.lacks) == [19] && peers.map(\.isConnected) == [false])
        guard case .peerForgotten = await site.harness.ask(one, .forgetPeer(ReplicaID(bits: 7))) else {
            Issue.record("not forgotten")
            return
        }
        #expect(await site.harness.ask(one, .forgetPeer(ReplicaID(bits: 8)))?.failure == .unknownPeer)
        await site.stop()
    }

    /// The feed does not send a peer its own revisions, and an acknowledgement of pages that were not sent changes
    /// nothing.
    @Test func offeredRevisions_areNotSentBack() async throws {
        var (site, other) = (try await Site(as: ReplicaID(bits: 1)), try await Site(as: ReplicaID(bits: 2)))
        _ = await other.write(create(noteID(1), "theirs\n"))
        guard case .feeding(let watch, lacks: 0) = await site.harness.ask(one, peer()) else {
            Issue.record("no feed")
            return
        }
        let page = try await other.missing(by: DotSet())
        guard
            case .adopted(let report, unreadable: [4]) = await site.harness.ask(
                one, body: .adopt(OfferedRevisions(revisions: page.revisions, unreadable: [4])))
        else {
            Issue.record("not adopted")
            return
        }
        #expect(report.committed.count == 1)
        _ = await site.harness.ask(one, .proceed(ProceedParams(watch: watch, seq: 99, lacking: [])))
        _ = await site.write(create(noteID(2), "mine\n"))
        _ = await site.harness.ask(one, .listDependents)
        #expect(pages(site).flatMap(\.page.revisions).map(\.note) == [noteID(2)])
        for site in [site, other] { await site.stop() }
    }

    /// The end of a connection must not record again what was forgotten.
    @Test func forgottenPeer_staysForgotten() async throws {
        var site = try await filled()
        guard case .feeding(let watch, _) = await site.harness.ask(one, peer()) else {
            Issue.record("no feed")
            return
        }
        guard case .peerForgotten = await site.harness.ask(one, .forgetPeer(ReplicaID(bits: 7))) else {
            Issue.record("not forgotten")
            return
        }
        _ = await site.harness.ask([(one, .proceed(ProceedParams(watch: watch, seq: 1, lacking: [])))], releasing: one)
        _ = await site.harness.register(2)
        guard case .peers(let peers) = await site.harness.ask(two, .listPeers) else {
            Issue.record("no list")
            return
        }
        #expect(peers.isEmpty)
        await site.stop()
    }

    /// The daemon may notice late that the connection to a peer's earlier run ended. That run may have held more,
    /// since the peer may have been put back to an older state.
    @Test(arguments: [(UInt64(71), 1), (70, 0)]) func earlierRunOfAPeer_isNotRecordedOverALaterOne(
        run: UInt64, lacks: Int
    ) async throws {
        var site = try await Site(as: ReplicaID(bits: 1))
        _ = await site.write(create(noteID(1), "one\n"))
        guard case .feeding(let watch, lacks: 1) = await site.harness.ask(one, peer()) else {
            Issue.record("no feed")
            return
        }
        _ = await site.harness.ask(one, .proceed(ProceedParams(watch: watch, seq: 1, lacking: [])))
        _ = await site.harness.register(2)
        _ = await site.harness.ask(two, peer(run: run))
        _ = await site.harness.ask([(one, .listDependents)], releasing: one)
        guard case .peers(let peers) = await site.harness.ask(two, .listPeers) else {
            Issue.record("no list")
            return
        }
        #expect(peers.map(\.lacks) == [lacks] && peers.map(\.isConnected) == [true])
        await site.stop()
    }

    /// The store knows after a restart which revisions a peer acknowledged, although the connection never ended.
    @Test func heldRevisions_areRecordedAtAStop() async throws {
        let folder = try TemporaryDirectory()
        var site = try await Site(folder, as: ReplicaID(bits: 1))
        _ = await site.write(create(noteID(1), "one\n"))
        guard case .feeding(let watch, lacks: 1) = await site.harness.ask(one, peer()) else {
            Issue.record("no feed")
            return
        }
        _ = await site.harness.ask(one, .proceed(ProceedParams(watch: watch, seq: 1, lacking: [])))
        try await site.restart(as: ReplicaID(bits: 2))
        guard case .peers(let peers) = await site.harness.ask(one, .listPeers) else {
            Issue.record("no list")
            return
        }
        #expect(peers.map(\.lacks) == [0])
        await site.stop()
    }

    /// A revision that waits is not held, however often it is offered.
    @Test func waitingRevision_isReportedEachTime() async throws {
        var (site, other) = (try await Site(as: ReplicaID(bits: 1)), try await Site(as: ReplicaID(bits: 2)))
        _ = await other.write(create(noteID(1), "one\n"))
        _ = await other.write(save(noteID(1), "one\ntwo\n", on: Version(Dot(ReplicaID(bits: 2), 1))))
        let child = Array(try await other.missing(by: DotSet()).revisions.dropFirst())
        for _ in 0..<2 {
            let response = await site.harness.ask(one, body: .adopt(OfferedRevisions(revisions: child, unreadable: [])))
            guard case .adopted(let report, _) = response else {
                Issue.record("not adopted")
                return
            }
            #expect(report.waiting == child.map(\.dot) && report.known == 0 && !child.isEmpty)
        }
        for site in [site, other] { await site.stop() }
    }
}
