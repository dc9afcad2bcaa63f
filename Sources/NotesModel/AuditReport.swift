package import Causality

/// What came of reading a whole store again and working out anew what it holds, for `daemon.audit`.
package struct AuditReport: Hashable, Sendable {
    /// How many were looked at.
    package var notes: Int
    package var revisions: Int
    /// Empty where all is well.
    package var findings: [AuditFinding]

    package init(notes: Int, revisions: Int, findings: [AuditFinding]) {
        self.notes = notes
        self.revisions = revisions
        self.findings = findings
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
