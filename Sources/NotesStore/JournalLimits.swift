import NotesModel

/// The journal's bounds. Tests set small ones to reach them.
package struct JournalLimits: Sendable {
    /// Notes whose heads are held in memory and not in the table yet; past it, appends fold the oldest in.
    package var overlayNotesMax = 4_096
    /// Rows of `recent`, superseded ones too; past it, appends fold the oldest in.
    package var recentRowsMax = 16_384
    /// Rows of `recent` that `maintain` leaves, and of which it waits for as many again before it begins: folding a note that is being
    /// written is work for nothing, and each step is a transaction.
    package var recentRowsTidied = 1_024
    /// Rows that an append past a bound folds at once, and heads that a step of `maintain` writes: the more, the more of them share a page
    /// of the tables; the longer one append takes.
    package var foldRowsPerStep = 256
    /// Pages in the log at which `maintain` checkpoints.
    package var logPagesTidied = 1_024
    /// Pages in the log at which an append checkpoints before it returns.
    package var logPagesMax = 4_096
    /// The log's file keeps this size when it starts over: room that is there on a full disk, and no growing on a busy one.
    package var logBytesKept = 16 << 20
    /// How much the log may grow while the store is copied, in bytes, before the copy is given up.
    package var copiedLogBytesMax = 256 << 20
    package var operationsKeptMax = OperationKey.keptMax

    package init() {}
}
