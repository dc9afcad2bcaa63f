import Causality
import Dependents
package import Logging
package import NotesModel
package import NotesSearch
package import NotesStore

/// The single writer of the store. Each turn takes waiting inputs, applies the commands to a
/// working copy, makes the whole batch durable in one append, and only then updates the cache,
/// sends the responses and notifies the dependents. So nothing is visible before it is durable.
///
/// The engine runs on a separate thread, without an `await` between reading the model and
/// committing. Any thread adds inputs with `submit`; output leaves through the `OutputSink`.
///
/// If a commit fails and changed nothing, its requests get an error. If the outcome of a commit is
/// unknown, they get no response: the output sink closes the connections and the daemon exits.
package actor Engine {
    private nonisolated let thread = SerialQueueExecutor(label: "notesd.engine")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The identity of the store, for `session.hello`.
    package nonisolated let identity: StoreIdentity
    private nonisolated let mailbox = Mailbox()

    let configuration: EngineConfiguration
    let metrics: EngineMetrics
    let outputSink: any OutputSink
    let logger: Logger
    let now: @Sendable () -> Timestamp
    let startedAt: Timestamp
    var positions: CommitPositions

    var noteCache: NoteCache
    var dependents: Dependents
    /// The counter of the newest dot that this run created.
    var counter: UInt64 = 0
    var state = Status.StoreState.ok
    var outgoing: Outgoing
    var exchange = Exchange()
    var maintenance: Maintenance
    var searchCoordinator: SearchCoordinator
    var files: Files
    private var requestQueue = FairRequestQueue()
    /// For each connection, the requests that wait for a long one.
    var queuedBehind: [DependentID: [Request]] = [:]
    /// The thread for long walks, and the requests that wait for it.
    nonisolated let walkWorker = WalkWorker()
    var longReads = LongReads() {
        didSet { noteCache.loading = longReads.notes }
    }
    /// Set when the engine stops: it executes only the inputs that it has taken.
    var isEnding = false
    /// Set when the store failed with an unknown outcome: all further inputs are ignored.
    private var hasFailed = false
    /// Set once the journal is closed. A thread that added inputs before the end may still wake the
    /// engine; those inputs were executed.
    private var isOver = false

    package init(
        journal: sending any Journal, index: sending SearchIndex? = nil, files: sending FileFolder? = nil,
        configuration: EngineConfiguration,
        outputSink: any OutputSink, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        identity = journal.identity
        positions = CommitPositions(identity: journal.identity, atStart: journal.lastSequence)
        // A change batch fits into the output of a connection.
        var limits = configuration.dependents
        limits.changeBatchNotesMax = configuration.outputNotificationsMax
        limits.changeBatchBytesMax = configuration.outputBytesMax
        dependents = Dependents(limits: limits, newest: journal.lastSequence)
        outgoing = Outgoing(renderedBytesMax: 4 * configuration.outputBytesMax)
        searchCoordinator = SearchCoordinator(index, of: journal, logger: logger)
        noteCache = NoteCache(
            journal: journal, cacheBytesMax: configuration.cacheBytesMax,
            shortWalkRevisionsMax: configuration.shortWalkRevisionsMax)
        self.files = Files(files, configuration.files)
        self.configuration = configuration
        maintenance = Maintenance(history: configuration.history)
        metrics = EngineMetrics(configuration.metering)
        self.outputSink = outputSink
        self.logger = logger
        self.now = now
        startedAt = now()
    }

    /// Adds inputs, which are taken in this order. Returns false once the engine accepts no more.
    ///
    /// If the engine is idle and the inputs contain at most one short request, the request is
    /// executed on the caller's thread before this returns. Why: the caller has no other client to
    /// serve at that moment, and waking two threads would take most of the time of such a request.
    @discardableResult
    package nonisolated func submit(_ inputs: [Input]) -> Bool {
        guard let mustWake = mailbox.put(inputs) else { return false }
        guard mustWake else { return true }
        if Self.canRunOnCallersThread(inputs) {
            thread.runHere { self.assumeIsolated { $0.runOnce() } }
        } else {
            wake()
        }
        return true
    }

    /// Enqueues a job in order with the inputs of connections, and does not wait for it. It is dropped
    /// if the engine has ended.
    nonisolated func enqueue(_ body: @escaping @Sendable (isolated Engine) throws(JournalError) -> Void) {
        submit([.errand(Errand(body, completion: { _ in }))])
    }

    /// Makes the engine run on its own thread.
    nonisolated func wake() {
        thread.run { self.assumeIsolated { $0.run() } }
    }

    /// Whether inputs are few and short enough to execute on the caller's thread.
    private static func canRunOnCallersThread(_ inputs: [Input]) -> Bool {
        guard inputs.count <= inlineInputsMax else { return false }
        var requests = 0
        for input in inputs {
            switch input {
            case .request(let request):
                guard !request.body.isLong else { return false }
                requests += 1
            case .drained, .lagging, .broadcastWritten, .released: break
            case .tick, .errand: return false
            }
        }
        return requests <= 1
    }

    /// One request, and a few reports about notifications.
    private static let inlineInputsMax = 4

    /// Accepts no more inputs, executes those taken, and closes the journal.
    package func finish() {
        guard !isOver else { return }
        mailbox.close()
        // The next run continues compaction.
        maintenance.compaction = nil
        do throws(JournalError) {
            if !hasFailed { try recordFeeds() }
        } catch {
            fail(error)
        }
        isEnding = true
        maintenance.backup?.end(.cancelled)
        run()
        maintenance.backup?.end(.cancelled)
        searchCoordinator.indexWorker?.finish()
        files.worker?.finish()
        maintenance.backup?.wait()
        isOver = true
        guard !hasFailed else { return }
        do {
            try noteCache.journal.close()
        } catch {
            fail(error)
        }
    }

    /// Runs one turn. The rest of the work is left to the engine's own thread.
    private func runOnce() {
        guard !isOver else { return }
        requestQueue.append(mailbox.takeAll())
        do throws(JournalError) {
            if !hasFailed, !requestQueue.isEmpty { try nextTurn() }
        } catch {
            fail(error)
        }
        let isDone =
            requestQueue.isEmpty && outgoing.unsynced.isEmpty && !exchange.feeds.hasWork(newest: noteCache.journal.lastSequence)
            && outgoing.broadcasts.isEmpty && !canAudit
            && (maintenance.compaction == nil || !maintenance.audits.isEmpty) && exchange.releasing.isDone && !longReads.hasWork
            && noteCache.journal.isMaintained && !searchCoordinator.hasWork(newest: noteCache.journal.lastSequence, isIdle: true)
        if hasFailed || !isDone || !mailbox.sleeps() { wake() }
    }

    /// Runs a turn with the next inputs of the queue.
    private func nextTurn() throws(JournalError) {
        try turn(requestQueue.next(weightMax: configuration.turnWeightMax, ofOneMax: configuration.turnRequestsOfOneMax))
    }

    /// Runs turns and background work until there is nothing to do.
    private func run() {
        guard !isOver else { return }
        while true {
            requestQueue.append(mailbox.takeAll())
            if hasFailed { requestQueue.removeAll() }
            let isIdle = requestQueue.isEmpty
            do throws(JournalError) {
                if !isIdle { try nextTurn() }
                if !hasFailed { try deliverBackupResponses() }
                if !hasFailed { try deliverFileResponses() }
                if !hasFailed { try readOn() }
                if isEnding, isIdle, !hasFailed {
                    try endSearches()
                    try endLongReads()
                    try endAudits()
                }
                if !hasFailed { try searchOn(isIdle: isIdle && !isEnding) }
                if canAudit, !isEnding, !hasFailed {
                    try audit()
                    if isIdle { _ = try deliverRest() }
                } else if maintenance.compaction != nil, maintenance.audits.isEmpty, !hasFailed {
                    // Not during an audit, which reads a note in several steps.
                    try compact()
                    if isIdle { _ = try deliverRest() }
                } else if isIdle, !hasFailed {
                    let isReleased = try releaseSome()
                    let isDelivered = try deliverRest()
                    let isMaintained = try !noteCache.journal.maintain()
                    let isIndexed = isEnding || !searchCoordinator.hasWork(newest: noteCache.journal.lastSequence, isIdle: true)
                    let isDone = isDelivered && isReleased && isMaintained && isIndexed && !longReads.hasWork
                    if isDone, requestQueue.isEmpty, mailbox.sleeps() { return }
                }
            } catch {
                fail(error)
            }
            if isIdle, hasFailed, mailbox.sleeps() { return }
        }
    }

    /// One turn: commits the writes together, and answers reads of connections that have no earlier
    /// write in the turn. A connection's inputs after its write wait for the next turn. So a turn
    /// waits for the disk once, whatever the connections send.
    private func turn(_ inputs: [Input]) throws(JournalError) {
        var output = TurnOutput(capacity: inputs.count)
        var plan = TurnPlan(revisionsReadMax: noteCache.revisionsRead + configuration.turnRevisionsMax, capacity: inputs.count)
        for input in inputs { try take(input, in: &plan) }
        try finish(&plan, into: &output)
        try deliverBroadcasts(behind: &output)
        requestQueue.putBack(plan.deferred)
        // A response does not wait until many dependents are notified.
        if outgoing.unsynced.count > Self.fewDependents, !output.isEmpty {
            outputSink.deliver(output.connections)
            output = TurnOutput()
        }
        try deliver(into: &output)
        outputSink.deliver(output.connections)
    }

    /// The number of dependents that is notified without noticeable delay.
    private static let fewDependents = 16

    /// Executes a request in a turn of its own.
    func takeAlone(_ request: Request) throws(JournalError) {
        try turn([.request(request)])
    }

    /// Puts inputs at the front of the queue.
    func putBack(_ inputs: [Input]) {
        requestQueue.putBack(inputs)
    }

    /// Sends lines to the dependents that earlier turns left unsynced. Returns whether all are
    /// synced.
    private func deliverRest() throws(JournalError) -> Bool {
        var output = TurnOutput()
        try deliverBroadcasts(behind: &output)
        try deliver(into: &output)
        if !output.isEmpty { outputSink.deliver(output.connections) }
        return outgoing.unsynced.isEmpty && !exchange.feeds.hasWork(newest: noteCache.journal.lastSequence)
    }

    /// Stops the engine after an error whose outcome is unknown.
    private func fail(_ error: JournalError) {
        guard !hasFailed else { return }
        hasFailed = true
        mailbox.close()
        logger.critical(
            "the store failed; the outcome of the last writes is unknown, so the daemon exits",
            metadata: ["event": "store-failed", "error": "\(error)"])
        outputSink.engineFailed(error.message)
    }
}
