package import Causality

/// The result of `daemon.audit`, which reads the whole store and recomputes everything derived from
/// its revisions.
package struct AuditReport: Hashable, Sendable {
    /// The number of audited notes.
    package var notes: Int
    /// The number of audited revisions.
    package var revisions: Int
    /// The problems; empty when there are none.
    package var findings: [AuditFinding]
    /// The revisions of other replicas that arrived before their parents, by note. They are not
    /// problems: the store accepts them when the parents arrive.
    package var waiting: [AuditWaiting]
    /// The revisions of other replicas that were not accepted, in order of arrival. They are not problems:
    /// no note contains them, and any peer can offer such a revision.
    package var quarantined: [HeldRevision]
    /// The number of revisions whose texts were compacted.
    package var compacted: Int

    /// The number of revisions that wait or were not accepted.
    package var heldRevisions: Int { waiting.reduce(quarantined.count) { $0 + $1.revisions } }

    /// Whether there are problems, and all of them concern derived data only.
    package var affectsDerivedOnly: Bool { !findings.isEmpty && findings.allSatisfy { $0.affects == .derived } }
    /// Whether there are problems, and all of them concern the bytes of files only.
    package var affectsFilesOnly: Bool { !findings.isEmpty && findings.allSatisfy { $0.affects == .files } }

    package init(
        notes: Int, revisions: Int, findings: [AuditFinding], waiting: [AuditWaiting] = [], quarantined: [HeldRevision] = [],
        compacted: Int = 0
    ) {
        self.notes = notes
        self.revisions = revisions
        self.findings = findings
        self.waiting = waiting
        self.quarantined = quarantined
        self.compacted = compacted
    }
}

/// The revisions of one note that wait for parents.
package struct AuditWaiting: Hashable, Sendable {
    /// Maximum number of parents that are listed.
    package static let parentsMax = 100

    /// The note.
    package var note: NoteID
    /// The number of waiting revisions.
    package var revisions: Int
    /// The missing parents that are neither committed nor waiting, in ascending order, at most
    /// `parentsMax`.
    package var parents: [Dot]

    package init(note: NoteID, revisions: Int, parents: [Dot]) {
        self.note = note
        self.revisions = revisions
        self.parents = parents
    }
}

/// One problem that an audit found.
package struct AuditFinding: Hashable, Sendable {
    /// The note; nil when the problem concerns the whole store.
    package var note: NoteID?
    /// The revision; nil when the problem does not concern a single revision.
    package var dot: Dot?
    /// A sentence for people, without a full stop.
    package var what: String
    /// Whether texts are affected.
    package var affects: Affected

    /// The data that a problem concerns.
    package enum Affected: Hashable, Sendable {
        /// Texts or revisions, or data that must be intact for an audit to tell.
        case texts
        /// Only data that a store derives from revisions and can derive again: names, open conflicts,
        /// marks, merged states, heads and the search index.
        case derived
        /// Only the bytes of files, which are not in the database.
        case files
    }

    package init(note: NoteID?, dot: Dot?, what: String, affects: Affected = .texts) {
        self.note = note
        self.dot = dot
        self.what = what
        self.affects = affects
    }
}
