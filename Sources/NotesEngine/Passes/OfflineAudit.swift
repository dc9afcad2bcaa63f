import Dependents
package import NotesModel
package import NotesStore

/// The audit of an offline store: the checks of `daemon.audit`, executed at once.
package enum OfflineAudit {
    /// Audits a store.
    ///
    /// - Parameter progress: receives the number of notes done and their total, after some notes.
    /// - Throws: errors that end the audit; corruption is a finding instead.
    /// - Complexity: O(revisions and their texts).
    package static func run(
        _ journal: any Journal, progress: (Int, Int) -> Void
    ) throws(JournalError) -> AuditReport {
        var audit = Audit(dependent: DependentID(0), requestNumber: 0)
        var delivered = 0
        while !audit.isDone {
            try audit.step(journal)
            let (done, total) = audit.progress(of: try journal.statistics())
            guard done > delivered else { continue }
            delivered = done
            progress(done, total)
        }
        return audit.finished
    }
}
