import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// Whether an audit can go on, which none can while another thread checks a note for it.
    var canAudit: Bool { maintenance.audits.contains { !$0.isAway } }

    /// Starts an audit. Returns the response if it is refused.
    func beginAudit(hashingFiles: Bool, _ request: Request) -> Response? {
        guard maintenance.audits.count + maintenance.fileAudits.count < Self.auditsMax else { return .failed(.overloaded) }
        queuedBehind[request.dependent] = []
        maintenance.audits.append(
            Audit(dependent: request.dependent, requestNumber: request.requestNumber, hashesFiles: hashingFiles))
        return nil
    }

    /// Executes one step of the first audit that can go on, and moves it behind the others.
    func audit() throws(JournalError) {
        guard let index = maintenance.audits.firstIndex(where: { !$0.isAway }) else { return }
        var audit = maintenance.audits.remove(at: index)
        if let check = audit.takeLongCheck(revisionsMax: configuration.shortWalkRevisionsMax) {
            maintenance.audits.append(audit)
            return handOver(check, of: audit)
        }
        let before = audit.finished.notes
        try audit.step(noteCache.journal)
        if audit.isDone { return try checkFiles(for: audit) }
        maintenance.audits.append(audit)
        if audit.finished.notes != before { try report(audit) }
    }

    /// Has the walk worker execute a step of the check of a note.
    private func handOver(_ check: NoteAudit, of audit: Audit) {
        let (dependent, requestNumber) = (audit.dependent, audit.requestNumber)
        walkWorker.run(check, unless: audit.stop) { check in
            check.step(bytes: Audit.bytesPerJob)
        } then: { [self] check in
            enqueue { engine throws(JournalError) in
                try engine.putBack(check, for: dependent, requestNumber: requestNumber)
            }
        }
    }

    /// Takes in the check of a note after a step.
    private func putBack(_ check: NoteAudit, for dependent: DependentID, requestNumber: UInt64) throws(JournalError) {
        guard let index = maintenance.audits.firstIndex(where: { $0.dependent == dependent && $0.requestNumber == requestNumber })
        else {
            return
        }
        maintenance.audits[index].putBack(check)
        if check.isDone { try report(maintenance.audits[index]) }
    }

    /// Drops the audits of a connection that has ended.
    func endAudits(of dependent: DependentID) {
        for audit in maintenance.audits where audit.dependent == dependent { audit.stop.cancel() }
        maintenance.audits.removeAll { $0.dependent == dependent }
        maintenance.fileAudits.removeValue(forKey: dependent)?.stop.cancel()
    }

    /// Refuses all audits, since the daemon is stopping.
    func endAudits() throws(JournalError) {
        while let audit = maintenance.audits.first {
            endAudits(of: audit.dependent)
            try release(audit.dependent, requestNumber: audit.requestNumber, .failed(.shuttingDown))
        }
        while let audit = maintenance.fileAudits.values.first {
            endAudits(of: audit.dependent)
            try release(audit.dependent, requestNumber: audit.requestNumber, .failed(.shuttingDown))
        }
    }

    /// Sends how far an audit is, after every 100 notes.
    private func report(_ audit: Audit) throws(JournalError) {
        let progress = audit.progress(of: try noteCache.journal.statistics())
        guard progress.done % Self.notesPerProgress == 0 else { return }
        var output = TurnOutput()
        output.respond(
            .progress(done: progress.done, total: progress.total), requestNumber: audit.requestNumber, to: audit.dependent)
        outputSink.deliver(output.connections)
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
