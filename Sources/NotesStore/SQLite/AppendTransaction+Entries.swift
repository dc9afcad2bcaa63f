import NotesModel
import NotesSQL

extension AppendTransaction {
    /// The newest state of a note, with what this append commits to it.
    func entry(of id: NoteID, over memtable: HeadMemtable) throws(SQLFault) -> NoteEntry? {
        if let entry = fresh[id] ?? memtable[id] { return entry }
        return try HeadTable(database: database, replicas: tables.replicas).entry(of: id)
    }

    /// Returns the entry's `Tip`, and reads it from the newest row if the entry has none.
    func tip(of entry: NoteEntry) throws(SQLFault) -> NoteEntry.Tip {
        if let tip = entry.tip { return tip }
        // Reads only these columns; the columns after them may be on overflow pages.
        let tip = try database.first("SELECT chain, name, flags, hash FROM revision WHERE sequence = ?", .number(entry.newest)) {
            row throws(SQLFault) in
            let name = try RevisionRow.ownName(row, 1, before: entry.newest)
            var nameCommit = entry.newest
            if case .inCommit(let commit) = name { nameCommit = commit }
            let chain = Int(row.integer(0))
            let coversAll = RevisionRow.Flags(rawValue: row.integer(2)).contains(.coversAll)
            return NoteEntry.Tip(
                chain: chain, name: try RevisionReader.resolve(name, database), nameCommit: nameCommit,
                hash: RevisionHash(bits: row.number(3)),
                mergedTextChain: coversAll ? chain : try MergedTextTable(database: database).chain(entry.newest))
        }
        guard let tip else { throw .malformed("commit \(entry.newest) is missing") }
        return tip
    }
}
