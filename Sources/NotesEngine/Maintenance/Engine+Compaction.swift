import Causality
import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// The seconds between the starts of two passes.
    static let secondsBetweenCompactions: UInt64 = 86_400

    /// Starts a compaction pass at the first tick, and then once a day.
    func beginCompaction(at seconds: UInt64) {
        guard maintenance.compaction == nil, !isEnding, let until = maintenance.history.until(now: now()),
            seconds >= maintenance.compactedAt.map({ $0 + Self.secondsBetweenCompactions }) ?? 0
        else { return }
        maintenance.compactedAt = seconds
        maintenance.compaction = CompactionPass(until: until)
        for id in exchange.reopenings.byNote.keys { maintenance.compaction?.spare(id) }
    }

    /// Executes one step of the running pass. A step that fails ends the pass until the next day;
    /// finished steps stay in effect.
    func compact() throws(JournalError) {
        guard var run = maintenance.compaction else { return }
        maintenance.compaction = nil
        do throws(JournalError) {
            if let step = try run.next(
                noteCache.journal, bound: min(dependents.oldestNeeded ?? .max, longReads.oldestHeld ?? .max))
            {
                try append([.compacted(step)])
                noteCache.forget(step.note)
                longReads.compacted(step.note)
            }
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                "compaction of old texts failed; the next attempt starts within a day",
                metadata: ["event": "compaction-failed", "error": "\(error)"])
            return
        }
        guard run.isDone else {
            maintenance.compaction = run
            return
        }
        logger.info(
            "old texts were compacted",
            metadata: ["event": "compacted", "notes": "\(run.compactedNotes)", "revisions": "\(run.compactedRevisions)"])
    }
}
