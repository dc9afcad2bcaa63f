import NotesModel
import NotesStore

/// The progress of a scrub: what is still to do until no file of the store contains a byte that a purge
/// erased.
///
///     purge ──► log emptied ──► done
///          └──► search index deleted, begun anew ──┘
///
/// Both steps are repeated for each purge. The store records which purge is not scrubbed, so a scrub
/// that the end of the daemon interrupts begins again at the next start.
struct PurgeScrub {
    /// The purge's commit; 0 before the first.
    var through: UInt64 = 0
    /// Whether the log was emptied since the purge.
    var isLogEmpty = false
    /// Whether the index was deleted since the purge.
    var isIndexReset = false
}
