package import Causality
import Dependents
import Logging
package import NotesModel
import NotesStore

extension Engine {
    /// Between the starts of two passes.
    static let secondsBetweenCompactions: UInt64 = 86_400

    /// Begins a pass over the store at the first tick, and then once a day.
    func beginCompaction(at seconds: UInt64) {
        guard compaction == nil, !isEnding, let until = history.until(now: now()),
            seconds >= compactedAt.map({ $0 + Self.secondsBetweenCompactions }) ?? 0
        else { return }
        compactedAt = seconds
        compaction = CompactionPass(until: until)
    }

    /// One step of the pass under way. One that fails ends it until the next day; what was done stays done.
    func compact() throws(JournalError) {
        guard var run = compaction else { return }
        compaction = nil
        do throws(JournalError) {
            if let step = try run.next(noteCache.journal, bound: dependents.oldestNeeded ?? .max) {
                try append([.compacted(step)])
                noteCache.forget(step.note)
            }
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                "compaction of old texts failed; the next attempt starts within a day",
                metadata: ["event": "thinning-failed", "error": "\(error)"])
            return
        }
        guard run.isDone else {
            compaction = run
            return
        }
        logger.info(
            "old texts were compacted",
            metadata: ["event": "thinned", "notes": "\(run.compactedNotes)", "revisions": "\(run.compactedRevisions)"])
    }

    /// Whether a pass is under way. Asking takes a turn, and a pass goes on by a step after each.
    package nonisolated func isCompacting() async throws(RequestFailure) -> Bool {
        try await runOnEngine { engine throws(JournalError) in engine.compaction != nil }
    }

    /// A peer has said what it knows, in place of what it said before. What it lacks is not thinned out from now on.
    ///
    /// - Throws: `storageFailed` where as many peers are known as may be (`PeerName.countMax`).
    package nonisolated func heard(from peer: PeerName, knows known: DotSet) async throws(RequestFailure) {
        try await runOnEngine { engine throws(JournalError) in try engine.append([.heard(peer, knows: known)]) }
    }

    /// A peer is one no more: what it lacks is not kept for it.
    package nonisolated func forget(_ peer: PeerName) async throws(RequestFailure) {
        try await runOnEngine { engine throws(JournalError) in try engine.append([.forgotten(peer)]) }
    }
}
