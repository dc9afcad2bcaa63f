import Dependents
import Logging
import NotesModel
import NotesSearch
import NotesStore

extension Engine {
    /// Takes a search. Returns its response if it is refused at once.
    func takeSearch(_ search: SearchCoordinator.IndexQuery, _ request: Request) throws(JournalError) -> Response? {
        guard let indexWorker = searchCoordinator.indexWorker else {
            return .failed(.storageFailed("the search index is not available; see the daemon's log"))
        }
        if let trouble = searchCoordinator.trouble { return .failed(trouble) }
        let newest = noteCache.journal.lastSequence
        do throws(JournalError) {
            guard try owe(newest) else { return .failed(.searchBehind(done: searchCoordinator.handedOver, total: newest)) }
        } catch {
            if case .fatal = error { throw error }
            return .failed(RequestFailure(error))
        }
        queuedBehind[request.dependent] = []
        searchCoordinator.underWay[request.dependent] = SearchCoordinator.UnderWay(
            requestNumber: request.requestNumber, reservation: request.reservation,
            stop: CancellationFlag(within: indexWorker.ending))
        searchCoordinator.waiting.append((search, request, newest))
        return nil
    }

    /// Records which notes the index needs before it executes this search. False if there are too
    /// many.
    ///
    /// This happens now, since a note that is written again before it is handed over has no newest
    /// commit up to this point.
    private func owe(_ newest: UInt64) throws(JournalError) -> Bool {
        let (after, room) = (
            searchCoordinator.pendingThrough, SearchCoordinator.tailNotesMax - searchCoordinator.pendingHeads.count
        )
        guard newest > after else { return true }
        let journal = noteCache.journal
        let changed = try journal.nilIfCorrupt { () throws(JournalError) in
            try journal.changed(after: after, through: newest, limit: room + 1)
        }
        guard let changed else { throw .failed("the notes that the index lacks cannot be read") }
        guard changed.count <= room else { return false }
        searchCoordinator.owe(changed, through: newest)
        return true
    }

    /// Executes one bounded step: gives the index what it should have by now, starts the searches
    /// that can start, and sends the responses that are ready.
    func searchOn(isIdle: Bool) throws(JournalError) {
        guard searchCoordinator.indexWorker != nil else { return }
        try look()
        let target = searchCoordinator.target(newest: noteCache.journal.lastSequence, isIdle: isIdle)
        if searchCoordinator.handedOver < target, searchCoordinator.bytesInFlight < SearchCoordinator.bytesInFlightMax {
            try sendToIndex(upTo: target)
        }
        for (search, request, through) in searchCoordinator.takeReady() { startSearch(search, for: request, through: through) }
        try deliverSearchResponses()
    }

    /// Updates the estimate of the notes that the index lacks.
    private func look() throws(JournalError) {
        do throws(JournalError) { try searchCoordinator.look(at: noteCache.journal) } catch {
            if case .fatal = error { throw error }
            giveUp(RequestFailure(error))
        }
    }

    // MARK: - Batches for the index

    /// Gives the index the next batch.
    private func sendToIndex(upTo target: UInt64) throws(JournalError) {
        do throws(JournalError) {
            guard let (batch, bytes) = try batch(upTo: target) else {
                return giveUp(.storageFailed("the notes that the index lacks cannot be read"))
            }
            sendToIndex(batch, bytes: bytes)
        } catch {
            if case .fatal = error { throw error }
            // The failure may be temporary. A note that was skipped now would not be found until it
            // changes.
            giveUp(RequestFailure(error))
        }
    }

    /// The next notes that the index lacks, and the bytes of their texts; nil if the store cannot
    /// list them.
    private func batch(upTo target: UInt64) throws(JournalError) -> (batch: SearchIndex.Batch, bytes: Int)? {
        let journal = noteCache.journal
        let after = searchCoordinator.handedOver
        // Notes that a search waits for are handed over as of the time of that search.
        let hasPending = !searchCoordinator.pendingHeads.isEmpty
        let target = hasPending ? searchCoordinator.pendingThrough : target
        let stored =
            try hasPending
            ? Array(searchCoordinator.pendingHeads.prefix(SearchCoordinator.batchNotesMax))
            : journal.nilIfCorrupt { () throws(JournalError) in
                try journal.changed(after: after, through: target, limit: SearchCoordinator.batchNotesMax)
            }
        guard let stored else { return nil }
        var entries: [SearchIndex.Entry] = []
        var bytes = 0
        var through = stored.count < SearchCoordinator.batchNotesMax ? target : after
        for (index, note) in stored.enumerated() {
            let entry = try entry(of: note)
            entries.append(entry)
            bytes += entry.contents?.text.count ?? 0
            if stored.count == SearchCoordinator.batchNotesMax { through = note.sequence }
            if bytes >= SearchCoordinator.batchBytesMax, index < stored.count - 1 {
                through = note.sequence
                break
            }
        }
        let reached = try cursor(WatchPosition(through, newest: journal.lastSequence))
        return (SearchIndex.Batch(after: after, through: reached, entries: entries), bytes)
    }

    private func sendToIndex(_ batch: SearchIndex.Batch, bytes: Int) {
        searchCoordinator.sent(batch)
        // Counts the rows too, so that no number of empty notes exceeds the limit.
        let weight = bytes + 256 * batch.entries.count
        searchCoordinator.bytesInFlight += weight
        let epoch = searchCoordinator.epoch
        searchCoordinator.indexWorker?.perform { index throws(SearchFault) in
            try index.add(batch)
        } then: { [self] result in
            enqueue { engine throws(JournalError) in engine.handedOver(weight, epoch, result) }
        }
    }

    /// The index entry of a note. A damaged note gets none, and is not found; an audit reports it.
    private func entry(of stored: StoredHead) throws(JournalError) -> SearchIndex.Entry {
        let head = stored.head
        var contents: SearchIndex.Entry.Contents?
        if !head.isDeleted {
            let text = try noteCache.journal.nilIfCorrupt { () throws(JournalError) in try read(stored) } ?? nil
            contents = text.map { SearchIndex.Entry.Contents(name: head.name, text: $0, tags: head.tags) }
            if text == nil {
                logger.warning(
                    "a note is damaged; searches will not find it", metadata: ["event": "read-failed", "note": "\(head.id)"])
            }
        }
        return SearchIndex.Entry(id: head.id, commit: stored.sequence, contents: contents)
    }

    private func read(_ stored: StoredHead) throws(JournalError) -> [UInt8]? {
        if let text = try noteCache.text(of: stored) { return text }
        // The note was written again, and its earlier text was compacted.
        guard let newest = try noteCache.journal.head(of: stored.head.id), newest.sequence > stored.sequence else { return nil }
        return try noteCache.text(of: newest)
    }

    /// Takes in the result of adding a batch.
    private func handedOver(_ weight: Int, _ epoch: UInt64, _ result: Result<Void, SearchFault>) {
        searchCoordinator.bytesInFlight -= weight
        if epoch == searchCoordinator.epoch, case .failure(let fault) = result { foundFault(fault) }
    }

    /// Handles a fault of the index: asks the index for its position or rebuilds it, and then gives
    /// it what follows that position.
    func foundFault(_ fault: SearchFault) {
        searchCoordinator.epoch += 1
        searchCoordinator.indexRebuild.isUnderWay = false
        switch fault {
        case .damaged(let what): damaged(what)
        case .full(let what): giveUp(.storageFull(what))
        case .failed(let what): giveUp(.storageFailed("the search index could not be updated: \(what)"))
        case .outOfStep(let done): refuseWaiting(.searchBehind(done: done, total: noteCache.journal.lastSequence))
        case .query, .cancelled: break
        }
        // The index is given nothing until it has replied.
        searchCoordinator.trouble = searchCoordinator.trouble ?? .overloaded
        rebuildIndex()
    }

    /// Schedules a rebuild of the index, and logs it.
    private func damaged(_ what: String) {
        searchCoordinator.restart(at: 0)
        searchCoordinator.indexRebuild.damaged()
        let pause = searchCoordinator.indexRebuild.pause
        logger.error(
            pause == 0
                ? "the search index is damaged; rebuilding it"
                : "the search index is damaged again soon after a rebuild; the next rebuild is delayed; check the disk",
            metadata: ["event": "index-rebuilt", "error": "\(what)", "pause": "\(pause) s"])
        giveUp(
            pause == 0
                ? .searchBehind(done: 0, total: noteCache.journal.lastSequence)
                : .storageFailed(
                    "the search index is damaged repeatedly; the next rebuild starts after \(pause) seconds"))
    }

    /// Deletes the index and builds it anew, since its file keeps words of texts that it had before.
    func resetIndexAfterPurge() {
        guard searchCoordinator.indexWorker != nil else {
            maintenance.purgeScrub.isIndexReset = true
            return
        }
        searchCoordinator.epoch += 1
        searchCoordinator.indexRebuild.isUnderWay = false
        let behind = RequestFailure.searchBehind(done: 0, total: noteCache.journal.lastSequence)
        searchCoordinator.trouble = behind
        refuseWaiting(behind)
        searchCoordinator.restart(at: 0)
        searchCoordinator.indexRebuild.purged()
        rebuildIndex()
    }

    /// Rebuilds the index if that is needed and due; otherwise asks for its position.
    private func rebuildIndex() {
        let isReset = searchCoordinator.indexRebuild.isNeeded
        guard !isReset || searchCoordinator.indexRebuild.isDue else { return }
        searchCoordinator.indexRebuild.isUnderWay = true
        let epoch = searchCoordinator.epoch
        searchCoordinator.indexWorker?.perform { index throws(SearchFault) in
            if isReset { try index.reset() }
            return index.position?.commit.sequence ?? 0
        } then: { [self] result in
            enqueue { engine throws(JournalError) in try engine.finishRebuild(result, epoch, isReset: isReset) }
        }
    }

    /// Takes in the position of the index, or the result of its rebuild.
    private func finishRebuild(_ result: Result<UInt64, SearchFault>, _ epoch: UInt64, isReset: Bool) throws(JournalError) {
        guard epoch == searchCoordinator.epoch else { return }
        searchCoordinator.indexRebuild.isUnderWay = false
        switch result {
        case .success(let sequence):
            searchCoordinator.restart(at: sequence)
            if isReset { searchCoordinator.indexRebuild.rebuilt() }
            if isReset || searchCoordinator.trouble == .overloaded { searchCoordinator.trouble = nil }
            if isReset { try indexWasReset() }
        case .failure(let fault):
            // The index is closed and contains nothing.
            searchCoordinator.restart(at: 0)
            if searchCoordinator.indexRebuild.failed() {
                logger.error(
                    "the search index cannot be rebuilt; the daemon tries again",
                    metadata: ["event": "index-behind", "error": "\(fault)"])
            }
            giveUp(.storageFailed("the search index cannot be rebuilt yet: \(fault)"))
        }
    }

    /// Advances the timers of the search index.
    func tickSearching(at seconds: UInt64) {
        searchCoordinator.tick(newest: noteCache.journal.lastSequence, seconds: seconds)
        if searchCoordinator.indexRebuild.isDue { rebuildIndex() }
    }

    /// Gives the index nothing until the next tick, and refuses the searches that wait for it.
    private func giveUp(_ failure: RequestFailure) {
        if searchCoordinator.trouble == nil {
            logger.warning(
                "the search index is not up to date", metadata: ["event": "index-behind", "error": "\(failure)"])
        }
        searchCoordinator.trouble = failure
        refuseWaiting(failure)
    }

    private func refuseWaiting(_ failure: RequestFailure) {
        for (_, request, _) in searchCoordinator.waiting {
            searchCoordinator.responses.append((request.dependent, request.requestNumber, .failed(failure)))
        }
        searchCoordinator.waiting = []
        searchCoordinator.oweNothing()
    }

    // MARK: - Searches

    private func startSearch(_ search: SearchCoordinator.IndexQuery, for request: Request, through commit: UInt64) {
        guard let stop = searchCoordinator.underWay[request.dependent]?.stop else { return }
        let epoch = searchCoordinator.epoch
        switch search {
        case .notes(let search):
            searchCoordinator.indexWorker?.perform(until: stop) { index throws(SearchFault) in
                try index.find(
                    search.query, search.kind, limit: search.limit, after: search.after, through: commit, until: { stop.isCancelled })
            } then: { [self] result in
                enqueue { engine throws(JournalError) in
                    try engine.found(result, epoch, for: request) { engine, findings throws(JournalError) in
                        try engine.hits(findings)
                    }
                }
            }
        case .links(let query):
            searchCoordinator.indexWorker?.perform(until: stop) { index throws(SearchFault) in
                try index.links(query, through: commit, until: { stop.isCancelled })
            } then: { [self] result in
                enqueue { engine throws(JournalError) in
                    try engine.found(result, epoch, for: request) { engine, findings throws(JournalError) in
                        try engine.links(findings)
                    }
                }
            }
        }
    }

    /// Takes in the result of a search or of a query about links.
    private func found<Findings>(
        _ result: Result<Findings, SearchFault>, _ epoch: UInt64, for request: Request,
        response respond: (isolated Engine, Findings) throws(JournalError) -> Response
    ) throws(JournalError) {
        guard searchCoordinator.underWay[request.dependent]?.requestNumber == request.requestNumber else { return }
        let response: Response
        switch result {
        case .success(let findings): response = try respond(self, findings)
        case .failure(.query(let fault)): response = .failed(.unsearchable(fault))
        case .failure(.outOfStep(let done)):
            if epoch == searchCoordinator.epoch { foundFault(.outOfStep(done)) }
            response = .failed(.searchBehind(done: done, total: noteCache.journal.lastSequence))
        case .failure(.damaged(let what)):
            if epoch == searchCoordinator.epoch { foundFault(.damaged(what)) }
            response = .failed(.searchBehind(done: 0, total: noteCache.journal.lastSequence))
        // The connection has ended, or the stopping daemon answers all searches.
        case .failure(.cancelled): return
        case .failure(.full(let what)): response = .failed(.storageFull(what))
        case .failure(.failed(let what)): response = .failed(.storageFailed("the search index failed: \(what)"))
        }
        searchCoordinator.responses.append((request.dependent, request.requestNumber, response))
    }

    private func hits(_ findings: SearchFindings) throws(JournalError) -> Response {
        var hits: [SearchHit] = []
        do throws(JournalError) {
            for hit in findings.hits {
                if let head = try head(of: hit.id, asOf: hit.commit) { hits.append(SearchHit(head: head, excerpt: hit.excerpt)) }
            }
        } catch {
            if case .fatal = error { throw error }
            return .failed(RequestFailure(error))
        }
        return .hits(hits, next: findings.next, isTruncated: findings.isTruncated)
    }

    /// The note as it was indexed; nil if it is damaged.
    func head(of id: NoteID, asOf commit: UInt64) throws(JournalError) -> Head? {
        let journal = noteCache.journal
        return try journal.nilIfCorrupt { () throws(JournalError) in
            if let stored = try journal.head(of: id), stored.sequence == commit { return stored.head }
            return try noteCache.past(of: id, asOf: commit)
        } ?? nil
    }

    private func deliverSearchResponses() throws(JournalError) {
        while !searchCoordinator.responses.isEmpty {
            let (dependent, requestNumber, response) = searchCoordinator.responses.removeFirst()
            guard searchCoordinator.underWay[dependent]?.requestNumber == requestNumber else { continue }
            searchCoordinator.underWay[dependent] = nil
            try release(dependent, requestNumber: requestNumber, response)
        }
    }

    /// Sends a response that other requests of its connection wait for. These are executed next.
    func release(_ dependent: DependentID, requestNumber: UInt64, _ response: Response) throws(JournalError) {
        var output = TurnOutput()
        output.respond(response, requestNumber: requestNumber, to: dependent)
        let waiting = queuedBehind.removeValue(forKey: dependent) ?? []
        outputSink.deliver(output.connections)
        takeFollowing(waiting, of: dependent)
    }

    /// Refuses all searches, since the daemon is stopping.
    func endSearches() throws(JournalError) {
        searchCoordinator.waiting = []
        searchCoordinator.oweNothing()
        searchCoordinator.responses = searchCoordinator.underWay.map { ($0.key, $0.value.requestNumber, .failed(.shuttingDown)) }
        try deliverSearchResponses()
    }
}
