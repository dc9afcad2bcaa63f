import Dependents
package import NotesModel
package import NotesStore

/// The audit of a store that no daemon has: the same as `daemon.audit`, from beginning to end.
package enum OfflineAudit {
    /// - Parameter progress: notes done, and in all; called after some.
    /// - Throws: what keeps the audit from going on; damage is a finding.
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
