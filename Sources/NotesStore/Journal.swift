package import Causality
package import NotesModel

/// The durable side as the engine sees it: revisions in commit order, appended and never changed, but that texts can be thinned out.
///
/// Called by one thread, the engine's. Every implementation passes `JournalConformance`.
///
/// - `append` is all or nothing, and durable when it returns: a power cut after it loses none of it, one before it leaves
///   none of it.
/// - Sequences rise by exactly 1 from 1; a replica's counters only grow, in the transaction of the data that they name.
/// - A dot is committed, waits, or is neither. A commit of one that waits takes it out of those that wait.
/// - Reading never shows what is not durable, nor a text that is not UTF-8: those that are appended are.
/// - A note's *foot* is a critical version whose text is kept; below it texts may be gone, and are not read. It only moves up.
package protocol Journal: AnyObject {
    var identity: StoreIdentity { get }
    /// The newest commit; 0 in an empty store.
    var lastSequence: UInt64 { get }

    /// Makes all entries durable, in order, or none.
    ///
    /// - Throws: `full`, `readOnly` or `failed` where nothing was changed and the journal can go on; `fatal` where the outcome
    ///   is unclear or a sync failed, after which the journal refuses everything.
    func append(_ entries: [JournalEntry]) throws(JournalError)

    /// The note from a critical version up. The record reaches as far down as `depth` asks: with `newest` the newest critical
    /// version will do; with `dots` every one of them that is the note's is the root's or in the tail, and others are ignored;
    /// with `start` the tail is the whole history. The journal picks the newest critical version that does so. With `asOf`,
    /// only commits up to it, as if later ones were not there yet (but for `vector`).
    ///
    /// Where that lies below the note's foot, the record goes down to the foot, and says so.
    ///
    /// Nil where there is no such note (then), or what it was then lies below its foot.
    func note(_ id: NoteID, downTo depth: LoadDepth, asOf sequence: UInt64?) throws(JournalError) -> NoteRecord?

    /// What a note showed after the newest of its commits up to `sequence`: as it was shown where that commit does not cover all and it
    /// was kept; otherwise the record with the newest critical version, which is that commit unless the store is of an older program.
    ///
    /// Nil where there was no such note then, or what it was lies below its foot.
    func past(_ id: NoteID, asOf sequence: UInt64, withText: Bool) throws(JournalError) -> PastNote?

    /// How many commits a note has in `after < sequence <= through`.
    ///
    /// - Complexity: O(the note's commits after `after`), a row each.
    func countCommits(of id: NoteID, after: UInt64, through: UInt64) throws(JournalError) -> Int

    func head(of id: NoteID) throws(JournalError) -> StoredHead?
    /// Living notes of that name, least id first; more than one only where replicas or late writes brought them together.
    func living(named name: NoteName) throws(JournalError) -> [NoteID]
    /// Notes that match, by name (bytes, no name last) then id, after a position.
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) throws(JournalError) -> [StoredHead]
    /// The notes whose newest commit lies in `after < sequence <= through`, in that order, at most `limit`.
    ///
    /// - Complexity: O(limit log notes): what changed, not what exists.
    func changed(after: UInt64, through: UInt64, limit: Int) throws(JournalError) -> [StoredHead]
    /// Newest first, those before `dot` in commit order where it is given. Nil where there is no such note, or `dot` is not its.
    func history(of id: NoteID, before dot: Dot?, limit: Int) throws(JournalError) -> [RevisionSummary]?
    func operation(_ key: OperationKey) throws(JournalError) -> OperationRecord?
    /// The run that made a commit, whoever made its revision; nil where this store has no such commit.
    func replica(ofCommit sequence: UInt64) throws(JournalError) -> ReplicaID?
    /// Whether this note has a revision of that name.
    func contains(_ dot: Dot, of id: NoteID) throws(JournalError) -> Bool
    /// A note's revision by its dot; nil where it has none of that name, or its text was thinned out.
    func revision(_ dot: Dot, of id: NoteID) throws(JournalError) -> Revision?
    /// A note's newest revisions, newest first, before a commit where one is given, each with all that the store says of it; and the
    /// commit to go on before, nil at the first.
    func stored(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> StoredPage
    func statistics() throws(JournalError) -> StoreStatistics

    /// The dots of all that this store holds, committed or waiting.
    ///
    /// - Complexity: O(stretches of commits with one replica's counters in a row + those that wait).
    func knownDots() throws(JournalError) -> DotSet
    /// The committed revision of that name, whatever note it is of.
    func committed(_ dot: Dot) throws(JournalError) -> CommittedRevision?
    /// The committed revisions after a commit that are not among the known, in commit order; those whose texts were thinned out by name.
    ///
    /// - Complexity: O(stretches of commits with one replica's counters in a row + page).
    func lacked(by known: DotSet, after sequence: UInt64, limit: PageLimit) throws(JournalError) -> RevisionPage

    /// The revision of that name, where it waits for its parents. One that waits and cannot be read is none: it is left alone until
    /// it is sent again, which replaces it; `aside` names it.
    func waiting(_ dot: Dot) throws(JournalError) -> Revision?
    /// Those that wait and have this dot among their parents, in the order of arrival.
    func waiting(on parent: Dot) throws(JournalError) -> [Revision]
    /// All that wait, in the order of arrival, after the one of that number.
    func waiting(after number: UInt64, limit: Int) throws(JournalError) -> [StoredWaiting]
    /// All that was quarantined, in the order of arrival, after the one of that number.
    func quarantined(after number: UInt64, limit: Int) throws(JournalError) -> [StoredQuarantined]

    /// How much of either is kept.
    var asideAmounts: HoldingAmounts { get }
    /// Rows of what is kept beside the notes, in the order of arrival, after the one of that number; those that cannot be read too.
    func aside(_ shelf: HoldingArea, after number: UInt64, limit: Int) throws(JournalError) -> [HeldRow]
    /// The dot of a commit; nil where this store has no such commit.
    func dot(ofCommit sequence: UInt64) throws(JournalError) -> Dot?

    /// What each peer that is heard of said last that it knows.
    var peers: [PeerName: DotSet] { get }
    /// The greatest commit that was ever made a foot; 0 where none was. What every note was at it, and later, can be read.
    var compactedThrough: UInt64 { get }
    /// A note's rows as a plan for thinning has to know them, newest first, before a commit where one is given.
    func plannable(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> [CompactionPlan.Row]

    /// Runs a body that reads a store which may be damaged: what it meets is the error of that call, `failed`, and the journal
    /// goes on, since reading changes nothing. Elsewhere damage that SQLite finds in its own structures is `fatal`: who writes on it
    /// makes it worse.
    func toleratingCorruption<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value
    /// What such a body reads; nil where what it met is damage, which stays. Throws what may pass, such as an error of reading, and
    /// what is fatal.
    func nilIfCorrupt<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value?

    /// Work put off from commits that can be done a bounded step at a time while nothing else waits. Returns whether more is left.
    func maintain() throws(JournalError) -> Bool
    /// Whether `maintain` has nothing to do.
    var isMaintained: Bool { get }
    /// What copies the store while it is written, on another thread, one at a time; nil where there is nothing on disk. `copyEnded` is
    /// said when it has ended, and nothing closes the store before.
    var copy: StoreCopy? { get }
    func copyEnded()
    /// Writes everything back and closes. Nothing is called after it.
    func close() throws(JournalError)
}

/// Some of a note's revisions, newest first.
package struct StoredPage: Sendable {
    /// One that is kept in a form that cannot be read.
    package struct Unreadable: Sendable {
        /// Nil where not even that is known.
        package let dot: Dot?
        package let what: String
    }

    package let revisions: [StoredRevision]
    package let unreadable: [Unreadable]
    /// The commits of all of them, those that cannot be read too.
    package let commits: [UInt64]
    /// The commit before which to go on; nil where the first is among these, or where nothing says which comes next.
    package let next: UInt64?

    package init(revisions: [StoredRevision], unreadable: [Unreadable] = [], commits: [UInt64], next: UInt64?) {
        self.revisions = revisions
        self.commits = commits
        self.unreadable = unreadable
        self.next = next
    }
}

package enum JournalEntry: Sendable {
    case commit(Commit, operation: OperationRecord?)
    /// A named write that left its note unchanged.
    case operation(OperationRecord)
    /// A revision of another replica, kept until its parents are here. Neither committed nor waiting so far.
    case waiting(Revision)
    /// A revision that cannot be taken in, kept beside everything else. Of one that is kept already, nothing is done; one that
    /// waited with this content waits no more.
    case quarantined(Quarantined)
    /// What a peer says that it knows, in place of what it said before.
    case heard(PeerName, knows: DotSet)
    /// Nobody asks any more what the peer knows.
    case forgotten(PeerName)
    case compacted(Compaction)
}

/// A note's new foot, or the one that it has, and commits below it whose texts go.
package struct Compaction: Hashable, Sendable {
    package let note: NoteID
    /// A commit that covers all before it, not below the foot so far. Its text is kept whole from then on.
    package let compactionFloor: UInt64
    /// Size of its text.
    package let floorBytes: Int
    package let removed: [UInt64]

    package init(note: NoteID, compactionFloor: UInt64, floorBytes: Int, removed: [UInt64]) {
        self.note = note
        self.compactionFloor = compactionFloor
        self.floorBytes = floorBytes
        self.removed = removed
    }
}

extension Journal {
    package var copy: StoreCopy? { nil }
    package func copyEnded() {}

    /// The committed revision of that name, where its text is there.
    package func revision(_ dot: Dot) throws(JournalError) -> Revision? {
        try committed(dot)?.revision
    }
}

/// Why the journal did not do what was asked. The text says what happened, where, and what to do.
package enum JournalError: Error, Hashable {
    /// No room. Nothing was changed; smaller writes, or writes after room was made, may pass.
    case full(String)
    /// The medium cannot be written. Nothing was changed.
    case readOnly(String)
    /// This one call failed and changed nothing.
    case failed(String)
    /// Whether something was changed cannot be known, or a sync failed. The daemon ends.
    case fatal(String)
}

extension JournalError {
    package var message: String {
        switch self {
        case .full(let message), .readOnly(let message), .failed(let message), .fatal(let message): message
        }
    }
}
