package import Causality
package import NotesModel

/// The durable log of revisions, as the engine uses it. Revisions are appended in commit order and
/// never changed, except that compaction removes texts.
///
/// Only the engine's thread calls it. Every implementation passes `JournalConformance`.
///
/// - `append` is all or nothing, and durable when it returns: a power cut after it loses nothing of
///   it, and a power cut before it leaves nothing of it.
/// - Sequences ascend by exactly 1 from 1. A replica's counters only grow, in the same transaction
///   as the data that they name.
/// - A dot is committed, waiting, or neither. Committing a waiting revision removes it from those
///   that wait.
/// - Reads return only what is durable, and only texts that are UTF-8.
/// - A note's *compaction floor* is a critical version whose text is kept. Texts below it may be
///   gone and are not read. The floor only moves up.
package protocol Journal: AnyObject {
    /// Ids of the store and of this run.
    var identity: StoreIdentity { get }
    /// Sequence of the newest commit; 0 in an empty store.
    var lastSequence: UInt64 { get }

    /// Makes all entries durable, in order, or none.
    ///
    /// - Throws: `full`, `readOnly` or `failed` if nothing changed and the journal is still usable;
    ///   `fatal` if the outcome is unknown or a sync failed, after which every call throws.
    func append(_ entries: [JournalEntry]) throws(JournalError)

    /// Reads a note from a critical version up: its text as the record's floor, later revisions as
    /// the tail.
    ///
    /// The journal picks the newest critical version that satisfies `depth`. With `newest`, any
    /// will do. With `dots`, each of these dots that belongs to the note is the floor's or in the
    /// tail; others are ignored. With `start`, the tail is the whole history. With `asOf`, only
    /// commits up to that sequence exist, except that `vector` is always the newest.
    ///
    /// If this leads below the note's compaction floor, the record ends at the compaction floor and
    /// says so.
    ///
    /// - Returns: Nil if the note does not exist, or did not exist then, or was then below its
    ///   compaction floor.
    /// - Complexity: O(commits of the note since that version), and the bytes of its text.
    func note(_ id: NoteID, downTo depth: LoadDepth, asOf sequence: UInt64?) throws(JournalError) -> NoteRecord?

    /// Reads the merged state of a note after its newest commit up to `sequence`: the stored head
    /// and text if that commit does not cover all, otherwise a record as of that commit. A commit
    /// of an older program may lack the stored state; the record then reaches down to the newest
    /// critical version.
    ///
    /// - Returns: Nil if the note did not exist then, or its state then is below its compaction
    ///   floor.
    func past(_ id: NoteID, asOf sequence: UInt64, withText: Bool) throws(JournalError) -> PastNote?

    /// Counts the note's commits in `after < sequence <= through`.
    ///
    /// - Complexity: O(the note's commits after `after`), one row each.
    func countCommits(of id: NoteID, after: UInt64, through: UInt64) throws(JournalError) -> Int

    /// The note's newest head, also of a deleted note; nil if the note does not exist.
    func head(of id: NoteID) throws(JournalError) -> StoredHead?
    /// The living notes of this name, in ascending order of ids. Several notes share a name only if
    /// replicas, or writes from old versions, brought them together.
    func living(named name: NoteName) throws(JournalError) -> [NoteID]
    /// The first `limit` notes after a position that match the filter, by name (in bytes, no name
    /// last) and then by id.
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) throws(JournalError) -> [StoredHead]
    /// The notes whose newest commit is in `after < sequence <= through`, in commit order, at most
    /// `limit`.
    ///
    /// - Complexity: O(limit log notes), however many notes exist.
    func changed(after: UInt64, through: UInt64, limit: Int) throws(JournalError) -> [StoredHead]
    /// Summaries of the note's revisions, newest first, at most `limit`; with `dot`, those before
    /// it in commit order. Nil if the note does not exist or `dot` is not one of its revisions.
    func history(of id: NoteID, before dot: Dot?, limit: Int) throws(JournalError) -> [RevisionSummary]?
    /// The record of a named write; nil if there is none or it was pruned.
    func operation(_ key: OperationKey) throws(JournalError) -> OperationRecord?
    /// The run that made a commit, which may differ from the replica that wrote its revision; nil
    /// if this store has no such commit.
    func replica(ofCommit sequence: UInt64) throws(JournalError) -> ReplicaID?
    /// Whether the note has a revision with this dot.
    func contains(_ dot: Dot, of id: NoteID) throws(JournalError) -> Bool
    /// The note's revision with this dot; nil if it has none, or its text was compacted.
    func revision(_ dot: Dot, of id: NoteID) throws(JournalError) -> Revision?
    /// Up to `limit` of the note's revisions, newest first, before a commit if one is given, each
    /// with everything that the store keeps of it.
    func stored(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> StoredPage
    /// Counts and sizes of the store.
    func statistics() throws(JournalError) -> StoreStatistics

    /// The dots of all revisions in this store, committed or waiting.
    ///
    /// - Complexity: O(ranges of commits with consecutive counters of one replica + waiting
    ///   revisions).
    func knownDots() throws(JournalError) -> DotSet
    /// The committed revision with this dot, of any note; nil if none has it.
    func committed(_ dot: Dot) throws(JournalError) -> CommittedRevision?
    /// A page of the committed revisions after a commit that are not in `known`, in commit order.
    /// Compacted revisions are listed by dot only.
    ///
    /// - Complexity: O(ranges of commits with consecutive counters of one replica + page).
    func lacked(by known: DotSet, after sequence: UInt64, limit: PageLimit) throws(JournalError) -> RevisionPage

    /// The waiting revision with this dot; nil if none waits, or it cannot be read. An unreadable
    /// one stays until it is sent again, which replaces it; `aside` lists it.
    func waiting(_ dot: Dot) throws(JournalError) -> Revision?
    /// The waiting revisions that have this dot as a parent, in order of arrival.
    func waiting(on parent: Dot) throws(JournalError) -> [Revision]
    /// Up to `limit` waiting revisions in order of arrival, after the one with this number.
    func waiting(after number: UInt64, limit: Int) throws(JournalError) -> [StoredWaiting]
    /// Up to `limit` quarantined revisions in order of arrival, after the one with this number.
    func quarantined(after number: UInt64, limit: Int) throws(JournalError) -> [StoredQuarantined]

    /// Number and size of the waiting and of the quarantined revisions.
    var asideAmounts: HoldingAmounts { get }
    /// Up to `limit` rows of a holding area in order of arrival, after the one with this number,
    /// including rows that cannot be read.
    func aside(_ shelf: HoldingArea, after number: UInt64, limit: Int) throws(JournalError) -> [HeldRow]
    /// The dot of a commit; nil if this store has no such commit.
    func dot(ofCommit sequence: UInt64) throws(JournalError) -> Dot?

    /// The set of dots that each registered peer reported last.
    var peers: [PeerName: DotSet] { get }
    /// The greatest commit that was ever a compaction floor; 0 if there is none. The state of every
    /// note at that commit and later can be read.
    var compactedThrough: UInt64 { get }
    /// Up to `limit` of the note's rows as compaction planning needs them, newest first, before a
    /// commit if one is given.
    func plannable(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> [CompactionPlan.Row]

    /// Runs a body that may meet corruption in the store. Corruption that it reads is an error of
    /// that call only (`failed`), and the journal stays usable, because reading changes nothing.
    /// Outside such a body, corruption that SQLite detects in its own structures is `fatal`, since
    /// writing could spread it.
    func toleratingCorruption<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value
    /// Runs such a body and returns its value, or nil if it met corruption. Throws errors that may
    /// be temporary, such as a failed read, and fatal errors.
    func nilIfCorrupt<Value>(_ body: () throws(JournalError) -> Value) throws(JournalError) -> Value?

    /// Does one bounded step of the work that commits put off. Called while nothing else waits.
    ///
    /// - Returns: Whether more is left.
    func maintain() throws(JournalError) -> Bool
    /// Whether `maintain` has nothing to do.
    var isMaintained: Bool { get }
    /// Copies the store on another thread while it is being written, one copy at a time; nil if
    /// there is nothing on disk. The caller reports the end with `copyEnded` and does not close the
    /// store before.
    var copy: StoreCopy? { get }
    /// Reports that a copy has ended, so that checkpoints can proceed.
    func copyEnded()
    /// Checkpoints and closes. Nothing may be called afterwards.
    func close() throws(JournalError)
}

/// A page of a note's revisions, newest first.
package struct StoredPage: Sendable {
    /// A revision whose row cannot be read.
    package struct Unreadable: Sendable {
        /// Its dot; nil if unknown.
        package let dot: Dot?
        /// The reason, as a sentence for people.
        package let what: String
    }

    /// The revisions that could be read, newest first.
    package let revisions: [StoredRevision]
    /// The revisions that could not be read.
    package let unreadable: [Unreadable]
    /// The commits of all these revisions, readable or not, newest first.
    package let commits: [UInt64]
    /// The commit before which the next page starts; nil if the note's first commit is on this
    /// page, or if an unreadable row hides which commit is next.
    package let next: UInt64?

    package init(revisions: [StoredRevision], unreadable: [Unreadable] = [], commits: [UInt64], next: UInt64?) {
        self.revisions = revisions
        self.commits = commits
        self.unreadable = unreadable
        self.next = next
    }
}

/// An entry of `Journal.append`.
package enum JournalEntry: Sendable {
    /// A revision to commit, with the record of the named write that made it, if any.
    case commit(Commit, operation: OperationRecord?)
    /// A named write that left its note unchanged.
    case operation(OperationRecord)
    /// A revision of another replica whose parents are missing. It is neither committed nor waiting
    /// yet.
    case waiting(Revision)
    /// A revision that cannot be accepted. If the same content is already quarantined, nothing
    /// happens. If the same content is waiting, it stops waiting.
    case quarantined(Quarantined)
    /// The set of dots that a peer reports to know. It replaces the previous report.
    case heard(PeerName, knows: DotSet)
    /// Removes a peer and its report.
    case forgotten(PeerName)
    /// Moves a note's compaction floor and removes texts below it.
    case compacted(Compaction)
}

/// A step of compaction: a note's new or current compaction floor, and commits below it whose texts
/// are removed.
package struct Compaction: Hashable, Sendable {
    /// The note to compact.
    package let note: NoteID
    /// Sequence of the compaction floor: a commit that covers all before it and is not below the
    /// current floor. Its full text is stored from then on.
    package let compactionFloor: UInt64
    /// Size of the floor's text in bytes.
    package let floorBytes: Int
    /// Commits below the floor whose texts are removed.
    package let removed: [UInt64]

    package init(note: NoteID, compactionFloor: UInt64, floorBytes: Int, removed: [UInt64]) {
        self.note = note
        self.compactionFloor = compactionFloor
        self.floorBytes = floorBytes
        self.removed = removed
    }
}

extension Journal {
    /// Nil: nothing is on disk.
    package var copy: StoreCopy? { nil }
    /// Does nothing.
    package func copyEnded() {}

    /// The committed revision with this dot; nil if there is none, or its text was compacted.
    package func revision(_ dot: Dot) throws(JournalError) -> Revision? {
        try committed(dot)?.revision
    }
}

/// Why a call on the journal failed. The text says what happened, where, and what to do.
package enum JournalError: Error, Hashable {
    /// No space. Nothing changed; smaller writes, or writes after space was freed, may succeed.
    case full(String)
    /// The medium cannot be written. Nothing changed.
    case readOnly(String)
    /// This call failed and changed nothing.
    case failed(String)
    /// The outcome is unknown, or a sync failed. The daemon must end.
    case fatal(String)
}

extension JournalError {
    /// The text, for logs and error responses.
    package var message: String {
        switch self {
        case .full(let message), .readOnly(let message), .failed(let message), .fatal(let message): message
        }
    }
}
