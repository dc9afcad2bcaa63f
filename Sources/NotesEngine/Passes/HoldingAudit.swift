import Causality
import NotesModel
import NotesStore

/// The part of an audit that checks the holding area: the revisions that wait for their parents,
/// and the quarantined ones.
struct HoldingAudit {
    /// Every dot in the store, committed or waiting, when the first row was checked.
    private var known: DotSet?
    /// The waiting revisions of each note, and the parents that the store lacks.
    private var waiting: [NoteID: (revisions: Int, missingRevisions: Set<Dot>)] = [:]

    /// The quarantined revisions.
    private var quarantined: [HeldRevision] = []

    /// Adds the waiting revisions by note, and the quarantined ones.
    func add(to report: inout AuditReport) {
        report.quarantined = quarantined
        report.waiting = waiting.sorted { $0.key < $1.key }.map { note, found in
            AuditWaiting(
                note: note, revisions: found.revisions,
                parents: Array(found.missingRevisions.sorted().prefix(AuditWaiting.parentsMax)))
        }
    }

    /// Checks a row. Returns a finding if it is damaged.
    mutating func look(at row: HeldRow, in area: HoldingArea, _ journal: any Journal) throws(JournalError) -> AuditFinding? {
        switch row.content {
        case .unreadable(let why):
            let place = area == .waiting ? "waits for its parents" : "is quarantined"
            return AuditFinding(
                note: nil, dot: row.dot, what: "a revision that \(place), row \(row.number) of the holding area: \(why)")
        case .waiting(let revision):
            try count(revision.content, journal)
            return nil
        case .quarantined(let quarantined):
            self.quarantined.append(HeldRevision(quarantined.revision.content, reason: quarantined.reason))
            return nil
        }
    }

    private mutating func count(_ revision: Revision, _ journal: any Journal) throws(JournalError) {
        let here: DotSet
        if let known { here = known } else { here = try journal.knownDots() }
        known = here
        waiting[revision.note, default: (0, [])].revisions += 1
        waiting[revision.note, default: (0, [])].missingRevisions.formUnion(revision.parents.dots.filter { !here.contains($0) })
    }
}
