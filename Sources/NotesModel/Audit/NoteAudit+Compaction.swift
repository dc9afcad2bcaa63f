import Causality
import TextMerge

/// The audit of the rows up to the compaction floor.
extension NoteAudit {
    /// Audits a revision below the compaction floor: its place in the graph, its marks and its
    /// name. Its text may be gone.
    mutating func checkBelow(_ row: StoredRevision) -> Bool {
        let revision = row.revision
        guard fits(revision, into: below) else { return false }
        if row.isCompacted, !revision.edits.isEmpty || row.text != nil {
            find(.texts, revision.dot, "its text was compacted, but a part of it remains")
        }
        if let finding = Self.changedContent(row) { findings.append(finding) }
        let version = Version(revision.dot)
        let coversAll = revision.parents == below.siblings
        names.record(revision.dot, revision.name)
        below.insert(revision.dot, parents: revision.parents)
        vector.record(revision.dot)
        let name = names.name(at: version, in: below, withdrawn: withdrawnBelow(at: version))
        let expected = DerivedRow(dot: revision.dot, coversAll: coversAll, name: row.isDeleted ? nil : name, state: nil)
        for difference in expected.differences(from: row) { find(.derived, revision.dot, difference) }
        if keepsDerived { derived.append(expected) }
        if coversAll, isPassed[next] {
            names = NameRegister(floor: name)
            below = RevisionGraph(floor: version)
            belowFrom = next + 1
        }
        return true
    }

    /// The revisions below the compaction floor, since their last critical version, that are
    /// withdrawn at a version.
    private func withdrawnBelow(at version: Version) -> Set<Dot> {
        var withdrawn: Set<Dot> = []
        for row in rows[belowFrom...next].reversed() where below.ordinal(of: row.revision.dot) != nil && row.revision.isWithdrawal
        {
            guard below.covers(version, row.revision.dot), !withdrawn.contains(row.revision.dot) else { continue }
            withdrawn.formUnion(row.revision.withdraws)
        }
        return withdrawn
    }

    /// Audits the compaction floor: a critical version with its text, from which all later texts
    /// are computed.
    mutating func checkCompactionFloor(_ row: StoredRevision) -> Bool {
        let dot = row.revision.dot
        let text = row.isDeleted ? [] : row.text
        guard !row.isCompacted, let text else {
            find(.texts, dot, "it is the compaction floor, but it has no text")
            return false
        }
        guard checkBelow(row) else { return false }
        guard below.floor == Version(dot) else {
            find(.texts, dot, "it is the compaction floor, but does not separate all earlier revisions from all later ones")
            return false
        }
        if row.kept != RevisionHash(ofText: text) {
            find(.texts, dot, "its text, which later revisions depend on, does not match the stored hash")
        }
        if text.count != row.bytes { find(.texts, dot, "its text has \(text.count) bytes, but the store records \(row.bytes)") }
        if !row.conflicts.isEmpty { find(.texts, dot, "it is the compaction floor, but a conflict is open at it") }
        let state = ViewFloor(text: text, lastLine: row.lastLine, isDeleted: row.isDeleted, conflicts: [])
        view = View(floor: dot, state, naming: .sha256)
        return true
    }
}
