import Dependents
import NoteText
import NotesModel

/// The part of an audit that compares the files that revisions name with the folder.
struct FileAudit {
    let dependent: DependentID
    let requestNumber: UInt64
    var report: AuditReport
    /// Whether to compare the hash of each file.
    let isHashed: Bool
    /// Set when the report is not needed any more.
    let stop: CancellationFlag
    /// The last file that was compared.
    var after: FileHash?
    /// The number of files that are missing or damaged.
    var missing = 0

    /// Files that one step compares.
    static let filesPerStep = 64
    /// Files that are reported one by one; the rest are counted.
    static let reportedMax = 1_000
    /// Milliseconds between two steps that hash 4 MiB, so that an audit reads at most 64 MiB a second.
    static let pause = 62

    init(_ audit: Audit) {
        (dependent, requestNumber, report, stop) = (audit.dependent, audit.requestNumber, audit.finished, audit.stop)
        isHashed = audit.hashesFiles
    }

    mutating func add(_ what: String, note: NoteID?) {
        missing += 1
        guard missing <= Self.reportedMax else { return }
        report.findings.append(AuditFinding(note: note, dot: nil, what: what, affects: .files))
    }
}
