import Logging
import NotesModel
import NotesStore

extension Engine {
    /// Executes one step of the first running audit, and moves it behind the others.
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
            mail.answer(
                .progress(done: progress.done, total: progress.total), requestNumber: audit.requestNumber, to: audit.dependent)
            outputSink.deliver(mail.parcels)
        }
        audits.append(audit)
    }

    /// Logs the number of findings of an audit, if there are any.
    func log(_ report: AuditReport) {
        let findings = report.findings.count
        guard findings > 0 else { return }
        logger.error(
            "an audit found \(findings) \(findings == 1 ? "fault" : "faults"); run `notesctl audit` to list them",
            metadata: ["event": "audit-findings", "findings": "\(findings)"])
    }

    /// The number of audits that may run at once: each remembers the notes that it has read.
    static let auditsMax = 4
    /// The number of notes between two progress lines.
    private static let notesPerProgress = 100
}
