import Causality
import NoteText
import NotesModel
import NotesSQL
import TextMerge

/// Writes the derived values of a note's rows, oldest first, as appending the revisions would have
/// stored them.
struct RowRebuild {
    let database: Database
    var reader: RevisionReader
    private(set) var replicas: ReplicaTable
    private var name: NoteName?
    /// The commit whose row has `name`. Meaningless if `name` is nil.
    private var nameCommit: UInt64 = 0
    /// The cost of reading the merged text, as `TextChain` counts it; nil before the first row.
    private var mergedTextChain: Int?

    init(database: Database, reader: RevisionReader) {
        self.database = database
        self.reader = reader
        replicas = reader.replicas
    }

    mutating func write(_ derived: DerivedRow, of revision: Revision, at commit: UInt64) throws(SQLFault) {
        let old = try reader.row(required: commit)
        guard try reader.dot(of: commit) == derived.dot else { throw .malformed("commit \(commit) is not \(derived.dot)") }
        var row = old
        var extra = try reader.extra(of: old)
        set(&row, &extra, derived, of: revision)
        row.extra = try extra.bytes(&replicas, addingTo: database)
        if row.flags != old.flags || row.name != old.name || row.extra != old.extra { try row.updateDerived(in: database) }
        try reader.rename(row)
        try writeMerged(derived, at: row)
    }

    /// Sets the derived columns of a row.
    private mutating func set(
        _ row: inout RevisionRow, _ extra: inout RevisionExtra, _ derived: DerivedRow, of revision: Revision
    ) {
        row.flags.subtract([.coversAll, .setsOwnName, .setsOtherName])
        if derived.coversAll { row.flags.insert(.coversAll) }
        if derived.name != name { nameCommit = row.sequence }
        row.name = derived.name.map { $0 == name ? .inCommit(nameCommit) : .here($0.bytes.utf8) } ?? .none
        name = derived.name
        extra.otherName = nil
        if case .set(let wanted) = revision.name {
            row.flags.insert(wanted == derived.name ? .setsOwnName : .setsOtherName)
            if wanted != derived.name { extra.otherName = wanted }
        }
        guard let state = derived.state else { return }
        row.flags.subtract([.hidesLast, .hidesAbsentLast, .deletedByUndo])
        row.flags.formUnion(RevisionRow.Flags(lastLine: state.lastLine))
        if state.isDeleted, !revision.isTombstone { row.flags.insert(.deletedByUndo) }
        extra.conflicts = state.conflicts
    }

    /// Writes the merged state after a revision that does not cover all.
    private mutating func writeMerged(_ derived: DerivedRow, at row: RevisionRow) throws(SQLFault) {
        guard let state = derived.state else {
            mergedTextChain = row.chain
            return
        }
        let table = MergedTextTable(database: database)
        try table.remove(row.sequence)
        guard let merged = state.merged else {
            mergedTextChain = row.chain
            return
        }
        mergedTextChain = try table.insert(
            merged.text, as: merged.head, at: row.sequence, after: mergedTextChain, &replicas)
    }
}
