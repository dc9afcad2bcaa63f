import Causality
import NotesModel
import NotesStore
import TextMerge

/// An audit on its way through the store, one bounded step at a time, while the daemon serves.
///
/// Notes are taken in the order of their newest commits. One that changes meanwhile moves to the end of that order and is looked at
/// there, once.
struct Audit {
    let dependent: DependentID
    let ticket: UInt64
    private var report = AuditReport(notes: 0, revisions: 0, findings: [])
    /// Notes whose newest commits are up to here have been taken.
    private var through: UInt64 = 0
    private var seen: Set<NoteID> = []
    private var queue: [StoredHead] = []
    private var stage = Stage.between
    private(set) var isDone = false

    private enum Stage {
        case between
        /// Reading a note's revisions, newest first; those read so far in commit order at the end.
        case reading(StoredHead, [StoredRevision], before: UInt64?)
        case checking(NoteAudit)
        case quarantine(after: UInt64)
    }

    /// What one step does at most, about: rows read, bytes of text worked through, notes asked for.
    private static let rows = 256
    private static let bytes = 4 << 20
    private static let notes = 64

    init(dependent: DependentID, ticket: UInt64) {
        self.dependent = dependent
        self.ticket = ticket
    }

    var finished: AuditReport { report }

    /// How many notes are done, and how many there are.
    func progress(of statistics: StoreStatistics) -> (done: Int, total: Int) {
        (report.notes, max(report.notes, statistics.notes + statistics.tombstones))
    }

    mutating func step(_ journal: any Journal) throws(JournalError) {
        switch stage {
        case .between: try takeNext(journal)
        case .reading(let stored, let revisions, let before): try read(stored, revisions, before, journal)
        case .checking(var audit):
            stage = .between
            audit.step(bytes: Self.bytes)
            guard audit.isDone else { return stage = .checking(audit) }
            report.notes += 1
            report.findings += audit.findings
        case .quarantine(let after): try listQuarantine(after, journal)
        }
    }

    private mutating func takeNext(_ journal: any Journal) throws(JournalError) {
        if queue.isEmpty {
            let changed = try journal.changed(after: through, through: journal.lastSequence, limit: Self.notes)
            guard let last = changed.last else { return stage = .quarantine(after: 0) }
            through = last.sequence
            queue = changed.filter { !seen.contains($0.head.id) }.reversed()
        }
        guard let stored = queue.popLast() else { return }
        // Its state when its turn comes: it may have changed since the page was read.
        guard seen.insert(stored.head.id).inserted, let now = try journal.head(of: stored.head.id) else { return }
        stage = .reading(now, [], before: nil)
    }

    /// Reads on. A note that changed since the reading began is read again from its new end: only what is one state is compared.
    private mutating func read(
        _ stored: StoredHead, _ revisions: [StoredRevision], _ before: UInt64?, _ journal: any Journal
    ) throws(JournalError) {
        stage = .between
        guard let now = try journal.head(of: stored.head.id) else { return }
        guard now.sequence == stored.sequence || before != nil else { return stage = .reading(now, [], before: nil) }
        do throws(JournalError) {
            let page = try journal.stored(of: stored.head.id, before: before, limit: Self.rows)
            let all = revisions + page.revisions
            report.revisions += page.revisions.count
            if let next = page.next { return stage = .reading(stored, all, before: next) }
            stage = .checking(NoteAudit(all.reversed(), head: stored.head))
        } catch {
            if case .fatal = error { throw error }
            report.notes += 1
            report.findings.append(AuditFinding(note: stored.head.id, dot: nil, what: "it cannot be read: \(error.message)"))
        }
    }

    private mutating func listQuarantine(_ after: UInt64, _ journal: any Journal) throws(JournalError) {
        let page = try journal.quarantined(after: after, limit: Self.notes)
        guard let last = page.last else {
            isDone = true
            return
        }
        for kept in page {
            let revision = kept.quarantined.revision
            report.findings.append(
                AuditFinding(
                    note: revision.note, dot: revision.dot,
                    what: "a revision of that name was set aside (\(kept.quarantined.reason)); both are kept: it puts in "
                        + Self.excerpt(revision)))
        }
        stage = .quarantine(after: last.number)
    }

    /// The beginning of what a revision put in.
    private static func excerpt(_ revision: Revision) -> String {
        let bytes = revision.edits.flatMap(\.replacement)
        let start = String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription
        return bytes.count > 60 ? "\(start)… (\(bytes.count) bytes)" : start
    }
}
