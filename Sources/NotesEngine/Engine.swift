import Causality
import Dependents
package import Logging
package import NotesModel
package import NotesStore

/// The single writer. It takes what waits, applies each command to a working copy, makes the whole batch durable in one
/// append, and only then adopts, answers and tells: nothing is visible before it is durable, and nobody is told before it is
/// visible.
///
/// It runs on a thread of its own, without an `await` between reading the model and committing. Work comes in through `submit`
/// from any thread and leaves through the `OutputSink`.
///
/// A commit that fails and changed nothing is answered as such. One whose outcome is unclear is not answered at all: the courier
/// closes the connections and the daemon ends.
package actor Engine {
    private nonisolated let thread = EngineThread(label: "notesd.engine")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Who the store is, for `session.hello`.
    package nonisolated let identity: StoreIdentity
    private nonisolated let mailbox = Mailbox()

    let configuration: EngineConfiguration
    /// What of old texts is kept.
    var history: HistoryPolicy
    let metrics: EngineMetrics
    let outputSink: any OutputSink
    let logger: Logger
    let now: @Sendable () -> Timestamp
    let startedAt: Timestamp
    /// The newest commit when this run began: older ones were made by other runs.
    let sequenceAtStart: UInt64
    /// The name of that commit, which the cursors of all who catch up have until something is committed; nil until it is asked for.
    var positionAtStart: CommitPosition?

    var noteCache: NoteCache
    /// What dependents were told alike last.
    var renderedChanges: GenerationCache<RenderedChangesKey, RenderedChanges>
    var dependents: Dependents
    /// The newest dot that this run minted.
    var counter: UInt64 = 0
    var state = Status.StoreState.ok
    var releasing = Releasing()
    /// What was committed and is told to many at once.
    var broadcasts: [Broadcast] = []
    /// Dependents that may have something to be told.
    var unsynced: Set<DependentID> = []
    /// Those of them who wait for something to be read, longest first.
    var awaitingRead: [DependentID] = []
    private var requestQueue = FairRequestQueue()
    /// Those under way, and the requests that wait behind one, by connection.
    var audits: [Audit] = []
    var queuedBehind: [DependentID: [Request]] = [:]
    var searchCoordinator: SearchCoordinator
    /// The one under way.
    var backup: BackupJob?
    /// Backups that have ended and are not answered yet.
    var endedBackups: [(run: BackupJob, answer: Response)] = []
    /// The pass under way that thins out old texts, and when the last one began, in the ticks' seconds.
    var compaction: CompactionPass?
    var compactedAt: UInt64?
    /// Set where no more than what was taken is to be carried out.
    var isEnding = false
    /// Set where nothing can be promised any more: whatever comes is left.
    private var hasFailed = false
    /// Set once the journal is closed. Who put something in before the end may wake the engine after it, when all of that was carried out.
    private var isOver = false

    package init(
        journal: sending any Journal, index: sending SearchIndex? = nil, configuration: EngineConfiguration,
        outputSink: any OutputSink, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        identity = journal.identity
        sequenceAtStart = journal.lastSequence
        // A bulletin goes into one parcel.
        var limits = configuration.dependents
        limits.changeBatchNotesMax = configuration.parcelNotificationsMax
        limits.changeBatchBytesMax = configuration.parcelBytesMax
        dependents = Dependents(limits: limits, newest: journal.lastSequence)
        renderedChanges = GenerationCache(bytesMax: 4 * configuration.parcelBytesMax) { $0.weight }
        searchCoordinator = SearchCoordinator(index, of: journal, logger: logger)
        noteCache = NoteCache(journal: journal, cacheBytesMax: configuration.cacheBytesMax)
        self.configuration = configuration
        history = configuration.history
        metrics = EngineMetrics(configuration.metering)
        self.outputSink = outputSink
        self.logger = logger
        self.now = now
        startedAt = now()
    }

    /// Hands over inputs, to be taken in this order. Returns false once the engine has stopped taking any.
    ///
    /// Where the engine has nothing else to do and these are one request, it is carried out before this returns, on the caller's
    /// thread: the caller has nobody else to serve either, and two threads to wake are what such a request would mostly wait for.
    @discardableResult
    package nonisolated func submit(_ inputs: [Input]) -> Bool {
        guard let mustWake = mailbox.put(inputs) else { return false }
        guard mustWake else { return true }
        if Self.areSlight(inputs) {
            thread.runHere { self.assumeIsolated { $0.runOnce() } }
        } else {
            wake()
        }
        return true
    }

    nonisolated func wake() {
        thread.run { self.assumeIsolated { $0.run() } }
    }

    private static func areSlight(_ inputs: [Input]) -> Bool {
        guard inputs.count <= slightInputsMax else { return false }
        var requests = 0
        var drained = 0
        for input in inputs {
            switch input {
            case .request(let request):
                switch request.body {
                case .audit, .backup, .search: return false
                default: break
                }
                requests += 1
            case .drained, .released: break
            case .allDrained(let dependents): drained += dependents.count
            case .tick, .errand: return false
            }
        }
        return requests <= 1 && drained <= slightInputsMax
    }

    /// One request, and what its connection and a few others that were told had to say.
    private static let slightInputsMax = 4

    /// Takes nothing more, carries out what was taken, and closes the journal.
    package func finish() {
        guard !isOver else { return }
        mailbox.close()
        // Nobody waits for the end of an audit any more, and what is not thinned out now will be another time.
        audits = []
        compaction = nil
        isEnding = true
        backup?.end(.cancelled)
        run()
        backup?.end(.cancelled)
        searchCoordinator.indexWorker?.finish()
        backup?.wait()
        isOver = true
        guard !hasFailed else { return }
        do {
            try noteCache.journal.close()
        } catch {
            fail(error)
        }
    }

    /// One turn. What else there may be to do is done on the engine's own thread.
    private func runOnce() {
        guard !isOver else { return }
        requestQueue.append(mailbox.takeAll())
        do throws(JournalError) {
            if !hasFailed, !requestQueue.isEmpty { try nextTurn() }
        } catch {
            fail(error)
        }
        let isDone =
            requestQueue.isEmpty && unsynced.isEmpty && broadcasts.isEmpty && audits.isEmpty && compaction == nil && releasing.isDone
            && noteCache.journal.isMaintained && !searchCoordinator.hasWork(newest: noteCache.journal.lastSequence, isIdle: true)
        if hasFailed || !isDone || !mailbox.sleeps() { wake() }
    }

    private func nextTurn() throws(JournalError) {
        try turn(requestQueue.next(requestsMax: configuration.turnRequestsMax, ofOneMax: configuration.turnRequestsOfOneMax))
    }

    private func run() {
        guard !isOver else { return }
        while true {
            requestQueue.append(mailbox.takeAll())
            if hasFailed { requestQueue.removeAll() }
            let isIdle = requestQueue.isEmpty
            do throws(JournalError) {
                if !isIdle { try nextTurn() }
                if !hasFailed { try answerBackups() }
                if isEnding, isIdle, !hasFailed { try endSearches() }
                if !hasFailed { try searchOn(isIdle: isIdle && !isEnding) }
                if !audits.isEmpty, !hasFailed {
                    try audit()
                    if isIdle { _ = try deliverRest() }
                } else if compaction != nil, !hasFailed {
                    // Not beside an audit, which reads a note in several steps.
                    try compact()
                    if isIdle { _ = try deliverRest() }
                } else if isIdle, !hasFailed {
                    let isReleased = try releaseSome()
                    let isDelivered = try deliverRest()
                    let isMaintained = try !noteCache.journal.maintain()
                    let isIndexed = isEnding || !searchCoordinator.hasWork(newest: noteCache.journal.lastSequence, isIdle: true)
                    if isDelivered, isReleased, isMaintained, isIndexed, mailbox.sleeps() { return }
                }
            } catch {
                fail(error)
            }
            if isIdle, hasFailed, mailbox.sleeps() { return }
        }
    }

    /// One turn: writes together in one commit, and reads of those who have no write before them in it. The rest of each connection
    /// behind its write waits for the next, so that a turn waits for the disk once, whatever a connection sends.
    private func turn(_ inputs: [Input]) throws(JournalError) {
        var mail = Mail()
        var round = Round()
        for input in inputs { try take(input, in: &round) }
        try finish(&round, into: &mail)
        try deliverBroadcasts(behind: &mail)
        requestQueue.putBack(round.deferred)
        // Who waits for an answer does not wait until everybody was told.
        if unsynced.count > Self.fewDependents, !mail.isEmpty {
            outputSink.deliver(mail.parcels)
            mail = Mail()
        }
        try deliver(into: &mail)
        outputSink.deliver(mail.parcels)
    }

    /// So many are told in no time.
    private static let fewDependents = 16

    /// Requests that waited behind an audit.
    func takeQueued(_ requests: [Request]) throws(JournalError) {
        try turn(requests.map(Input.request))
    }

    /// Lines for those who were not brought up to date in the turns that brought them something to hear. Returns whether all are.
    private func deliverRest() throws(JournalError) -> Bool {
        var mail = Mail()
        try deliverBroadcasts(behind: &mail)
        try deliver(into: &mail)
        if !mail.isEmpty { outputSink.deliver(mail.parcels) }
        return unsynced.isEmpty
    }

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
