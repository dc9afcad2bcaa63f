import NotesModel

/// Bounds of the journal. Tests set small ones to reach them.
package struct JournalLimits: Sendable {
    /// Maximum number of notes in the memtable; past it, an append flushes the oldest rows of
    /// `unflushed`.
    package var memtableNotesMax = 4_096
    /// Maximum number of rows in `unflushed`, including superseded ones; past it, an append flushes
    /// the oldest.
    package var unflushedRowsMax = 16_384
    /// Number of rows in `unflushed` that `maintain` leaves. It starts when there are twice as many,
    /// because flushing a note that is still being written is wasted, and each step is a
    /// transaction.
    package var unflushedRowsKept = 1_024
    /// Number of rows that an append past a bound flushes at once, and of heads that one step of
    /// `maintain` writes. More heads share more pages of the tables, but make one append slower.
    package var flushRowsPerStep = 256
    /// Number of pages in the write-ahead log from which `maintain` checkpoints.
    package var logPagesTidied = 1_024
    /// Size in bytes of the log before anything is written to it: as far as it usually grows before `maintain`
    /// checkpoints it.
    var logBytesPrepared: Int { logPagesTidied * 4_120 + 32 }
    /// Number of pages in the write-ahead log from which an append checkpoints before it returns.
    package var logPagesMax = 4_096
    /// Size in bytes that the log's file keeps when the log restarts: space that a full disk still
    /// offers, and that a busy disk need not allocate again.
    package var logBytesKept = 16 << 20
    /// Number of bytes by which the log may grow while the store is being copied, before the copy
    /// is cancelled.
    package var copiedLogBytesMax = 256 << 20
    /// Maximum number of operation records kept for each user.
    package var operationsKeptMax = OperationKey.keptMax

    /// Number of notes that one page in the order of commits examines, including those that the
    /// filter rejects.
    package var headsExaminedMax = 4_096
    /// Number of rows of `revision` that one page of revisions examines, including those that the
    /// filter rejects.
    package var revisionsExaminedMax = 16_384
    /// Number of rows of `tag` after which a page of tags ends.
    package var tagRowsCountedMax = 65_536

    /// Number of commits that a jump over a note's commits passes at most.
    package var jumpLength = 32
    /// Number of such jumps in memory, of about 50 bytes each; past it, neighbours are merged.
    package var jumpsMax = 1 << 17

    package init() {}
}
