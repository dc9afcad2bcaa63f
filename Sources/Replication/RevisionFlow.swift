import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire

/// One direction of a replicator: carries the revisions that one store has and the other lacks, first
/// those that are there already, then each one as it is committed.
///
/// It keeps nothing: it asks both stores when it starts, so that resuming after a cut, a restore or a
/// copy is the same as starting.
///
/// While more pages must follow, the next page is on its way to the destination while the destination commits
/// one. The flow acknowledges pages to the source in order, each one when the destination has answered it. If the
/// destination does not take the first of the two, the flow waits for the answer to the second, offers the first
/// until it is taken, and then offers the second again: the destination knows what it took of it, and what waited
/// for the first has its parents.
///
///     try await RevisionFlow(from: server, to: laptop).run(once: true) { print($0) }
package struct RevisionFlow<Source: ExchangeStore, Destination: ExchangeStore>: Sendable {
    private let source: Source
    private let destination: Destination
    private let files: FileFlow<Source, Destination>?
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The wait at which an exchange that is to end gives up.
    private static var onceWaitMax: Duration { .seconds(8) }

    /// - Parameters:
    ///   - files: carries the bytes that the revisions name; nil for nothing.
    ///   - sleep: waits before a store that takes nothing at present is asked again.
    init(
        from source: Source, to destination: Destination, files: FileFlow<Source, Destination>?,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.source = source
        self.destination = destination
        self.files = files
        self.sleep = sleep
    }

    /// A flow that carries no bytes of files.
    package init(from source: Source, to destination: Destination) {
        self.init(from: source, to: destination, files: nil)
    }

    /// Carries revisions.
    ///
    /// - Parameters:
    ///   - once: whether to return when the destination has been offered everything that it lacked at
    ///     the start; otherwise, this runs until a connection ends.
    ///   - report: called with each event.
    /// - Throws: `ReplicationFault`, or an error of a connection.
    package func run(once: Bool, report: @Sendable (FlowEvent) -> Void) async throws {
        try await carry(try await begin(), once: once, report: report)
    }

    /// Makes the source send what the destination lacks, except what reaches it from the destination
    /// afterwards.
    ///
    /// - Parameter offered: what the destination was offered before, and is not offered again.
    func begin(besides offered: DotSet = DotSet()) async throws -> Start {
        let known = try await destination.known()
        let incomplete = try await files?.missing() ?? DotSet()
        let params = WatchRevisions(
            peer: RevisionPeer(store: try await destination.store, replica: try await destination.replica),
            known: known.known.subtracting(incomplete), refuses: known.quarantined.union(offered).union(incomplete))
        let feed = try await source.watch(params)
        files?.take(incomplete)
        let carriesBytes = try await files?.carriesBytes ?? false
        return Start(feed: feed, refuses: !known.quarantined.isEmpty, carriesBytes: carriesBytes)
    }

    /// A feed of the source.
    struct Start {
        let feed: RevisionPages
        /// Whether the destination holds revisions that it has not accepted.
        let refuses: Bool
        /// Whether the bytes of files follow.
        let carriesBytes: Bool
    }

    /// Carries the revisions that the source sends; see `run`.
    func carry(_ start: Start, once: Bool, report: @Sendable (FlowEvent) -> Void) async throws {
        var start = start
        var late = LateRevisions()
        while try await carryPages(of: start, once: once, late: &late, report) == .restart { start = try await begin() }
    }

    private enum CarryingEnd {
        /// Everything that was asked for was carried.
        case completed
        /// The destination asks for texts that it compacted, or has them again, so its known dots changed.
        case restart
    }

    /// The revisions that the destination did not take, but may take after texts that it asks for.
    private struct LateRevisions {
        var dots: Set<Dot> = []
        /// The reasons for which it did not accept some of them.
        var reasons: [Dot: String] = [:]
        /// Whether it may have refused some in an earlier exchange, so that they are not offered again.
        var mayBeRefused = false
    }

    private func carryPages(
        of begun: Start, once: Bool, late: inout LateRevisions, _ report: @Sendable (FlowEvent) -> Void
    ) async throws -> CarryingEnd {
        let feed = begun.feed
        late.mayBeRefused = late.mayBeRefused || begun.refuses
        report(.began(lacks: feed.start.lacks))
        if feed.start.lacks == 0 {
            try await settle(&late, report)
            if once { return .completed }
        }
        // A discarding group keeps nothing of an offer that ended, however long the flow runs.
        return try await withThrowingDiscardingTaskGroup { group in
            // At most the page that is being committed and the one after it.
            var pages: [UnacknowledgedPage] = []
            var last: UInt64 = 0
            // Pages of an earlier feed may still be on their way.
            for try await page in feed.pages where page.watch == feed.start.watch {
                guard page.seq == last + 1 else { throw ReplicationFault.gap(after: last, page.seq) }
                last = page.seq
                pages.append(UnacknowledgedPage(page: page, offer: page.isOneOffer ? await send(page, in: &group) : nil))
                while pages.count > (page.isFollowed ? 1 : 0) {
                    let first = pages.removeFirst()
                    let all = try await result(of: first, before: &pages, once: once, report)
                    let end = try await complete(first.page, all, of: begun, late: &late, report)
                    if let end, once || end == .restart { return end }
                }
            }
            try Task.checkCancellation()
            throw ReplicationFault.ended
        }
    }

    /// The destination answered the offer of a page. Returns `completed` if it was the last one of those that were
    /// there at the start, or a later one.
    private func complete(
        _ page: RevisionsPage, _ all: OfferResult, of begun: Start, late: inout LateRevisions,
        _ report: @Sendable (FlowEvent) -> Void
    ) async throws -> CarryingEnd? {
        let incomplete = begun.carriesBytes ? page.revisionsThatMayNameFiles.filter { !all.lacking.contains($0.dot) } : []
        let lacking = (all.lacking + incomplete.map(\.dot)).sorted()
        try await source.proceed(ProceedParams(watch: WatchID(page.watch), seq: page.seq, lacking: lacking))
        files?.take(incomplete.reduce(into: DotSet(incomplete.map(\.dot))) { $0.formUnion($1.below) })
        if all.restarts {
            late.dots.formUnion(all.lacking)
            late.reasons.merge(all.unfit) { $1 }
            report(.carried(committed: all.committed, remaining: max(1, page.left), gone: page.gone.count, lacking: 0))
            return .restart
        }
        for (dot, reason) in all.unfit { report(.notAccepted(dot, reason)) }
        report(
            .carried(committed: all.committed, remaining: page.left, gone: page.gone.count, lacking: all.lacking.count))
        guard page.left == 0 else { return nil }
        try await settle(&late, report)
        return .completed
    }

    /// A page that the flow did not acknowledge to the source.
    private struct UnacknowledgedPage {
        let page: RevisionsPage
        /// Its offer; nil if it is offered after the page before it was taken.
        var offer: Offer?
    }

    /// An offer that is under way or answered.
    private struct Offer {
        /// One answer, or an error of the connection.
        let answers: AsyncThrowingStream<AdoptAnswer, any Error>

        /// Waits for the answer.
        ///
        /// - Returns: nil if the destination did not take the offer.
        func result() async throws -> AdoptResult? {
            for try await answer in answers {
                guard case .adopted(let result) = answer else { return nil }
                return result
            }
            throw CancellationError()
        }
    }

    /// Offers the revisions of a page, and returns when the destination takes what is offered from then on after
    /// them, or the offer failed.
    private func send(_ page: RevisionsPage, in group: inout ThrowingDiscardingTaskGroup<any Error>) async -> Offer {
        let (placed, gate) = AsyncStream<Void>.makeStream()
        let (answers, answer) = AsyncThrowingStream<AdoptAnswer, any Error>.makeStream()
        group.addTask { [destination] in
            // An offer that fails may never have been placed.
            defer { gate.finish() }
            do {
                answer.yield(try await destination.adopt(AdoptParams(revisions: page.revisions)) { gate.finish() })
                answer.finish()
            } catch {
                answer.finish(throwing: error)
            }
        }
        for await _ in placed {}
        return Offer(answers: answers)
    }

    /// Waits until the destination took a page, and offers it again if it did not take the offer.
    ///
    /// - Parameter following: the pages after it. If this one is offered again, or if the flow begins again, they
    ///   have no offer afterwards, and what the destination took of them is in the result.
    private func result(
        of first: UnacknowledgedPage, before following: inout [UnacknowledgedPage], once: Bool,
        _ report: @Sendable (FlowEvent) -> Void
    ) async throws -> OfferResult {
        let page = first.page
        let taken = try await first.offer?.result()
        var all = taken.map { Self.result($0, of: AdoptParams(revisions: page.revisions)) } ?? OfferResult()
        guard taken == nil || all.restarts else { return all }
        var early = OfferResult()
        for index in following.indices {
            let next = following[index]
            following[index].offer = nil
            guard let result = try await next.offer?.result() else { continue }
            early.add(Self.result(result, of: AdoptParams(revisions: next.page.revisions)))
        }
        if taken == nil {
            // The revisions may be based on the beginnings.
            for part in Self.parts(of: page.beginnings) + [AdoptParams(revisions: page.revisions)] {
                all.add(try await offer(part, once: once, report))
            }
        }
        // The answer to the second offer counts. There is none if the flow begins again.
        if !all.restarts, !early.restarts { (early.lacking, early.unfit) = ([], []) }
        all.add(early)
        return all
    }

    /// Reports the late revisions that the destination has not taken by now, and the number of all that it
    /// has not accepted.
    private func settle(_ late: inout LateRevisions, _ report: @Sendable (FlowEvent) -> Void) async throws {
        guard !late.dots.isEmpty || late.mayBeRefused else { return }
        let known = try await destination.known()
        let lacking = late.dots.filter { !known.known.contains($0) }.sorted()
        for dot in lacking { if let reason = late.reasons[dot] { report(.notAccepted(dot, reason)) } }
        report(.carried(committed: 0, remaining: 0, gone: 0, lacking: lacking.count))
        if late.mayBeRefused {
            let refused = known.quarantined.subtracting(known.known).intersection(try await source.known().known)
            report(.refused(refused.subtracting(DotSet(lacking)).count))
        }
        late = LateRevisions()
    }

    /// Divides beginnings into offers that a daemon takes.
    private static func parts(of beginnings: [WireBeginning]) -> [AdoptParams] {
        var parts: [AdoptParams] = []
        var (below, bytes) = (0, 0)
        for beginning in beginnings {
            (below, bytes) = (below + beginning.below.count, bytes + beginning.byteCount)
            if let count = parts.last?.beginnings.count, count < WireProtocol.begunNotesMax, below <= NoteBeginning.belowMax,
                bytes <= WireProtocol.adoptedBytesMax
            {
                parts[parts.count - 1].beginnings.append(beginning)
            } else {
                parts.append(AdoptParams(revisions: [], beginnings: [beginning]))
                (below, bytes) = (beginning.below.count, beginning.byteCount)
            }
        }
        return parts
    }

    /// The result of an offer.
    private struct OfferResult {
        /// The revisions that the destination does not hold afterwards, sorted.
        var lacking: [Dot] = []
        /// The revisions that the destination did not accept, each with the reason.
        var unfit: [(Dot, String)] = []
        /// The number of revisions that it committed.
        var committed = 0
        /// Whether the flow must ask for the destination's known dots and begin again.
        var restarts = false

        mutating func add(_ other: OfferResult) {
            lacking += other.lacking
            unfit += other.unfit
            committed += other.committed
            restarts = restarts || other.restarts
        }
    }

    /// The result of an offer that the destination took.
    private static func result(_ result: AdoptResult, of part: AdoptParams) -> OfferResult {
        let unreadable = result.unreadable.compactMap { index in
            part.revisions.indices.contains(index) ? RevisionCodec.dot(ofHead: part.revisions[index].head) : nil
        }
        let unfit = (result.quarantined + result.notBegun).map { ($0.dot, "\($0.reason)") }
        let dots = result.waiting + unfit.map(\.0) + result.refused + unreadable
        return OfferResult(lacking: Set(dots).sorted(), unfit: unfit, committed: result.committed, restarts: result.restart)
    }

    /// Offers a part of a page.
    private func offer(
        _ part: AdoptParams, once: Bool, _ report: @Sendable (FlowEvent) -> Void
    ) async throws -> OfferResult {
        guard part.count > 0 else { return OfferResult() }
        var wait = Duration.seconds(1)
        while true {
            switch try await destination.adopt(part) {
            case .adopted(let result):
                return Self.result(result, of: part)
            case .unacceptable(let reason) where part.count == 1:
                // A single revision must not end the connection, and every one after it, for ever.
                let dots = part.heads.compactMap { RevisionCodec.dot(ofHead: $0) }
                return OfferResult(lacking: dots, unfit: dots.map { ($0, reason) })
            case .unacceptable:
                var all = OfferResult()
                let single = part.beginnings.map { AdoptParams(revisions: [], beginnings: [$0]) }
                for one in single + part.revisions.map({ AdoptParams(revisions: [$0]) }) {
                    all.add(try await offer(one, once: once, report))
                }
                return all
            case .later(let reason):
                report(.waits(reason))
                guard !once || wait < Self.onceWaitMax else { throw ReplicationFault.takesNothing(reason) }
                try await sleep(wait)
                wait = min(wait * 2, .seconds(60))
            }
        }
    }
}

extension RevisionsPage {
    /// Whether one offer carries the page.
    fileprivate var isOneOffer: Bool { beginnings.isEmpty && !revisions.isEmpty }
    /// Whether the source sends another page before this one is acknowledged, so that the flow may wait for it. The
    /// source counts at most the bytes that are counted here.
    fileprivate var isFollowed: Bool {
        left > 0 && isOneOffer && revisions.reduce(0) { $0 + $1.byteCount } < FeedWindow.unacknowledgedBytesMax
    }
    /// The revisions whose texts may name files, and what is below those at which a note begins.
    fileprivate var revisionsThatMayNameFiles: [(dot: Dot, below: DotSet)] {
        let found: [(dot: Dot?, below: DotSet)] =
            beginnings.filter { FileContent.mayBeNamed(in: $0.text.utf8) }.map {
                (RevisionCodec.dot(ofHead: $0.revision.head), $0.below)
            }
            + revisions.filter { FileContent.mayBeNamed(in: $0.text) }.map { (RevisionCodec.dot(ofHead: $0.head), DotSet()) }
        return found.compactMap { found in found.dot.map { ($0, found.below) } }
    }
}

extension AdoptParams {
    fileprivate var count: Int { revisions.count + beginnings.count }
    /// The heads of the offered revisions, and of the floors of the offered beginnings.
    fileprivate var heads: [[UInt8]] { beginnings.map(\.revision.head) + revisions.map(\.head) }
}
