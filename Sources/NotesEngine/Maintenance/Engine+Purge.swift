import Causality
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// Drops what memory holds of a note below its purge, and begins the scrub.
    func forgetBelow(purgeOf id: NoteID) {
        forgetTexts(of: id)
        // The bytes of files are not there from now on, though another thread removes them.
        files.remove(fromNowOn: noteCache.journal.filesToErase)
        enqueue { engine throws(JournalError) in
            try engine.eraseFiles()
            try engine.scrub()
        }
    }

    /// Drops what memory holds of a note, of which earlier texts can no longer be read.
    func forgetTexts(of id: NoteID) {
        exchange.reopenings.remove(id)
        noteCache.forget(id)
        noteCache.dropTexts(of: id)
        outgoing.renderedChanges.removeAll()
        longReads.compacted(id)
    }

    /// Continues the scrub if one is pending. A step that cannot be done yet is tried again at the next
    /// tick.
    func scrub() throws(JournalError) {
        let through = noteCache.journal.unscrubbed
        guard through != 0, !isEnding else { return }
        if maintenance.purgeScrub.through != through {
            maintenance.purgeScrub = PurgeScrub(through: through)
            resetIndexAfterPurge()
        }
        do throws(JournalError) {
            // The log has the hashes of the files.
            try eraseFiles()
            guard noteCache.journal.filesToErase.isEmpty else { return }
            // A backup reads the log, and emptying it would wait for the backup.
            if !maintenance.purgeScrub.isLogEmpty, maintenance.backup == nil {
                maintenance.purgeScrub.isLogEmpty = try noteCache.journal.scrubLog()
            }
            guard maintenance.purgeScrub.isLogEmpty, maintenance.purgeScrub.isIndexReset else { return }
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
        maintenance.purgeScrub.isIndexReset = true
        try scrub()
    }

    /// The response to a purge.
    func purged(_ outcome: Outcome, isReplay: Bool) -> Response {
        // A purge makes a revision whenever it is accepted.
        guard let dot = outcome.dot else { return .wrote(outcome, conflicts: [], isReplay: isReplay) }
        let files = isReplay || files.worker == nil ? nil : purgedFiles
        return .purged(dot, backups: noteCache.journal.copy?.backups ?? [], files: files, isReplay: isReplay)
    }

    /// The files that the newest purge erased and those that it kept; nil if they cannot be read.
    ///
    /// - Complexity: O(files that it names and others keep), at most some thousand rows.
    private var purgedFiles: PurgedFiles? {
        guard let erasure = noteCache.journal.fileErasures.last else { return PurgedFiles(erased: 0, kept: 0, notes: []) }
        var notes: [NoteID] = []
        for hash in erasure.kept.prefix(PurgedFiles.notesMax) {
            let namings = try? noteCache.journal.namings(of: hash, before: nil, limit: Self.namingsExaminedMax)
            guard let namings else { return nil }
            for naming in namings where notes.count < PurgedFiles.notesMax && !notes.contains(naming.note) {
                notes.append(naming.note)
            }
        }
        return PurgedFiles(erased: erasure.recorded.count, kept: erasure.kept.count, notes: notes)
    }

    /// The newest names of a file among which a purge looks for notes.
    private static let namingsExaminedMax = 64
}
