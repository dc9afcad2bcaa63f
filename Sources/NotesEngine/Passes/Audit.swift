import Causality
import NotesModel
import NotesStore

/// A running audit of the store, which executes one bounded step at a time while the daemon serves.
///
/// It checks notes in the order of their newest commits. A note that changes meanwhile moves to the
/// end of that order and is checked there, once.
struct Audit {
    let dependent: DependentID
    let requestNumber: UInt64
    /// Whether to hash the bytes of files, too, after the notes.
    let hashesFiles: Bool
    /// Set when the report is not needed any more.
    let stop = CancellationFlag()
    private var report = AuditReport(notes: 0, revisions: 0, findings: [])
    /// Notes whose newest commit is at or before this one were taken.
    private var through: UInt64 = 0
    private var seen: Set<NoteID> = []
    private var queue: [StoredHead] = []
    private var stage = Stage.between
    /// The commits that existed at the start, and which of them belong to a checked note; nil
    /// before the first step.
    private var unreached: UnreachedCommits?
    private var unreachedCount = 0
    private var holdingAudit = HoldingAudit()
    private(set) var isDone = false

    /// Where the audit is.
    private enum Stage {
        case between
        /// Reading the revisions of a note, newest first; the array holds those read so far.
        case reading(StoredHead, [StoredRevision], isReadable: Bool, before: UInt64?)
        case checking(NoteAudit)
        /// Another thread checks a note (`takeLongCheck`).
        case away
        /// Reporting the commits that belong to no note.
        case unreached(after: UInt64)
        case held(HoldingArea, after: UInt64)
    }

    /// Approximate limits of one step: rows read, bytes of text processed, and notes read.
    private static let rows = 256
    private static let bytes = 4 << 20
    private static let notes = 64
    /// The bytes of text that a check on another thread processes before other jobs of that thread.
    static let bytesPerJob = 1 << 20
    /// The number of commits without a note that are reported one by one; the rest are counted.
    private static let unreachedMax = 1_000

    init(dependent: DependentID, requestNumber: UInt64, hashesFiles: Bool = false) {
        self.hashesFiles = hashesFiles
        self.dependent = dependent
        self.requestNumber = requestNumber
    }

    var finished: AuditReport { report }

    /// The number of checked notes, and the number of all notes.
    func progress(of statistics: StoreStatistics) -> (done: Int, total: Int) {
        (report.notes, max(report.notes, statistics.notes + statistics.tombstones))
    }

    /// Executes one step. Corruption is a finding; the daemon continues.
    mutating func step(_ journal: any Journal) throws(JournalError) {
        if unreached == nil { unreached = UnreachedCommits(through: journal.lastSequence) }
        try journal.toleratingCorruption { () throws(JournalError) in try stepInspecting(journal) }
    }

    private mutating func stepInspecting(_ journal: any Journal) throws(JournalError) {
        switch stage {
        case .between: try takeNext(journal)
        case .reading(let stored, let revisions, let isReadable, let before):
            try read(stored, revisions, isReadable, before, journal)
        case .checking(var check):
            stage = .away
            check.step(bytes: Self.bytes)
            putBack(check)
        case .away: break
        case .unreached(let after): try nameUnreached(after, journal)
        case .held(let area, let after): try list(area, after, journal)
        }
    }

    /// Whether another thread checks a note.
    var isAway: Bool { if case .away = stage { true } else { false } }

    /// Removes and returns the check of a note if its next step may take long.
    ///
    /// - Parameter revisionsMax: the number of revisions whose check is short if the note is short.
    mutating func takeLongCheck(revisionsMax: Int) -> NoteAudit? {
        guard case .checking(let check) = stage, check.isLong(revisionsMax: revisionsMax, bytesMax: Self.bytesPerJob) else {
            return nil
        }
        stage = .away
        return check
    }

    /// Takes in a check after a step.
    mutating func putBack(_ check: NoteAudit) {
        guard check.isDone else {
            stage = .checking(check)
            return
        }
        stage = .between
        report.notes += 1
        report.findings += check.findings
    }

    private mutating func takeNext(_ journal: any Journal) throws(JournalError) {
        if queue.isEmpty {
            stage = .unreached(after: 0)
            let after = through
            let what = "notes last changed after commit \(after) cannot be read"
            let page = try found(what) { () throws(JournalError) in
                try journal.changed(after: after, through: journal.lastSequence, limit: Self.notes)
            }
            guard let changed = page, let last = changed.last else { return }
            stage = .between
            through = last.sequence
            queue = changed.filter { !seen.contains($0.head.id) }.reversed()
        }
        guard let stored = queue.popLast() else { return }
        // The note may have changed since the page was read, so its current state is read.
        guard seen.insert(stored.head.id).inserted, let now = try head(of: stored.head.id, journal) else { return }
        stage = .reading(now, [], isReadable: true, before: nil)
    }

    private mutating func head(of id: NoteID, _ journal: any Journal) throws(JournalError) -> StoredHead? {
        try found("the note cannot be read", note: id) { () throws(JournalError) in try journal.head(of: id) } ?? nil
    }

    /// The result of a read; nil if it fails, which adds a finding.
    private mutating func found<Value>(
        _ what: String, note: NoteID? = nil, _ body: () throws(JournalError) -> Value
    ) throws(JournalError) -> Value? {
        do throws(JournalError) {
            return try body()
        } catch {
            if case .fatal = error { throw error }
            report.findings.append(AuditFinding(note: note, dot: nil, what: "\(what): \(error.message)"))
            return nil
        }
    }

    /// Reads the next revisions of a note. If the note changed before its first revisions were read, or
    /// may have been purged since, reading starts again from its newest revision: only rows of one state
    /// are compared.
    private mutating func read(
        _ stored: StoredHead, _ revisions: [StoredRevision], _ isReadable: Bool, _ before: UInt64?, _ journal: any Journal
    ) throws(JournalError) {
        stage = .between
        let id = stored.head.id
        guard let now = try head(of: id, journal) else { return }
        guard now.sequence == stored.sequence || before != nil && journal.compactedThrough <= stored.sequence else {
            // Rows that were read before a purge do not fit those that it erased.
            count(revisions, times: -1)
            stage = .reading(now, [], isReadable: true, before: nil)
            return
        }
        let read = try found("its revisions cannot be read", note: id) { () throws(JournalError) in
            try journal.stored(of: id, before: before, limit: Self.rows)
        }
        guard let page = read else {
            report.notes += 1
            return
        }
        let all = revisions + page.revisions
        for commit in page.commits { unreached?.reach(commit) }
        count(page.revisions, times: 1)
        report.findings += page.unreadable.map {
            AuditFinding(note: id, dot: $0.dot, what: "the revision cannot be read: \($0.what)")
        }
        report.findings += page.misnamed.map { AuditFinding(note: id, dot: $0.dot, what: $0.what, affects: .derived) }
        let isReadable = isReadable && page.unreadable.isEmpty
        if let next = page.next {
            stage = .reading(stored, all, isReadable: isReadable, before: next)
            return
        }
        // Unreadable revisions are reported; revisions that build on them cannot be checked.
        guard isReadable else {
            report.findings += all.reversed().compactMap(NoteAudit.changedContent)
            report.notes += 1
            return
        }
        stage = .checking(NoteAudit(all.reversed(), head: stored.head))
    }

    /// Adds revisions to the counts of the report, or takes them back with -1.
    private mutating func count(_ revisions: [StoredRevision], times: Int) {
        report.revisions += times * revisions.count
        report.compacted += times * revisions.count { $0.isCompacted }
    }

    private mutating func nameUnreached(_ after: UInt64, _ journal: any Journal) throws(JournalError) {
        var after = after
        for _ in 0..<Self.notes {
            guard let commit = unreached?.first(after: after) else {
                let rest = unreachedCount - Self.unreachedMax
                let what = "\(rest) more commits belong to no note either"
                if rest > 0 { report.findings.append(AuditFinding(note: nil, dot: nil, what: what)) }
                stage = .held(.quarantine, after: 0)
                return
            }
            after = commit
            unreachedCount += 1
            guard unreachedCount <= Self.unreachedMax else { continue }
            let dot = try found("the dot of commit \(commit) cannot be read") { () throws(JournalError) in
                try journal.dot(ofCommit: commit)
            }
            let what = "commit \(commit) belongs to no note: no note's history contains it"
            report.findings.append(AuditFinding(note: nil, dot: dot ?? nil, what: what))
        }
        stage = .unreached(after: after)
    }

    private mutating func list(_ area: HoldingArea, _ after: UInt64, _ journal: any Journal) throws(JournalError) {
        let rows = try found("the holding area cannot be read") { () throws(JournalError) in
            try journal.held(in: area, after: after, limit: Self.notes)
        }
        guard let rows, let last = rows.last else {
            if area == .quarantine {
                stage = .held(.waiting, after: 0)
            } else {
                holdingAudit.add(to: &report)
                isDone = true
            }
            return
        }
        for row in rows {
            var holdingAudit = self.holdingAudit
            let finding = try found("the parents of a waiting revision cannot be looked up") { () throws(JournalError) in
                try holdingAudit.look(at: row, in: area, journal)
            }
            self.holdingAudit = holdingAudit
            if let finding = finding ?? nil { report.findings.append(finding) }
        }
        stage = .held(area, after: last.number)
    }
}
