import NotesModel
import NotesSQL
import TextMerge

extension AppendTransaction {
    /// Gives texts back to rows that compaction stripped of them.
    ///
    /// - Complexity: O(bytes of the texts).
    func reopen(_ reopening: Reopening, over memtable: HeadMemtable) throws(SQLFault) {
        let reader = RevisionReader(database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors)
        guard let entry = try entry(of: reopening.note, over: memtable) else {
            throw .refused("there is no note \(reopening.note) to reopen")
        }
        for text in reopening.texts {
            guard var row = try reader.row(at: text.sequence), row.note == entry.number, row.flags.contains(.compacted),
                !row.flags.contains(.erased)
            else { throw .refused("commit \(text.sequence) cannot get a text back") }
            row.flags.subtract([.compacted, .compactionFloor, .wholeInEdits, .file])
            if text.isFile { row.flags.insert(.file) }
            if text.isFloor {
                row.flags.insert(.compactionFloor)
                row.chain = 0
            } else if !row.flags.contains(.tombstone), text.edits.count == 1, text.edits[0].replacement.count == row.bytes {
                row.flags.insert(.wholeInEdits)
            }
            row.edits = EditCodec.bytes(of: text.edits)
            let whole = row.flags.contains(.wholeInEdits) ? nil : text.text
            try database.run(
                "UPDATE revision SET flags = ?, chain = ?, edits = ?, text = ?, kept = ? WHERE sequence = ?",
                .integer(row.flags.rawValue), .number(row.chain), .blob(row.summedEdits), .optional(whole),
                .optional(whole.map { RevisionHash(ofText: $0).bits }), .number(row.sequence))
            try reader.rename(row)
        }
        for commit in reopening.formerFloors {
            guard var row = try reader.row(at: commit), row.note == entry.number, row.flags.contains(.compactionFloor),
                !row.flags.contains(.purge)
            else { throw .refused("commit \(commit) is no compaction floor of note \(reopening.note)") }
            row.flags.subtract(.compactionFloor)
            try row.updateDerived(in: database)
            try reader.rename(row)
        }
    }
}
