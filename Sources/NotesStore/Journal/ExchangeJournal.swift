package import Causality
package import NotesModel

/// What the exchange of revisions with other replicas needs of a journal.
package protocol ExchangeJournal: AnyObject {
    /// The dots of all revisions in this store, committed or waiting.
    ///
    /// - Complexity: O(ranges of commits with consecutive counters of one replica + waiting
    ///   revisions).
    func knownDots() throws(JournalError) -> DotSet
    /// The dots of the revisions that were committed after a commit, and the last commit that was
    /// examined. The dots may contain some of earlier commits.
    ///
    /// - Complexity: O(`rangesMax`), or fewer: ranges of commits with consecutive counters of one
    ///   replica.
    func dots(after sequence: UInt64, rangesMax: Int) throws(JournalError) -> (dots: DotSet, through: UInt64)
    /// The committed revision with this dot, of any note; nil if none has it.
    func committed(_ dot: Dot) throws(JournalError) -> CommittedRevision?
    /// The digests of committed revisions with these dots, in the order of their dots, at most
    /// `RevisionDigest.countMax`.
    ///
    /// - Complexity: O(digests).
    func digests(of dots: DotSet) throws(JournalError) -> [RevisionDigest]
    /// The dots of all committed revisions of a note.
    ///
    /// - Complexity: O(commits of the note).
    func dots(of note: NoteID) throws(JournalError) -> DotSet
    /// The commits of a note up to its newest compaction floor; nil if it has none, or more commits there than
    /// `CompactedPast.rowsMax`.
    ///
    /// - Complexity: O(commits of the note).
    func compactedPast(of note: NoteID) throws(JournalError) -> CompactedPast?
    /// A page of the committed revisions after a commit that are not in `known`, in commit order, with the
    /// beginnings of notes that are not known up to their compaction floors.
    ///
    /// - Complexity: O(ranges of commits with consecutive counters of one replica + page).
    func missingRevisions(by known: DotSet, after sequence: UInt64, limit: PageLimit) throws(JournalError) -> RevisionPage

    /// The notes of the waiting and quarantined revisions that have one of these dots; one entry for each.
    ///
    /// - Complexity: O(waiting and quarantined revisions, which `HoldingLimits` bounds).
    func heldNotes(of dots: DotSet) throws(JournalError) -> [NoteID]

    /// The waiting revision with this dot; nil if none waits, or it cannot be read. An unreadable
    /// one stays until it is sent again, which replaces it; `held(in:after:limit:)` lists it.
    func waiting(_ dot: Dot) throws(JournalError) -> LinkedRevision?
    /// The waiting revisions that have this dot as a parent, in order of arrival.
    func waiting(on parent: Dot) throws(JournalError) -> [LinkedRevision]
    /// Up to `limit` waiting revisions in order of arrival, after the one with this number.
    func waiting(after number: UInt64, limit: Int) throws(JournalError) -> [StoredWaiting]
    /// Up to `limit` quarantined revisions in order of arrival, after the one with this number.
    func quarantined(after number: UInt64, limit: Int) throws(JournalError) -> [StoredQuarantined]

    /// The dots of the quarantined revisions, and `erasedFromHolding`.
    ///
    /// - Complexity: O(quarantined revisions, which `HoldingLimits` bounds, + erased ones).
    func quarantinedDots() throws(JournalError) -> DotSet

    /// The dots of the revisions that waited or were quarantined when a purge of their note erased them,
    /// except those in the past of the purge. A peer that offers one again offers erased text, so it is
    /// dropped.
    var erasedFromHolding: DotSet { get }

    /// The set of dots that each registered peer reported last.
    var peers: [PeerName: DotSet] { get }
}
