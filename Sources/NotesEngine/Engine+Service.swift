package import NotesModel
import NotesStore

/// How the engine is, told from between two commits.
package struct Heartbeat: Hashable, Sendable {
    /// Living ones.
    package let notes: Int
    package let dependents: Int
    /// Of this store, ever.
    package let commits: UInt64
    /// Of the newest commit; nil where there was none in this store.
    package let lastCommitAt: Timestamp?
    package let state: Status.StoreState
}

extension Engine {
    /// Waits for its turn like everything else that is asked, so it comes back only from an engine that goes on.
    ///
    /// - Returns: nil where the engine takes nothing any more, or the store cannot be read.
    package nonisolated func heartbeat() async -> Heartbeat? {
        try? await runOnEngine { engine throws(JournalError) in
            let status = try engine.status()
            return Heartbeat(
                notes: status.store.notes, dependents: status.dependents, commits: status.store.commits,
                lastCommitAt: status.store.lastCommit, state: status.state)
        }
    }

    /// What of old texts is kept from now on. A pass that is under way ends as it began.
    package nonisolated func keepHistory(_ policy: HistoryPolicy) async {
        try? await runOnEngine { engine throws(JournalError) in
            guard engine.history != policy else { return }
            engine.history = policy
            engine.compactedAt = nil
        }
    }
}
