import Logging
import NotesModel
import NotesStore

extension Engine {
    /// One step of the first audit under way; the others take their turns behind it.
    func audit() throws(JournalError) {
        var audit = audits.removeFirst()
        var mail = Mail()
        let before = audit.finished.notes
        try audit.step(noteCache.journal)
        if audit.isDone {
            return try checkIndex(for: audit)
        }
        let progress = audit.progress(of: try noteCache.journal.statistics())
        if audit.finished.notes != before, progress.done % Self.notesPerProgress == 0 {
            mail.answer(.progress(done: progress.done, total: progress.total), requestNumber: audit.requestNumber, to: audit.dependent)
            outputSink.deliver(mail.parcels)
        }
        audits.append(audit)
    }

    /// Says in the log what an audit found, where it found something.
    func log(_ report: AuditReport) {
        let findings = report.findings.count
        guard findings > 0 else { return }
        logger.error(
            "an audit found \(findings) \(findings == 1 ? "fault" : "faults"); run `notesctl audit` to list them",
            metadata: ["event": "audit-findings", "findings": "\(findings)"])
    }

    /// So many are under way at once: each remembers all that it has read.
    static let auditsMax = 4
    /// How many notes are audited between two lines that say how far it is.
    private static let notesPerProgress = 100
}
