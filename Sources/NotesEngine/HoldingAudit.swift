import Causality
import NotesModel
import NotesStore
import TextMerge

/// What an audit says of the revisions that are kept beside the notes.
struct HoldingAudit {
    /// Every dot that is here, committed or waiting, when the first row was looked at.
    private var known: DotSet?
    private var waiting: [NoteID: (revisions: Int, lacked: Set<Dot>)] = [:]

    /// By note.
    var report: [AuditWaiting] {
        waiting.sorted { $0.key < $1.key }.map { note, found in
            AuditWaiting(
                note: note, revisions: found.revisions,
                parents: Array(found.lacked.sorted().prefix(AuditWaiting.parentsMax)))
        }
    }

    /// Looks at a row. Returns what is to be told of it, if anything.
    mutating func look(at row: HeldRow, on shelf: HoldingArea, _ journal: any Journal) throws(JournalError) -> AuditFinding? {
        switch row.content {
        case .unreadable(let why):
            let place = shelf == .waiting ? "waits for its parents" : "is quarantined"
            return AuditFinding(
                note: nil, dot: row.dot, what: "a revision that \(place), row \(row.number) of the holding area: \(why)")
        case .waiting(let revision):
            try count(revision, journal)
            return nil
        case .quarantined(let quarantined):
            let revision = quarantined.revision
            return AuditFinding(
                note: revision.note, dot: revision.dot,
                what: "another revision with this dot is quarantined (\(quarantined.reason)) and kept; it inserts "
                    + Self.excerpt(revision))
        }
    }

    private mutating func count(_ revision: Revision, _ journal: any Journal) throws(JournalError) {
        let here: DotSet
        if let known { here = known } else { here = try journal.knownDots() }
        known = here
        waiting[revision.note, default: (0, [])].revisions += 1
        waiting[revision.note, default: (0, [])].lacked.formUnion(revision.parents.dots.filter { !here.contains($0) })
    }

    /// The beginning of what a revision put in.
    private static func excerpt(_ revision: Revision) -> String {
        let bytes = revision.edits.flatMap(\.replacement)
        let start = String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription
        return bytes.count > 60 ? "\(start)… (\(bytes.count) bytes)" : start
    }
}
