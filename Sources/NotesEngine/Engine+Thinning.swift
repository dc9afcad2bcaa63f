package import Causality
import Dependents
import Logging
package import NotesModel
import NotesStore

extension Engine {
    /// Between the starts of two passes.
    static let secondsBetweenThinnings: UInt64 = 86_400

    /// Begins a pass over the store at the first tick, and then once a day.
    func beginThinning(at seconds: UInt64) {
        guard thinning == nil, !isEnding, let until = history.until(now: now()),
            seconds >= thinnedAt.map({ $0 + Self.secondsBetweenThinnings }) ?? 0
        else { return }
        thinnedAt = seconds
        thinning = ThinningRun(until: until)
    }

    /// One step of the pass under way. One that fails ends it until the next day; what was done stays done.
    func thin() throws(JournalError) {
        guard var run = thinning else { return }
        thinning = nil
        do throws(JournalError) {
            if let step = try run.next(library.journal, bound: dependents.oldestNeeded ?? .max) {
                try append([.thinned(step)])
                library.forget(step.note)
            }
        } catch {
            if case .fatal = error { throw error }
            logger.error("old texts could not be thinned out", metadata: ["event": "thinning-failed", "error": "\(error)"])
            return
        }
        guard run.isDone else {
            thinning = run
            return
        }
        logger.info(
            "old texts were thinned out",
            metadata: ["event": "thinned", "notes": "\(run.thinnedNotes)", "revisions": "\(run.thinnedRevisions)"])
    }

    /// Whether a pass is under way. Asking takes a turn, and a pass goes on by a step after each.
    package nonisolated func isThinning() async throws(Failure) -> Bool {
        try await inTurn { engine throws(JournalError) in engine.thinning != nil }
    }

    /// A peer has said what it knows, in place of what it said before. What it lacks is not thinned out from now on.
    ///
    /// - Throws: `storageFailed` where as many peers are known as may be (`PeerName.countMax`).
    package nonisolated func heard(from peer: PeerName, knows known: DotSet) async throws(Failure) {
        try await inTurn { engine throws(JournalError) in try engine.append([.heard(peer, knows: known)]) }
    }

    /// A peer is one no more: what it lacks is not kept for it.
    package nonisolated func forget(_ peer: PeerName) async throws(Failure) {
        try await inTurn { engine throws(JournalError) in try engine.append([.forgotten(peer)]) }
    }
}
