package import NotesModel
import NotesStore

/// The health of the engine, taken between two commits.
package struct Heartbeat: Hashable, Sendable {
    /// The number of living notes.
    package let notes: Int
    /// The number of registered dependents.
    package let dependents: Int
    /// The number of commits that this store has ever made.
    package let commits: UInt64
    /// The time of the newest commit; nil if this store has none.
    package let lastCommitAt: Timestamp?
    /// Whether the store accepts writes.
    package let state: Status.StoreState
}

extension Engine {
    /// Waits for its turn like any other input, so that it returns only if the engine makes
    /// progress. The watchdog relies on this.
    ///
    /// - Returns: nil if the engine accepts no more inputs, or if the store cannot be read.
    package nonisolated func heartbeat() async -> Heartbeat? {
        try? await runOnEngine { engine throws(JournalError) in
            let status = try engine.status()
            return Heartbeat(
                notes: status.store.notes, dependents: status.dependents, commits: status.store.commits,
                lastCommitAt: status.store.lastCommit, state: status.state)
        }
    }

    /// Sets which old texts are kept. A running compaction pass ends with the policy it began with.
    package nonisolated func keepHistory(_ policy: HistoryPolicy) async {
        try? await runOnEngine { engine throws(JournalError) in
            guard engine.maintenance.history != policy else { return }
            engine.maintenance.history = policy
            engine.maintenance.compactedAt = nil
        }
    }

    /// Sets the size in bytes above which files of other stores are declined. What is there stays.
    package nonisolated func fetchFiles(upTo bytes: Int) async {
        try? await runOnEngine { engine throws(JournalError) in engine.files.fetchBytesMax = bytes }
    }
}
