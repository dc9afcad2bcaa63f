import Dependents
import Logging
import NotesModel
import NotesSearch
import NotesStore

extension Engine {
    /// Checks the search index as the last part of an audit, and adds its findings to the report.
    func checkIndex(for audit: FileAudit) throws(JournalError) {
        let (dependent, requestNumber) = (audit.dependent, audit.requestNumber)
        guard let indexWorker = searchCoordinator.indexWorker else {
            log(audit.report)
            return try release(dependent, requestNumber: requestNumber, .audited(audit.report))
        }
        let report = audit.report
        let stop = CancellationFlag(within: indexWorker.ending)
        searchCoordinator.underWay[dependent] = SearchCoordinator.UnderWay(
            requestNumber: requestNumber, reservation: nil, stop: stop)
        indexWorker.perform(until: stop) { index throws(SearchFault) in
            try index.check(until: { stop.isCancelled })
        } then: { [self] result in
            enqueue { engine throws(JournalError) in engine.checked(result, report, for: dependent, requestNumber: requestNumber)
            }
        }
    }

    private func checked(
        _ result: Result<[String], SearchFault>, _ report: AuditReport, for dependent: DependentID, requestNumber: UInt64
    ) {
        var report = report
        switch result {
        case .success(let findings):
            report.findings += findings.map {
                AuditFinding(
                    note: nil, dot: nil, what: "the search index was damaged and is being rebuilt: \($0)", affects: .derived)
            }
            if let first = findings.first { foundFault(.damaged(first)) }
        case .failure(.cancelled): return
        case .failure(let fault):
            let what = "the search index cannot be checked: \(fault)"
            report.findings.append(AuditFinding(note: nil, dot: nil, what: what, affects: .derived))
        }
        log(report)
        searchCoordinator.responses.append((dependent, requestNumber, .audited(report)))
    }
}
