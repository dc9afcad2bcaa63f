package import NotesModel

/// What maintenance needs of a journal: compaction, work that commits put off, copies and closing.
package protocol MaintainableJournal: AnyObject {
    /// The greatest commit that was ever a compaction floor; 0 if there is none. The state of every
    /// note at that commit and later can be read.
    var compactedThrough: UInt64 { get }
    /// Up to `limit` of the note's rows as compaction planning needs them, newest first, before a
    /// commit if one is given.
    func plannable(of id: NoteID, before sequence: UInt64?, limit: Int) throws(JournalError) -> [CompactionPlan.Row]

    /// Does one bounded step of the work that commits put off. Called while nothing else waits.
    ///
    /// - Returns: Whether more is left.
    func maintain() throws(JournalError) -> Bool
    /// Whether `maintain` has nothing to do.
    var isMaintained: Bool { get }
    /// The newest purge that is not scrubbed: erased bytes may still be in the log or in what is derived
    /// from the store; 0 if there is none.
    var unscrubbed: UInt64 { get }
    /// Empties the log. Returns false if a copy that is being made prevents it; the caller tries again.
    func scrubLog() throws(JournalError) -> Bool
    /// Records that nothing erased is left by this purge and those before it.
    func scrubbed(through sequence: UInt64) throws(JournalError)
    /// Copies the store on another thread while it is being written, one copy at a time; nil if
    /// there is nothing on disk. The caller reports the end with `copyEnded` and does not close the
    /// store before.
    var copy: StoreCopy? { get }
    /// Reports that a copy has ended, so that checkpoints can proceed.
    func copyEnded()
    /// Checkpoints and closes. Nothing may be called afterwards.
    func close() throws(JournalError)
}

extension MaintainableJournal {
    /// Nil: nothing is on disk.
    package var copy: StoreCopy? { nil }
    /// Does nothing.
    package func copyEnded() {}
    /// 0: nothing is on disk.
    package var unscrubbed: UInt64 { 0 }
    /// Does nothing.
    package func scrubLog() throws(JournalError) -> Bool { true }
    /// Does nothing.
    package func scrubbed(through sequence: UInt64) throws(JournalError) {}
}
