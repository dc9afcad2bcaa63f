import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// Takes a search. Returns its answer where it gets one at once: it is refused.
    func takeSearch(_ search: SearchNotes, _ request: Request) throws(JournalError) -> Answer? {
        guard let searcher = searching.searcher else {
            return .failed(.storageFailed("there is no search index; the daemon's log says why"))
        }
        if let trouble = searching.trouble { return .failed(trouble) }
        let newest = library.journal.lastSequence
        do throws(JournalError) {
            guard try owe(newest) else { return .failed(.searchBehind(done: searching.handedOver, total: newest)) }
        } catch {
            if case .fatal = error { throw error }
            return .failed(Failure(error))
        }
        held[request.dependent] = []
        searching.underWay[request.dependent] = Searching.UnderWay(
            ticket: request.ticket, counted: request.counted, stop: SearchStop(within: searcher.ending))
        searching.waiting.append((search, request, newest))
        return nil
    }

    /// Takes down which notes the index is to have before what was asked now is looked for. False where they are too many.
    ///
    /// It is done at this moment, since a note that is written again before it is handed over has no commit up to here that is its newest.
    private func owe(_ newest: UInt64) throws(JournalError) -> Bool {
        let (after, room) = (searching.owedThrough, Searching.tailNotesMax - searching.owed.count)
        guard newest > after else { return true }
        let journal = library.journal
        let changed = try journal.unlessDamaged { () throws(JournalError) in
            try journal.changed(after: after, through: newest, limit: room + 1)
        }
        guard let changed else { throw .failed("what the index lacks cannot be read") }
        guard changed.count <= room else { return false }
        searching.owe(changed, through: newest)
        return true
    }

    /// Gives the index what it should have by now, asks what can be asked, and answers what was found. One bounded step.
    func searchOn(isIdle: Bool) throws(JournalError) {
        guard searching.searcher != nil else { return }
        try look()
        let goal = searching.goal(newest: library.journal.lastSequence, isIdle: isIdle)
        if searching.handedOver < goal, searching.bytesInFlight < Searching.bytesInFlightMax { try handOver(upTo: goal) }
        for (search, request, through) in searching.takeReady() { ask(search, for: request, through: through) }
        try answerSearches()
    }

    private func look() throws(JournalError) {
        do throws(JournalError) { try searching.look(at: library.journal) } catch {
            if case .fatal = error { throw error }
            giveUp(Failure(error))
        }
    }

    // MARK: - Giving

    private func handOver(upTo goal: UInt64) throws(JournalError) {
        do throws(JournalError) {
            guard let (batch, bytes) = try batch(upTo: goal) else {
                return giveUp(.storageFailed("what the index lacks cannot be read"))
            }
            handOver(batch, bytes: bytes)
        } catch {
            if case .fatal = error { throw error }
            // It may pass: a note that is left out now would not be found until it is changed.
            giveUp(Failure(error))
        }
    }

    /// The next notes that the index lacks, and the bytes of their texts; nil where the store says no more which they are.
    private func batch(upTo goal: UInt64) throws(JournalError) -> (batch: SearchIndex.Batch, bytes: Int)? {
        let journal = library.journal
        let after = searching.handedOver
        // What a search waits for is handed over as it was when that was asked.
        let isOwed = !searching.owed.isEmpty
        let goal = isOwed ? searching.owedThrough : goal
        let stored =
            try isOwed
            ? Array(searching.owed.prefix(Searching.batchNotesMax))
            : journal.unlessDamaged { () throws(JournalError) in
                try journal.changed(after: after, through: goal, limit: Searching.batchNotesMax)
            }
        guard let stored else { return nil }
        var entries: [SearchIndex.Entry] = []
        var bytes = 0
        var through = stored.count < Searching.batchNotesMax ? goal : after
        for (index, note) in stored.enumerated() {
            let entry = try entry(of: note)
            entries.append(entry)
            bytes += entry.contents?.text.count ?? 0
            if stored.count == Searching.batchNotesMax { through = note.sequence }
            if bytes >= Searching.batchBytesMax, index < stored.count - 1 {
                through = note.sequence
                break
            }
        }
        let reached = try cursor(Reached(through, newest: journal.lastSequence))
        return (SearchIndex.Batch(after: after, through: reached, entries: entries), bytes)
    }

    private func handOver(_ batch: SearchIndex.Batch, bytes: Int) {
        searching.gave(batch)
        // Something for the rows, so that no number of empty notes is too many.
        let weight = bytes + 256 * batch.entries.count
        searching.bytesInFlight += weight
        let epoch = searching.epoch
        searching.searcher?.perform { index throws(SearchFault) in
            try index.add(batch)
        } then: { [self] result in
            later { engine throws(JournalError) in engine.handedOver(weight, epoch, result) }
        }
    }

    /// What the index is to have of a note. One that is damaged is not found; the audit names it.
    private func entry(of stored: StoredHead) throws(JournalError) -> SearchIndex.Entry {
        let head = stored.head
        var contents: SearchIndex.Entry.Contents?
        if !head.isDeleted {
            let text = try library.journal.unlessDamaged { () throws(JournalError) in try read(stored) } ?? nil
            contents = text.map { SearchIndex.Entry.Contents(name: head.name, text: $0, tags: head.tags) }
            if text == nil {
                logger.warning(
                    "a note is damaged and will not be found", metadata: ["event": "read-failed", "note": "\(head.id)"])
            }
        }
        return SearchIndex.Entry(id: head.id, commit: stored.sequence, contents: contents)
    }

    private func read(_ stored: StoredHead) throws(JournalError) -> [UInt8]? {
        if let text = try library.text(of: stored) { return text }
        // Written again since, and what it was before was thinned out.
        guard let newest = try library.journal.head(of: stored.head.id), newest.sequence > stored.sequence else { return nil }
        return try library.text(of: newest)
    }

    private func handedOver(_ weight: Int, _ epoch: UInt64, _ result: Result<Void, SearchFault>) {
        searching.bytesInFlight -= weight
        if epoch == searching.epoch, case .failure(let fault) = result { met(fault) }
    }

    /// After a fault the index is asked where it stands, or made anew, and given what is after that.
    func met(_ fault: SearchFault) {
        searching.epoch += 1
        searching.mending.isUnderWay = false
        switch fault {
        case .damaged(let what): damaged(what)
        case .full(let what): giveUp(.storageFull(what))
        case .failed(let what): giveUp(.storageFailed("the search index could not be brought up to date: \(what)"))
        case .outOfStep(let done): refuseWaiting(.searchBehind(done: done, total: library.journal.lastSequence))
        case .query, .cancelled: break
        }
        // Until it has said, nothing is given to it.
        searching.trouble = searching.trouble ?? .overloaded
        mendIndex()
    }

    private func damaged(_ what: String) {
        searching.restart(at: 0)
        searching.mending.damaged()
        let pause = searching.mending.pause
        logger.error(
            pause == 0
                ? "the search index is damaged and is made anew"
                : "the search index is damaged again soon after it was made anew, and rests for a while; check the disk",
            metadata: ["event": "index-rebuilt", "error": "\(what)", "pause": "\(pause) s"])
        giveUp(
            pause == 0
                ? .searchBehind(done: 0, total: library.journal.lastSequence)
                : .storageFailed(
                    "the search index is damaged again and again; it is made anew \(pause) seconds after the last time"))
    }

    /// Has the index made anew where it must be, once that is due; asks it otherwise where it stands.
    private func mendIndex() {
        let isReset = searching.mending.isNeeded
        guard !isReset || searching.mending.isDue else { return }
        searching.mending.isUnderWay = true
        let epoch = searching.epoch
        searching.searcher?.perform { index throws(SearchFault) in
            if isReset { try index.reset() }
            return index.position?.commit.sequence ?? 0
        } then: { [self] result in
            later { engine throws(JournalError) in engine.stands(result, epoch, isReset: isReset) }
        }
    }

    private func stands(_ result: Result<UInt64, SearchFault>, _ epoch: UInt64, isReset: Bool) {
        guard epoch == searching.epoch else { return }
        searching.mending.isUnderWay = false
        switch result {
        case .success(let sequence):
            searching.restart(at: sequence)
            if isReset { searching.mending.madeAnew() }
            if isReset || searching.trouble == .overloaded { searching.trouble = nil }
        case .failure(let fault):
            // It is closed, and has nothing.
            searching.restart(at: 0)
            if searching.mending.failed() {
                logger.error(
                    "the search index cannot be made anew, which is tried again",
                    metadata: ["event": "index-behind", "error": "\(fault)"])
            }
            giveUp(.storageFailed("the search index cannot be made anew yet: \(fault)"))
        }
    }

    func tickSearching(at seconds: UInt64) {
        searching.tick(newest: library.journal.lastSequence, seconds: seconds)
        if searching.mending.isDue { mendIndex() }
    }

    /// Nothing is given to the index until the next tick, and nobody waits for it.
    private func giveUp(_ failure: Failure) {
        if searching.trouble == nil {
            logger.warning(
                "the search index is not up to date", metadata: ["event": "index-behind", "error": "\(failure)"])
        }
        searching.trouble = failure
        refuseWaiting(failure)
    }

    private func refuseWaiting(_ failure: Failure) {
        for (_, request, _) in searching.waiting {
            searching.answers.append((request.dependent, request.ticket, .failed(failure)))
        }
        searching.waiting = []
        searching.oweNothing()
    }

    // MARK: - Asking

    private func ask(_ search: SearchNotes, for request: Request, through commit: UInt64) {
        guard let stop = searching.underWay[request.dependent]?.stop else { return }
        let epoch = searching.epoch
        searching.searcher?.perform(until: stop) { index throws(SearchFault) in
            try index.find(search.query, limit: search.limit, after: search.after, through: commit, until: { stop.isAsked })
        } then: { [self] result in
            later { engine throws(JournalError) in try engine.found(result, epoch, for: request) }
        }
    }

    private func found(
        _ result: Result<SearchFindings, SearchFault>, _ epoch: UInt64, for request: Request
    ) throws(JournalError) {
        guard searching.underWay[request.dependent]?.ticket == request.ticket else { return }
        let answer: Answer
        switch result {
        case .success(let findings): answer = try hits(findings)
        case .failure(.query(let fault)): answer = .failed(.unsearchable(fault))
        case .failure(.outOfStep(let done)):
            if epoch == searching.epoch { met(.outOfStep(done)) }
            answer = .failed(.searchBehind(done: done, total: library.journal.lastSequence))
        case .failure(.damaged(let what)):
            if epoch == searching.epoch { met(.damaged(what)) }
            answer = .failed(.searchBehind(done: 0, total: library.journal.lastSequence))
        // Its connection is gone, or the daemon stops and answers all.
        case .failure(.cancelled): return
        case .failure(.full(let what)): answer = .failed(.storageFull(what))
        case .failure(.failed(let what)): answer = .failed(.storageFailed("the search index failed: \(what)"))
        }
        searching.answers.append((request.dependent, request.ticket, answer))
    }

    private func hits(_ findings: SearchFindings) throws(JournalError) -> Answer {
        var hits: [SearchHit] = []
        do throws(JournalError) {
            for hit in findings.hits {
                if let head = try head(of: hit) { hits.append(SearchHit(head: head, excerpt: hit.excerpt)) }
            }
        } catch {
            if case .fatal = error { throw error }
            return .failed(Failure(error))
        }
        return .hits(hits, next: findings.next, isTruncated: findings.isTruncated)
    }

    /// The note as it was when it was taken in; nil where it is damaged.
    private func head(of hit: SearchFindings.Hit) throws(JournalError) -> Head? {
        let journal = library.journal
        return try journal.unlessDamaged { () throws(JournalError) in
            if let stored = try journal.head(of: hit.id), stored.sequence == hit.commit { return stored.head }
            return try library.past(of: hit.id, asOf: hit.commit)
        } ?? nil
    }

    private func answerSearches() throws(JournalError) {
        while !searching.answers.isEmpty {
            let (dependent, ticket, answer) = searching.answers.removeFirst()
            guard searching.underWay[dependent]?.ticket == ticket else { continue }
            searching.underWay[dependent] = nil
            try release(dependent, ticket: ticket, answer)
        }
    }

    /// Answers what a connection's other requests wait behind, and takes those.
    func release(_ dependent: DependentID, ticket: UInt64, _ answer: Answer) throws(JournalError) {
        var mail = Mail()
        mail.answer(answer, ticket: ticket, to: dependent)
        let waiting = held.removeValue(forKey: dependent) ?? []
        courier.deliver(mail.parcels)
        if !waiting.isEmpty { try takeHeld(waiting) }
    }

    /// The daemon stops: who waits for the index waits no more.
    func endSearches() throws(JournalError) {
        searching.waiting = []
        searching.oweNothing()
        searching.answers = searching.underWay.map { ($0.key, $0.value.ticket, .failed(.shuttingDown)) }
        try answerSearches()
    }

    // MARK: - Auditing

    /// Has the index looked through, and answers an audit with what was found there too.
    func checkIndex(for audit: Audit) throws(JournalError) {
        let (dependent, ticket) = (audit.dependent, audit.ticket)
        guard let searcher = searching.searcher else {
            log(audit.finished)
            return try release(dependent, ticket: ticket, .audited(audit.finished))
        }
        let report = audit.finished
        let stop = SearchStop(within: searcher.ending)
        searching.underWay[dependent] = Searching.UnderWay(ticket: ticket, counted: nil, stop: stop)
        searcher.perform(until: stop) { index throws(SearchFault) in
            try index.check(until: { stop.isAsked })
        } then: { [self] result in
            later { engine throws(JournalError) in engine.checked(result, report, for: dependent, ticket: ticket) }
        }
    }

    private func checked(
        _ result: Result<[String], SearchFault>, _ report: AuditReport, for dependent: DependentID, ticket: UInt64
    ) {
        var report = report
        switch result {
        case .success(let findings):
            report.findings += findings.map {
                AuditFinding(note: nil, dot: nil, what: "the search index is made anew, since it was damaged: \($0)")
            }
            if let first = findings.first { met(.damaged(first)) }
        case .failure(.cancelled): return
        case .failure(let fault):
            let what = "the search index cannot be looked through: \(fault)"
            report.findings.append(AuditFinding(note: nil, dot: nil, what: what))
        }
        log(report)
        searching.answers.append((dependent, ticket, .audited(report)))
    }

    // MARK: - Helpers

    /// Has something done in one of the next turns. Not at all where the engine has ended.
    private nonisolated func later(_ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Void) {
        submit([.errand(Errand(body) { _ in })])
    }
}
