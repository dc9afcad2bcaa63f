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
}
