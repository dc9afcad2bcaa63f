import Causality
import Dependents
import Logging
import NoteText
import NotesMethods
import NotesModel
import NotesStore

/// The exchange of revisions over connections: one connection tells the daemon which revisions a peer
/// lacks and gets them as they are committed, and offers those that the peer has.
extension Engine {
    /// The maximum number of feeds, and that of pages for them in one turn.
    private static let feedsMax = 256
    private static let turnFeedPagesMax = 4

    /// Reads more of the dots of the store, in bounded steps. Returns whether all of them are known.
    func findDots() throws(JournalError) -> Bool {
        let newest = noteCache.journal.lastSequence
        guard exchange.feeds.through < newest else { return true }
        let (dots, through) = try noteCache.journal.dots(after: exchange.feeds.through, rangesMax: configuration.turnRangesMax)
        exchange.feeds.dots.formUnion(dots)
        exchange.feeds.through = through
        return through >= newest
    }

    /// The response to `revisions.known`. Revisions that wait are not in it: they are not part of any
    /// note, and the peer shall send them again. Neither are those whose texts the store needs again.
    ///
    /// - Precondition: `findDots()` returned true in this turn.
    func knownRevisions(digests: DotSet) throws(JournalError) -> Response {
        .knownRevisions(
            KnownRevisions(
                dots: exchange.feeds.dots.subtracting(exchange.reopenings.lacks),
                // A forged one must not keep away the one that is needed.
                quarantined: try noteCache.journal.quarantinedDots().subtracting(exchange.reopenings.lacks),
                waiting: noteCache.journal.heldAmounts.waiting.revisions,
                digests: digests.isEmpty ? [] : try noteCache.journal.digests(of: digests)))
    }

    /// Starts a feed, which replaces an earlier one of the connection.
    ///
    /// - Precondition: `findDots()` returned true in this turn.
    func feed(_ request: WatchRevisions, to dependent: DependentID) throws(JournalError) -> Response {
        guard request.peer.replica != identity.replica else { return .failed(.sameReplica) }
        guard exchange.feeds.byDependent[dependent] != nil || exchange.feeds.byDependent.count < Self.feedsMax else {
            return .failed(.tooManyFeeds(limit: Self.feedsMax))
        }
        guard let watch = dependents.drawWatchID(for: dependent) else { return .failed(.shuttingDown) }
        try endFeed(of: dependent)
        let feed = RevisionFeed(watch, to: request, here: exchange.feeds.dots, newest: noteCache.journal.lastSequence)
        exchange.feeds.byDependent[dependent] = feed
        exchange.feeds.forgetEarlierRuns(of: feed)
        try record(dependent)
        return .feeding(watch, lacks: feed.remaining)
    }

    /// The peer holds the pages up to a number. Returns the response.
    func proceed(_ watch: WatchID, through number: UInt64, lacking: [Dot], of dependent: DependentID) -> Response {
        guard exchange.feeds.byDependent[dependent]?.watch == watch else { return .failed(.unknownWatch) }
        exchange.feeds.byDependent[dependent]?.proceed(through: number, lacking: Set(lacking))
        return .proceeded
    }

    /// The peer of a connection's feed has the bytes that revisions name. Without a feed, nothing changes.
    ///
    /// - Precondition: `findDots()` returned true in this turn.
    func complete(_ dots: DotSet, of dependent: DependentID) -> Response {
        let held = exchange.feeds.dots.intersection(dots)
        exchange.feeds.byDependent[dependent]?.hold(held)
        return .proceeded
    }

    /// Ends the feed of a connection, and records what its peer holds.
    func endFeed(of dependent: DependentID, _ watch: WatchID? = nil) throws(JournalError) {
        guard let feed = exchange.feeds.byDependent[dependent], watch == nil || feed.watch == watch else { return }
        defer { exchange.feeds.byDependent[dependent] = nil }
        try record(dependent)
    }

    /// Records what a peer holds. A failure changes only what is reported about the peer.
    private func record(_ dependent: DependentID) throws(JournalError) {
        guard let feed = exchange.feeds.byDependent[dependent], feed.isHeldUnwritten, let name = feed.recordName, !isEnding else {
            return
        }
        do throws(JournalError) {
            try append([.heard(name, knows: feed.held)])
            exchange.feeds.byDependent[dependent]?.isHeldUnwritten = false
        } catch {
            if case .fatal = error { throw error }
            logger.warning(
                "the revisions that a peer holds could not be recorded",
                metadata: ["event": "peer-unrecorded", "peer": "\(feed.peer.store)", "error": "\(error)"])
        }
    }

    /// Records what all peers hold: now and then, since compaction keeps what a peer does not hold, and
    /// when the engine stops.
    func recordFeeds() throws(JournalError) {
        for dependent in exchange.feeds.byDependent.keys.sorted(by: { $0.number < $1.number }) { try record(dependent) }
    }

    /// Records what all peers hold if a minute has passed.
    func recordFeeds(at seconds: UInt64) throws(JournalError) {
        guard !exchange.feeds.byDependent.isEmpty, seconds >= exchange.feeds.recordedAt + 60 else { return }
        exchange.feeds.recordedAt = seconds
        try recordFeeds()
    }

    /// Takes in the revisions that a connection offers. Returns nil if the response follows, after a long
    /// walk or after what is in `feeds.rest`; the revisions before are committed.
    func adopt(_ offer: OfferedRevisions, for request: Request) throws(JournalError) -> Response? {
        let dependent = request.dependent
        let revisions = exchange.reopenings.take(offer.revisions)
        for beginning in offer.beginnings where (try? beginning.check(configuration.model)) != nil {
            exchange.reopenings.take(beginning)
        }
        let before = exchange.feeds.partlyAdopted.removeValue(forKey: dependent)
        exchange.releasing.isStuck = false
        do throws(JournalError) {
            guard try reopenSome() else {
                exchange.feeds.partlyAdopted[dependent] = before
                exchange.feeds.rest = request
                return nil
            }
            let revived = exchange.reopenings.revived
            exchange.reopenings.revived = []
            let begun = try begin(offer.beginnings, mayPurge: offer.mayPurge, for: dependent)
            let offered = begun.floors + revived + revisions
            var (report, postponed) = try take(offered, mayWait: true)
            report = begun.report.joined(report)
            report.known += offer.revisions.count - revisions.count
            report.changesKnown = exchange.reopenings.isChanged
            exchange.reopenings.isChanged = false
            let decided = offered.dropLast(postponed?.revisions.count ?? 0)
            // Those that waited before are not held either.
            let listed = Set(report.waiting)
            for revision in decided where !listed.contains(revision.dot) {
                guard try noteCache.journal.waiting(revision.dot) != nil else { continue }
                report.waiting.append(revision.dot)
                report.known = max(0, report.known - 1)
            }
            report = before?.report.joined(report) ?? report
            exchange.feeds.byDependent[dependent]?.receive(DotSet(offer.revisions.map(\.dot)))
            guard let postponed else { return .adopted(report, unreadable: offer.unreadable) }
            let rest = request.with(.adopt(OfferedRevisions(revisions: postponed.revisions, unreadable: offer.unreadable)))
            if let load = postponed.load {
                // The walks of one note are limited, those of an offer are as many as its notes.
                if before?.walked != load.id { longReads.resume(nil, after: 0) }
                if let refusal = postpone(.request(rest), for: .load(load)) { return refusal }
            } else {
                exchange.feeds.rest = rest
            }
            exchange.feeds.partlyAdopted[dependent] = (report, postponed.load?.id ?? before?.walked)
            return nil
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                before == nil
                    ? "revisions of a peer could not be committed; nothing was changed"
                    : "the rest of a peer's revisions could not be committed; the peer offers them again",
                metadata: ["event": "commit-failed", "error": "\(error)", "writes": "\(offer.revisions.count)"])
            return .failed(RequestFailure(error))
        }
    }

    /// Builds pages for some of the feeds that may be sent one, at most one page for each.
    func feedPeers(into output: inout TurnOutput) throws(JournalError) {
        let newest = noteCache.journal.lastSequence
        guard exchange.feeds.hasWork(newest: newest) else { return }
        let waiting = exchange.feeds.byDependent.filter { $0.value.wantsPage(newest: newest) }.keys.sorted {
            $0.number < $1.number
        }
        let split = waiting.firstIndex { $0.number > exchange.feeds.lastServed.number } ?? 0
        for dependent in (waiting[split...] + waiting[..<split]).prefix(Self.turnFeedPagesMax) {
            exchange.feeds.lastServed = dependent
            do throws(JournalError) {
                try feedPage(to: dependent, into: &output)
            } catch {
                if case .fatal = error { throw error }
                exchange.feeds.byDependent[dependent] = nil
                cutShort(dependent, error, in: &output)
            }
        }
    }

    private func feedPage(to dependent: DependentID, into output: inout TurnOutput) throws(JournalError) {
        guard var feed = exchange.feeds.byDependent[dependent] else { return }
        let limit = PageLimit(
            revisionsMax: FeedWindow.pageRevisionsMax, bytesMax: FeedWindow.pageBytesMax, rangesMax: configuration.turnRangesMax)
        let page = try noteCache.journal.missingRevisions(by: feed.skipped, after: feed.place, limit: limit)
        let number = feed.take(page)
        exchange.feeds.byDependent[dependent] = feed
        guard let number else { return }
        let content = NumberedRevisionPage(
            beginnings: page.beginnings, revisions: page.revisions, gone: page.gone, remaining: feed.remaining)
        let notification = WatchNotification(
            watch: feed.watch, number: number, cursor: try cursor(atAll: page.through), event: .revisions(content))
        output.deliver([notification], [], to: dependent)
    }

    /// The peers that this store has heard of.
    ///
    /// - Precondition: `findDots()` returned true in this turn.
    func peers() -> Response {
        var found = noteCache.journal.peers
        var connected: Set<PeerName> = []
        for feed in exchange.feeds.byDependent.values {
            guard let name = feed.recordName else { continue }
            connected.insert(name)
            found[name] = feed.held.union(found[name] ?? DotSet())
        }
        let peers = found.compactMap { name, held in
            ReplicaID(parsing: name.bytes.utf8).map {
                PeerDescription(
                    store: $0, isConnected: connected.contains(name), lacks: exchange.feeds.dots.subtracting(held).count)
            }
        }
        return .peers(peers.sorted { $0.store < $1.store })
    }

    /// Forgets what a peer holds; nothing else depends on it.
    func forget(_ peer: ReplicaID) throws(JournalError) -> Response {
        guard let peer = PeerName(store: peer), noteCache.journal.peers[peer] != nil else { return .failed(.unknownPeer) }
        do throws(JournalError) {
            try append([.forgotten(peer)])
            for (dependent, feed) in exchange.feeds.byDependent where feed.recordName == peer {
                exchange.feeds.byDependent[dependent]?.forgetPeer()
            }
            return .peerForgotten
        } catch {
            if case .fatal = error { throw error }
            return .failed(RequestFailure(error))
        }
    }
}
