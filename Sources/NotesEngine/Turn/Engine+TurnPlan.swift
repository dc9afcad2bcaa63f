import Causality
import Dependents
import Logging
import NotesMethods
import NotesModel
import NotesStore

/// The inputs that one commit can serve: the writes at the front of each connection's inputs, and
/// the reads before the first of them.
///
/// A read after a write of the same connection waits for the commit, and so does everything after
/// it. A write whose operation name this turn already uses waits for the outcome of the earlier
/// write.
///
/// Example: connection 1 sends read, write, read, and connection 2 sends a write. The turn answers
/// the first read and commits both writes; the last read waits for the next turn.
struct TurnPlan {
    /// A place in the order of responses. The place of a write is filled once its batch is durable.
    fileprivate enum Slot {
        case response(Response, requestNumber: UInt64, to: DependentID)
        case write(Int)
    }

    fileprivate var slots: [Slot] = []
    fileprivate var writes: [PendingWrite] = []
    /// The connections with a write in this turn.
    fileprivate var writing: Set<DependentID> = []
    /// The connections with a deferred request.
    fileprivate var blocked: Set<DependentID> = []
    /// The operation names that this turn uses.
    fileprivate var operations: Set<OperationKey> = []
    /// Inputs for a later turn.
    fileprivate(set) var deferred: [Input] = []
    /// Presence that connections published without expecting a response, oldest first.
    fileprivate var pendingPresence: [DependentID: [SetPresence]] = [:]
    /// Whether the turn took in revisions of a peer. It does so once, so that others do not wait.
    fileprivate var hasAdopted = false
    /// `NoteCache.revisionsRead` at which reads of old versions wait for the next turn.
    fileprivate let revisionsReadMax: Int

    /// - Parameter capacity: the expected number of inputs.
    init(revisionsReadMax: Int, capacity: Int) {
        self.revisionsReadMax = revisionsReadMax
        slots.reserveCapacity(capacity)
        writes.reserveCapacity(capacity)
        writing.reserveCapacity(capacity)
    }
}

extension Engine {
    /// Takes one input: executes it, adds it to the turn, or defers it.
    func take(_ input: Input, in plan: inout TurnPlan) throws(JournalError) {
        switch input {
        case .tick(let seconds):
            outgoing.unsynced.formUnion(dependents.tick(now: UInt64(clamping: seconds)))
            try recordFeeds(at: UInt64(clamping: seconds))
            beginCompaction(at: UInt64(clamping: seconds))
            tickSearching(at: UInt64(clamping: seconds))
            try sweepFiles(at: UInt64(clamping: seconds))
            try scrub()
        case .drained(let dependent): drained(dependent)
        case .lagging(let dependent): dependents.fellBehind(dependent)
        case .broadcastWritten(let weight): changeBroadcastsWeight(by: -weight)
        case .released(let dependent):
            if longReads.endsAfterWrites(dependent, queuedBehind[dependent] ?? []) { return }
            queuedBehind[dependent] = nil
            plan.pendingPresence[dependent] = nil
            endAudits(of: dependent)
            searchCoordinator.forget(dependent)
            longReads.forget(dependent)
            if maintenance.backup?.dependent == dependent { maintenance.backup?.end(.cancelled) }
            // The release follows the connection's writes, which may wait for another turn.
            guard !plan.blocked.contains(dependent), !plan.writing.contains(dependent) else {
                return plan.deferred.append(input)
            }
            exchange.feeds.partlyAdopted[dependent] = nil
            try endFeed(of: dependent)
            dependents.release(dependent)
            outgoing.unsynced.remove(dependent)
        case .request(let request):
            try take(request, in: &plan)
        case .errand(let errand):
            try errand.run(on: self)
        }
    }

    private func take(_ request: Request, in plan: inout TurnPlan) throws(JournalError) {
        let dependent = request.dependent
        // Responses are in the order of the requests, so requests wait for an earlier long one.
        if queuedBehind[dependent] != nil {
            queuedBehind[dependent]?.append(request)
            return
        }
        if case .call(.write(let command)) = request.body {
            guard !plan.blocked.contains(dependent) else { return plan.hold(request) }
            // Nil if the connection was cut short and is being closed: none of its requests are
            // executed.
            guard let registration = dependents.registration(of: dependent) else { return }
            let write = PendingWrite(request, command, by: registration)
            if let key = write.operation, !plan.operations.insert(key).inserted { return plan.hold(request) }
            plan.writing.insert(dependent)
            plan.slots.append(.write(plan.writes.count))
            plan.writes.append(write)
            return
        }
        guard !plan.writing.contains(dependent), !plan.blocked.contains(dependent) else { return plan.hold(request) }
        if case .call(.setPresence(let set)) = request.body, set.isQuiet {
            plan.pendingPresence[dependent, default: []].append(set)
            plan.slots.append(.response(.presenceSet, requestNumber: request.requestNumber, to: dependent))
            return
        }
        if let update = plan.pendingPresence.removeValue(forKey: dependent) {
            try applyUnansweredPresence(update, of: dependent)
            if queuedBehind[dependent] != nil {
                queuedBehind[dependent]?.append(request)
                return
            }
        }
        if case .call(.knownRevisions) = request.body, try !isReleased(in: &plan) { return plan.hold(request) }
        if request.body.usesDots, try !findDots() { return plan.hold(request) }
        if case .adopt = request.body {
            guard !plan.hasAdopted else { return plan.hold(request) }
            plan.hasAdopted = true
        }
        if request.body.readsOldVersion, noteCache.revisionsRead >= plan.revisionsReadMax { return plan.hold(request) }
        let response = try answer(request)
        if let rest = exchange.feeds.rest {
            exchange.feeds.rest = nil
            return plan.hold(rest)
        }
        guard let response else { return }
        plan.slots.append(.response(response, requestNumber: request.requestNumber, to: dependent))
    }

    /// Takes a step towards a store in which no revision waits in vain, since a peer takes the answer for what the
    /// store has. Returns whether none does.
    private func isReleased(in plan: inout TurnPlan) throws(JournalError) -> Bool {
        guard !plan.hasAdopted else { return exchange.releasing.isAllDone || exchange.releasing.isStuck }
        plan.hasAdopted = !exchange.releasing.isAllDone && !exchange.releasing.isStuck
        return try releaseSome()
    }

    /// Commits the turn's writes and adds the responses. Writes that exceed the turn's limit are
    /// deferred and come first in the next turn.
    func finish(_ plan: inout TurnPlan, into output: inout TurnOutput) throws(JournalError) {
        for (dependent, update) in plan.pendingPresence { try applyUnansweredPresence(update, of: dependent) }
        let results = try carryOut(plan.writes)
        metrics.wrote(results.lazy.compactMap(\.response))
        var following: [Input] = []
        for place in plan.slots {
            switch place {
            case .response(let response, let requestNumber, let dependent):
                output.respond(response, requestNumber: requestNumber, to: dependent)
            case .write(let index) where index < results.count:
                let request = plan.writes[index].request
                switch results[index] {
                case .answered(let response):
                    output.respond(response, requestNumber: request.requestNumber, to: request.dependent)
                case .waits(for: let load):
                    guard let refusal = hold(request, for: load) else { break }
                    output.respond(refusal, requestNumber: request.requestNumber, to: request.dependent)
                case .held: break
                case .follows:
                    if queuedBehind[request.dependent]?.append(request) == nil { following.append(.request(request)) }
                }
            case .write: break
            }
        }
        if results.count < plan.writes.count { plan.putOff(after: results.count) }
        plan.deferred.insert(contentsOf: following, at: 0)
    }

    /// Makes a write wait for a load of its note, or for the presence of its connection that waits
    /// already.
    ///
    /// - Returns: the response if the write is refused.
    private func hold(_ request: Request, for load: NoteLoad) -> Response? {
        guard queuedBehind[request.dependent]?.append(request) == nil else { return nil }
        return postpone(.request(request), for: .load(load))
    }

    /// The results of the writes, or of the first of them if the others are deferred.
    ///
    /// - Throws: only errors after which the outcome is unknown.
    private func carryOut(_ writes: [PendingWrite]) throws(JournalError) -> [WriteResult] {
        guard !writes.isEmpty else { return [] }
        do {
            return try commit(writes)
        } catch {
            if case .fatal = error { throw error }
            let failure = RequestFailure(error)
            // A full store was logged when it became full.
            if state != .full {
                logger.error(
                    "a commit failed and changed nothing",
                    metadata: ["event": "commit-failed", "error": "\(error)", "writes": "\(writes.count)"])
            }
            guard writes.count > 1, state != .readOnly else { return writes.map { _ in .answered(.failed(failure)) } }
            // Each write is tried alone once, so that one that is too large does not fail the small
            // ones.
            var results: [WriteResult] = []
            var waiting: Set<DependentID> = []
            for write in writes {
                guard !waiting.contains(write.dependent) else {
                    results.append(.follows)
                    continue
                }
                let result = try carryOut([write])
                if case .waits? = result.first { waiting.insert(write.dependent) }
                results += result
            }
            return results
        }
    }

    /// Commits the writes. Returns their results: those of the first of them, if all would exceed
    /// the turn's limit.
    private func commit(_ writes: [PendingWrite]) throws(JournalError) -> [WriteResult] {
        var batch = WriteBatch(
            limits: configuration.model, shortUndoRevisionsMax: configuration.shortWalkRevisionsMax,
            after: noteCache.journal.lastSequence, counter: counter, capacity: writes.count)
        let time = now()
        var executed: [PendingWrite] = []
        executed.reserveCapacity(writes.count)
        var results: [WriteResult?] = []
        results.reserveCapacity(writes.count)
        var waiting: Set<DependentID> = []
        for write in writes where batch.textBytes < configuration.turnTextBytesMax && batch.purged == nil {
            guard !waiting.contains(write.dependent) else {
                results.append(.follows)
                continue
            }
            switch try batch.add(write, replica: identity.replica, at: time, from: &noteCache, files: files) {
            case .ready:
                executed.append(write)
                results.append(nil)
            case .long(let load):
                waiting.insert(write.dependent)
                results.append(.waits(for: load))
            }
        }
        func complete() throws(JournalError) -> [WriteResult] {
            var responses = try detailed(batch.responses, to: executed)[...]
            return results.map { $0 ?? responses.removeFirst() }
        }
        noteCache.handBack(batch.untouched)
        guard !batch.entries.isEmpty else { return try complete() }
        try append(batch.entries)
        counter = batch.counter
        if batch.changes.contains(where: { !$0.after.conflicts.isEmpty }) {
            for case .commit(let commit, _) in batch.entries { noteCache.carryOver(commit) }
        }
        // A later write of the batch made the batch's copy of this note stale, so the copy is not
        // handed back, and a copy that was read meanwhile is older.
        for id in batch.stale { noteCache.forget(id) }
        for note in batch.changed { noteCache.insert(note, isWatched: dependents.hasWatches) }
        if let long = batch.long, let note = batch.changed.first { noteCache.keepSides(of: long, in: note) }
        if let purged = batch.purged { forgetBelow(purgeOf: purged) }
        // A connection whose response waits receives no line of this commit before the response.
        let completed = try complete()
        deliver(batch.changes)
        return completed
    }

    /// Makes entries durable, and sets the state that `daemon.status` reports by the outcome.
    func append(_ entries: [JournalEntry]) throws(JournalError) {
        do {
            try metrics.appending(entries) { () throws(JournalError) in try noteCache.journal.append(entries) }
            setStoreState(.ok)
        } catch {
            switch error {
            case .full:
                setStoreState(.full)
                maintenance.backup?.end(.roomNeeded)
            case .readOnly: setStoreState(.readOnly)
            case .failed, .fatal: break
            }
            throw error
        }
    }

    /// Logs a change of the store's state.
    private func setStoreState(_ state: Status.StoreState) {
        guard state != self.state else { return }
        self.state = state
        switch state {
        case .ok: logger.notice("the store accepts writes again", metadata: ["event": "store-writable"])
        case .full:
            logger.error(
                "no space is left for the store: writes are refused, reads continue; writes resume once there is space",
                metadata: ["event": "store-full"])
        case .readOnly:
            logger.error("the store is read-only: writes are refused, reads continue", metadata: ["event": "store-full"])
        }
    }
}

extension TurnPlan {
    /// Defers the writes from `count` on. Connections without an executed write come first: a
    /// connection that writes long notes delays another by one of its writes, not by all of them.
    fileprivate mutating func putOff(after count: Int) {
        let served = Set(writes[..<count].map(\.dependent))
        func isServed(_ input: Input) -> Bool { input.dependent.map(served.contains) ?? false }
        let rest = writes[count...].map { Input.request($0.request) } + deferred
        deferred = rest.filter { !isServed($0) } + rest.filter(isServed)
    }

    /// Defers a request and everything that follows it on its connection.
    fileprivate mutating func hold(_ request: Request) {
        blocked.insert(request.dependent)
        deferred.append(.request(request))
    }
}

extension Request.Body {
    /// Whether the request needs the dots of all revisions.
    fileprivate var usesDots: Bool {
        switch self {
        case .call(.knownRevisions), .call(.watchRevisions), .call(.completeRevisions), .call(.listPeers): true
        case .adopt(let offer): !offer.beginnings.isEmpty
        default: false
        }
    }

    /// Whether the request reads given versions of a note.
    fileprivate var readsOldVersion: Bool {
        if case .call(.get(let get)) = self { get.at != nil || get.from != nil } else { false }
    }
}

extension Input {
    /// The connection whose order the input belongs to; nil for none.
    fileprivate var dependent: DependentID? {
        switch self {
        case .request(let request): request.dependent
        case .released(let dependent), .drained(let dependent), .lagging(let dependent): dependent
        case .broadcastWritten, .errand, .tick: nil
        }
    }
}
