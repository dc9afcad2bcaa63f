package import Causality

/// What came of reading a whole store again and working out anew what it holds, for `daemon.audit`.
package struct AuditReport: Hashable, Sendable {
    /// How many were looked at.
    package var notes: Int
    package var revisions: Int
    /// Empty where all is well.
    package var findings: [AuditFinding]
    /// Revisions of other replicas that came before their parents, by note. They are no fault, and shown once those are here.
    package var waiting: [AuditWaiting]
    /// How many of the revisions have had their texts thinned out.
    package var compacted: Int

    package init(
        notes: Int, revisions: Int, findings: [AuditFinding], waiting: [AuditWaiting] = [], compacted: Int = 0
    ) {
        self.notes = notes
        self.revisions = revisions
        self.findings = findings
        self.waiting = waiting
        self.compacted = compacted
    }
}

/// What waits for its parents in one note.
package struct AuditWaiting: Hashable, Sendable {
    /// How many parents are named at most.
    package static let parentsMax = 100

    package var note: NoteID
    /// How many wait.
    package var revisions: Int
    /// Those that have to come first, the least dots of them, at most `parentsMax`: parents that are neither here nor wait themselves.
    package var parents: [Dot]

    package init(note: NoteID, revisions: Int, parents: [Dot]) {
        self.note = note
        self.revisions = revisions
        self.parents = parents
    }
}

/// One thing that is not as it should be.
package struct AuditFinding: Hashable, Sendable {
    /// Nil where it is the store's own.
    package var note: NoteID?
    /// The revision; nil where it is none's.
    package var dot: Dot?
    /// A sentence for people, without a full stop.
    package var what: String

    package init(note: NoteID?, dot: Dot?, what: String) {
        self.note = note
        self.dot = dot
        self.what = what
    }
}
