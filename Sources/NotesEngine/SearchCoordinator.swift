import Dependents
import Logging
import NotesModel
import NotesStore

/// What the engine knows of the search index, which another thread works on: how far it was given what was committed, and who waits
/// for what it finds.
///
///     commit ──► tail ──(a batch)──► handed over ──(errand)──► taken in
///     search ──► waiting for the tail of its moment to be handed over ──► asked ──(errand)──► found ──► answered
///
/// Since the index's thread keeps the order, a search that is asked behind a batch sees it.
struct SearchCoordinator {
    /// Nil where there is no index.
    let indexWorker: IndexWorker?
    /// Of notes whose newest commit is up to here, the index was given all.
    private(set) var handedOver: UInt64
    /// What the searches that wait are to find, by commits, as it was when they were asked: of notes whose newest commit was then behind
    /// `handedOver` and up to `owedThrough`, all. A note that is written between two of them stands here for both.
    private(set) var owed: [StoredHead] = []
    private(set) var owedThrough: UInt64 = 0
    /// Of the notes that the index was not given yet, some.
    private var tail = IndexLag()
    /// Given, and not taken in yet: texts in bytes.
    var bytesInFlight = 0
    /// Rises when something went wrong, so that what was given before is not taken for what is given after.
    var epoch: UInt64 = 0
    /// What was committed up to here has been left alone for a while.
    private(set) var restingCommit: UInt64
    private var newestAtTick: UInt64
    /// Set where the index could not take something in; it is tried again at the next tick, or when the index is mended.
    var trouble: RequestFailure?
    var mending = IndexRebuild()

    /// Those that are not asked yet.
    var waiting: [(search: SearchNotes, request: Request, through: UInt64)] = []
    /// All that are not answered yet, and audits for which the index is looked through; by connection.
    var underWay: [DependentID: UnderWay] = [:]
    /// What they are to be answered.
    var answers: [(dependent: DependentID, requestNumber: UInt64, answer: Response)] = []

    struct UnderWay {
        let requestNumber: UInt64
        /// `Request.reservation`.
        let reservation: (any AnyObject & Sendable)?
        let stop: CancellationFlag
    }

    /// So many notes that were not handed over a search waits for; past it, it is refused.
    static let tailNotesMax = 1_000
    /// So many are left alone while the engine has other things to do: those that are written all the time are not worth it.
    static let tailNotesLeft = 500
    /// What is handed over at once, and what may be in flight.
    static let batchNotesMax = 128
    static let batchBytesMax = 256 << 10
    static let bytesInFlightMax = 4 << 20

    /// - Parameter index: of this journal's store. Where it has come to a commit that is not the journal's, as after a store was
    ///   restored, it is made anew.
    init(_ index: sending SearchIndex?, of journal: any Journal, logger: Logger) {
        restingCommit = journal.lastSequence
        newestAtTick = journal.lastSequence
        var handedOver: UInt64 = 0
        if let index, !index.isOpen {
            mending.failed()
        } else if let position = index?.position {
            if Self.isCommit(position.commit, of: journal), Self.isCommit(position.newest, of: journal) {
                handedOver = position.commit.sequence
            } else {
                logger.warning(
                    "the search index belongs to another history of the store; rebuilding it",
                    metadata: ["event": "index-rebuilt"])
                do throws(SearchFault) { try index?.reset() } catch {
                    mending.failed()
                    logger.error(
                        "the search index cannot be rebuilt", metadata: ["event": "index-behind", "error": "\(error)"])
                }
            }
        }
        self.handedOver = handedOver
        owedThrough = handedOver
        if mending.isNeeded { trouble = .storageFailed("the search index is not available; see the daemon's log") }
        if let index { indexWorker = IndexWorker(index) } else { indexWorker = nil }
    }

    private static func isCommit(_ position: CommitPosition, of journal: any Journal) -> Bool {
        do throws(JournalError) {
            return try journal.replica(ofCommit: position.sequence) == position.replica
        } catch { return false }
    }

    /// How far is to be handed over now.
    func goal(newest: UInt64, isIdle: Bool) -> UInt64 {
        guard indexWorker != nil, trouble == nil else { return 0 }
        var goal = waiting.reduce(0) { max($0, $1.through) }
        if tail.count >= Self.tailNotesLeft { goal = newest }
        return isIdle ? max(goal, restingCommit) : goal
    }

    /// Whether something can be handed over, asked or answered.
    func hasWork(newest: UInt64, isIdle: Bool) -> Bool {
        if !answers.isEmpty { return true }
        guard trouble == nil else { return false }
        if waiting.contains(where: { $0.through <= handedOver }) { return true }
        return bytesInFlight < Self.bytesInFlightMax && handedOver < goal(newest: newest, isIdle: isIdle)
    }

    /// Looks at what was committed since it looked last, now and then.
    mutating func look(at journal: any Journal) throws(JournalError) {
        guard indexWorker != nil, trouble == nil else { return }
        try tail.look(at: journal, after: handedOver, countingTo: Self.tailNotesLeft)
    }

    /// The index was given these, and with them all up to a commit.
    mutating func gave(_ batch: SearchIndex.Batch) {
        handedOver = batch.through.commit.sequence
        tail.remove(batch.entries)
        owed.removeFirst(owed.prefix { $0.sequence <= batch.through.commit.sequence }.count)
        owedThrough = max(owedThrough, handedOver)
    }

    /// A search is to find these too.
    ///
    /// - Precondition: all notes whose newest commit lies behind `owedThrough` and up to `newest`, which is the newest commit there is.
    mutating func owe(_ notes: [StoredHead], through newest: UInt64) {
        owed += notes
        owedThrough = newest
    }

    /// No search waits any more.
    mutating func oweNothing() {
        owed = []
        owedThrough = handedOver
    }

    /// It turned out to have come to this commit.
    ///
    /// - Precondition: no search waits.
    mutating func restart(at sequence: UInt64) {
        handedOver = sequence
        tail = IndexLag()
        oweNothing()
    }

    mutating func tick(newest: UInt64, seconds: UInt64) {
        restingCommit = newestAtTick
        newestAtTick = newest
        mending.now = max(mending.now, seconds)
        if !mending.isNeeded, !mending.isUnderWay { trouble = nil }
    }

    /// Its connection is gone: nothing is looked for any more on its behalf.
    mutating func forget(_ dependent: DependentID) {
        underWay.removeValue(forKey: dependent)?.stop.ask()
        waiting.removeAll { $0.request.dependent == dependent }
        if waiting.isEmpty { oweNothing() }
    }

    /// The searches that can be asked now.
    mutating func takeReady() -> [(search: SearchNotes, request: Request, through: UInt64)] {
        guard trouble == nil else { return [] }
        let ready = waiting.filter { $0.through <= handedOver }
        if !ready.isEmpty { waiting.removeAll { $0.through <= handedOver } }
        return ready
    }
}
