import Causality
import Logging
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

extension Engine {
    /// Drops what memory holds of a note below its purge, and begins the scrub.
    func forgetBelow(purgeOf id: NoteID) {
        forgetTexts(of: id)
        enqueue { engine throws(JournalError) in try engine.scrub() }
    }

    /// Drops what memory holds of a note, of which earlier texts can no longer be read.
    func forgetTexts(of id: NoteID) {
        reopenings.remove(id)
        noteCache.forget(id)
        noteCache.dropTexts(of: id)
        renderedChanges.removeAll()
        longReads.compacted(id)
    }

    /// Continues the scrub if one is pending. A step that cannot be done yet is tried again at the next
    /// tick.
    func scrub() throws(JournalError) {
        let through = noteCache.journal.unscrubbed
        guard through != 0, !isEnding else { return }
        if purgeScrub.through != through {
            purgeScrub = PurgeScrub(through: through)
            resetIndexAfterPurge()
        }
        do throws(JournalError) {
            // A backup reads the log, and emptying it would wait for the backup.
            if !purgeScrub.isLogEmpty, backup == nil { purgeScrub.isLogEmpty = try noteCache.journal.scrubLog() }
            guard purgeScrub.isLogEmpty, purgeScrub.isIndexReset else { return }
            try noteCache.journal.scrubbed(through: through)
        } catch {
            if case .fatal = error { throw error }
            logger.warning(
                "erased text may still be in the store's files; the daemon tries again to remove it",
                metadata: ["event": "scrub-failed", "error": "\(error)"])
            return
        }
        logger.notice("what was purged is gone from the store's files", metadata: ["event": "scrubbed"])
    }

    /// The index was deleted since the purge.
    func indexWasReset() throws(JournalError) {
        purgeScrub.isIndexReset = true
        try scrub()
    }

    /// The response to a purge.
    func purged(_ outcome: Outcome, isReplay: Bool) -> Response {
        // A purge makes a revision whenever it is accepted.
        guard let dot = outcome.dot else { return .wrote(outcome, conflicts: [], isReplay: isReplay) }
        return .purged(dot, backups: noteCache.journal.copy?.backups ?? [], isReplay: isReplay)
    }
}
