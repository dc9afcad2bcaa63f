import Causality
import NotesModel
import NotesSQL
import TextMerge

extension AppendTransaction {
    /// Writes the record of the revisions of a note that a purge has erased.
    func mark(_ commit: Commit, _ below: DotSet, ofNote number: UInt64) throws(SQLFault) {
        try MarkTable(database: database).replace(
            MarkTable.Record(
                floor: commit.revision.dot, below: below, text: commit.text, name: commit.name, isDeleted: commit.isDeleted,
                covers: DotSet()),
            ofNote: number, at: commit.sequence)
    }

    /// Refuses a revision whose edits overlap, which has no canonical bytes.
    func demandWritable(_ revision: LinkedRevision) throws(SQLFault) {
        guard revision.content.edits.fault(forLength: .max) == nil else { throw .refused("the edits of \(revision.dot) overlap") }
    }
}
