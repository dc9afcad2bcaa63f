package import Causality
package import NoteText
package import NotesModel

/// The durable log of revisions, as the engine uses it. Revisions are appended in commit order and
/// never changed, except that compaction removes texts.
///
/// Only the engine's thread calls it. Every implementation passes `JournalConformance`.
///
/// - `append` is all or nothing, and durable when it returns: a power cut after it loses none of
///   it, and a power cut before it leaves none of it.
/// - Sequences ascend by exactly 1 from 1. A replica's counters only grow, in the same transaction
///   as the data that they name.
/// - A dot is committed, waiting, or neither. Committing a waiting revision removes it from those
///   that wait.
/// - Reads return only what is durable, and only texts that are UTF-8.
/// - A note's *compaction floor* is a critical version whose text is kept. Texts below it may be
///   gone and are not read. The floor only moves up.
package protocol Journal: ExchangeJournal, AuditableJournal, MaintainableJournal, FileJournal {
    /// Ids of the store and of this run.
    var identity: StoreIdentity { get }
    /// Sequence of the newest commit; 0 in an empty store.
    var lastSequence: UInt64 { get }

    /// Makes all entries durable, in order, or none.
    ///
    /// - Throws: `full`, `readOnly` or `failed` if nothing changed and the journal is still usable;
    ///   `fatal` if the outcome is unknown or a sync failed, after which every call throws.
    func append(_ entries: [JournalEntry]) throws(JournalError)

    /// Continues to read a note from a critical version up: its text as the record's floor, later
    /// revisions as the tail.
    ///
    /// The journal picks the newest critical version that satisfies the reading's `depth`. With
    /// `newest`, any will do. With `dots`, each of these dots that belongs to the note is the floor's
    /// or in the tail; others are ignored. With `start`, the tail is the whole history. Only commits
    /// up to the reading's `end` exist, except that `vector` is the newest of the first step.
    ///
    /// If this leads below the note's compaction floor, the record ends at the compaction floor and
    /// says so.
    ///
    /// - Parameter rowsMax: The rows after which the step ends; positive. Each 512 bytes of a row, and
    ///   each revision that it merges or withdraws, counts as a row.
    /// - Complexity: O(`rowsMax`) and one row; the last step also reads the text of the floor and
    ///   collects the tail.
    func read(_ reading: inout RecordRead, rowsMax: Int) throws(JournalError)

    /// Reads the merged state of a note after its newest commit up to `sequence`: the stored head
    /// and text if that commit does not cover all, otherwise a record as of that commit. A commit
    /// of an older program may lack the stored state; the record then reaches down to the newest
    /// critical version.
    ///
    /// - Returns: Nil if the note did not exist then, or its state then is below its compaction
    ///   floor.
    /// - Complexity: after a `descend` to `sequence`, O(1) rows and the bytes of the text; otherwise
    ///   O(commits of the note after `sequence`), one row each.
    func past(_ id: NoteID, asOf sequence: UInt64, withText: Bool) throws(JournalError) -> PastNote?

    /// Counts the note's commits in `after < sequence <= through`.
    ///
    /// - Complexity: after a `descend` to `after`, O(1) rows; otherwise O(the note's commits after
    ///   `after`), one row each.
    func countCommits(of id: NoteID, after: UInt64, through: UInt64) throws(JournalError) -> Int

    /// Continues to pass the note's commits down to an older one. The journal remembers the way, as
    /// long as the note is neither compacted nor purged, so that `past` and `countCommits` as of that
    /// commit or a later one read few rows.
    ///
    /// - Parameter rowsMax: The rows after which the step ends; positive.
    /// - Complexity: O(`rowsMax`) rows.
    func descend(_ descent: inout CommitDescent, rowsMax: Int) throws(JournalError)

    /// The note's newest head, also of a deleted note; nil if the note does not exist.
    func head(of id: NoteID) throws(JournalError) -> StoredHead?
    /// The living notes of this name, in ascending order of ids. Several notes share a name only if
    /// replicas, or writes from old versions, brought them together.
    func existingNotes(named name: NoteName) throws(JournalError) -> [NoteID]
    /// The first `limit` notes after a position that match the filter, by name (in bytes, no name
    /// last) and then by id.
    func heads(matching filter: Filter, after position: ListPosition?, limit: Int) throws(JournalError) -> [StoredHead]
    /// The notes that match the filter, in the order of their newest commits, newest first; with
    /// `sequence`, those whose newest commit is before it. A page ends after `limit` notes, or
    /// earlier once it has examined many that do not match.
    ///
    /// - Precondition: `limit` is positive.
    func newestHeads(matching filter: Filter, before sequence: UInt64?, limit: Int) throws(JournalError) -> NewestHeads
    /// The tags that begin with `prefix` and come after `tag` in bytes, with the number of living
    /// notes that have each. A page ends after `limit` tags, or earlier once it has counted many
    /// notes.
    ///
    /// - Precondition: `limit` is positive.
    func tags(startingWith prefix: ByteString, after tag: ByteString?, limit: Int) throws(JournalError) -> TagPage
    /// The notes whose newest commit is in `after < sequence <= through`, in commit order, at most
    /// `limit`.
    ///
    /// - Complexity: O(limit log notes), however many notes exist.
    func changed(after: UInt64, through: UInt64, limit: Int) throws(JournalError) -> [StoredHead]
    /// Summaries of the note's revisions, newest first, at most `limit`; with `dot`, those before
    /// it in commit order. Nil if the note does not exist or `dot` is not one of its revisions.
    func history(of id: NoteID, before dot: Dot?, limit: Int) throws(JournalError) -> [RevisionSummary]?
    /// The revisions of all notes that match the filter, in the order of commits, newest first; with
    /// `sequence`, those before it. A page ends after `limit` revisions, or earlier once it has
    /// examined many that do not match.
    ///
    /// - Precondition: `limit` is positive.
    func revisions(matching filter: RevisionFilter, before sequence: UInt64?, limit: Int) throws(JournalError) -> NoteRevisionPage
    /// The record of a named write; nil if there is none or it was pruned.
    func operation(_ key: OperationKey) throws(JournalError) -> OperationRecord?
    /// The run that made a commit, which may differ from the replica that wrote its revision; nil
    /// if this store has no such commit.
    func replica(ofCommit sequence: UInt64) throws(JournalError) -> ReplicaID?
    /// Whether the note has a revision with this dot.
    func contains(_ dot: Dot, of id: NoteID) throws(JournalError) -> Bool
    /// The note's revision with this dot; nil if it has none, or its text was compacted.
    func revision(_ dot: Dot, of id: NoteID) throws(JournalError) -> Revision?
    /// Counts and sizes of the store.
    func statistics() throws(JournalError) -> StoreStatistics
}

extension Journal {
    /// The committed revision with this dot; nil if there is none, or its text was compacted.
    package func revision(_ dot: Dot) throws(JournalError) -> Revision? {
        try committed(dot)?.revision?.content
    }
}
