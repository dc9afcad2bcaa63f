import Dependents
import Logging
import NotesModel
import NotesSearch
import NotesStore

/// The engine's view of the search index, which another thread owns: which commits it was given,
/// and which searches wait for it.
///
///     commit ──► tail ──(batch)──► handed over ──(job)──► indexed
///     search ──► waits for the commits before it ──► asked ──(job)──► found ──► answered
///
/// The index's thread executes jobs in order, so a search that is asked after a batch sees it.
struct SearchCoordinator {
    /// Nil if there is no index.
    let indexWorker: IndexWorker?
    /// The index was given every note whose newest commit is at or before this one.
    private(set) var handedOver: UInt64
    /// The notes that the waiting searches are to find, by commit, as of the time of each search:
    /// all notes whose newest commit was then after `handedOver` and up to `pendingThrough`. A note
    /// that was written between two searches is listed once for each.
    private(set) var pendingHeads: [StoredHead] = []
    /// The commit up to which `pendingHeads` is complete.
    private(set) var pendingThrough: UInt64 = 0
    /// The notes that the index was not given yet, estimated.
    private var tail = IndexLag()
    /// Bytes of text that the index was given and has not added yet.
    var bytesInFlight = 0
    /// Rises with each fault, so that the late result of an earlier job is recognised and ignored.
    var epoch: UInt64 = 0
    /// The newest commit at the tick before the last one. Notes up to it are indexed when the
    /// engine is idle, since nothing has changed them for a while.
    private(set) var idleTargetCommit: UInt64
    /// The newest commit at the last tick.
    private var newestAtTick: UInt64
    /// Set if the index could not add something. The engine tries again at the next tick, or once
    /// the index is rebuilt.
    var trouble: RequestFailure?
    /// When the index is rebuilt.
    var indexRebuild = IndexRebuild()

    /// Searches that the index was not asked yet.
    var waiting: [(search: IndexQuery, request: Request, through: UInt64)] = []
    /// Searches without a response, and audits that check the index, by connection.
    var underWay: [DependentID: UnderWay] = [:]
    /// Responses that are ready to send.
    var responses: [(dependent: DependentID, requestNumber: UInt64, response: Response)] = []

    /// A query that the index answers.
    enum IndexQuery {
        case notes(SearchNotes)
        case links(LinkQuery)
    }

    /// A search without a response, or an audit that checks the index.
    struct UnderWay {
        let requestNumber: UInt64
        /// `Request.reservation`.
        let reservation: (any AnyObject & Sendable)?
        let stop: CancellationFlag
    }

    /// The number of notes not handed over that a search waits for; with more, it is refused.
    static let tailNotesMax = 1_000
    /// The number of notes not handed over that a busy engine tolerates, since indexing a note that
    /// is written all the time is not worth it.
    static let tailNotesLeft = 500
    /// Limits of a batch, and of the bytes in flight.
    static let batchNotesMax = 128
    static let batchBytesMax = 256 << 10
    static let bytesInFlightMax = 4 << 20

    /// - Parameter index: the index of this journal's store. If its position is not a commit of
    ///   this journal, as after a restored backup, it is rebuilt.
    init(_ index: sending SearchIndex?, of journal: any Journal, logger: Logger) {
        idleTargetCommit = journal.lastSequence
        newestAtTick = journal.lastSequence
        var handedOver: UInt64 = 0
        if let index, !index.isOpen {
            indexRebuild.failed()
        } else if let position = index?.position {
            if Self.isCommit(position.commit, of: journal), Self.isCommit(position.newest, of: journal) {
                handedOver = position.commit.sequence
            } else {
                logger.warning(
                    "the search index belongs to another history of the store; rebuilding it",
                    metadata: ["event": "index-rebuilt"])
                do throws(SearchFault) { try index?.reset() } catch {
                    indexRebuild.failed()
                    logger.error(
                        "the search index cannot be rebuilt", metadata: ["event": "index-behind", "error": "\(error)"])
                }
            }
        }
        self.handedOver = handedOver
        pendingThrough = handedOver
        if indexRebuild.isNeeded { trouble = .storageFailed("the search index is not available; see the daemon's log") }
        if let index { indexWorker = IndexWorker(index) } else { indexWorker = nil }
    }

    private static func isCommit(_ position: CommitPosition, of journal: any Journal) -> Bool {
        do throws(JournalError) {
            return try journal.replica(ofCommit: position.sequence) == position.replica
        } catch { return false }
    }

    /// The commit up to which notes should be handed over now.
    func target(newest: UInt64, isIdle: Bool) -> UInt64 {
        guard indexWorker != nil, trouble == nil else { return 0 }
        var target = waiting.reduce(0) { max($0, $1.through) }
        if tail.count >= Self.tailNotesLeft { target = newest }
        return isIdle ? max(target, idleTargetCommit) : target
    }

    /// Whether a batch can be handed over, a search asked or a response sent.
    func hasWork(newest: UInt64, isIdle: Bool) -> Bool {
        if !responses.isEmpty { return true }
        guard trouble == nil else { return false }
        if waiting.contains(where: { $0.through <= handedOver }) { return true }
        return bytesInFlight < Self.bytesInFlightMax && handedOver < target(newest: newest, isIdle: isIdle)
    }

    /// Updates the estimate of the notes not handed over, now and then.
    mutating func look(at journal: any Journal) throws(JournalError) {
        guard indexWorker != nil, trouble == nil else { return }
        try tail.look(at: journal, after: handedOver, countingTo: Self.tailNotesLeft)
    }

    /// Records that the index was given a batch, which completes all notes up to its commit.
    mutating func sent(_ batch: SearchIndex.Batch) {
        handedOver = batch.through.commit.sequence
        tail.remove(batch.entries)
        pendingHeads.removeFirst(pendingHeads.prefix { $0.sequence <= batch.through.commit.sequence }.count)
        pendingThrough = max(pendingThrough, handedOver)
    }

    /// Adds notes that a new search is to find.
    ///
    /// - Precondition: these are all notes whose newest commit is after `pendingThrough`; `newest`
    ///   is the newest commit of the store.
    mutating func owe(_ notes: [StoredHead], through newest: UInt64) {
        pendingHeads += notes
        pendingThrough = newest
    }

    /// Records that no search waits.
    mutating func oweNothing() {
        pendingHeads = []
        pendingThrough = handedOver
    }

    /// Resets the state to the commit that the index reports.
    ///
    /// - Precondition: no search waits.
    mutating func restart(at sequence: UInt64) {
        handedOver = sequence
        tail = IndexLag()
        oweNothing()
    }

    /// Advances the clock, and allows another attempt after a failure.
    ///
    /// - Parameter seconds: the time of the tick.
    mutating func tick(newest: UInt64, seconds: UInt64) {
        idleTargetCommit = newestAtTick
        newestAtTick = newest
        indexRebuild.now = max(indexRebuild.now, seconds)
        if !indexRebuild.isNeeded, !indexRebuild.isUnderWay { trouble = nil }
    }

    /// Cancels the searches of a connection that has ended.
    mutating func forget(_ dependent: DependentID) {
        underWay.removeValue(forKey: dependent)?.stop.cancel()
        waiting.removeAll { $0.request.dependent == dependent }
        if waiting.isEmpty { oweNothing() }
    }

    /// Removes and returns the searches that can be asked now.
    mutating func takeReady() -> [(search: IndexQuery, request: Request, through: UInt64)] {
        guard trouble == nil else { return [] }
        let ready = waiting.filter { $0.through <= handedOver }
        if !ready.isEmpty { waiting.removeAll { $0.through <= handedOver } }
        return ready
    }
}
