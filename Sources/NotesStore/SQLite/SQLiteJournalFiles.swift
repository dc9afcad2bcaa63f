package import NoteText
import NotesModel
import NotesSQL

/// What the store of files asks of the journal, from `file_name` and `file_erase`.
extension SQLiteJournal {
    package func isNamed(_ hash: FileHash) throws(JournalError) -> Bool {
        try reading { database throws(SQLFault) in try FileNameTable(database: database).isNamed(hash) }
    }

    package func namings(
        of hash: FileHash, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> [FileNaming] {
        try lending { reader, queries throws(SQLFault) in
            let rows = try FileNameTable(database: reader.database).namings(of: hash, before: sequence ?? .max, limit: limit)
            var namings: [FileNaming] = []
            for row in rows {
                guard let note = try queries.id(ofNumber: row.note) else {
                    throw .malformed("commit \(row.sequence) belongs to no note")
                }
                namings.append(FileNaming(sequence: row.sequence, note: note, dot: try reader.dot(of: row.sequence)))
            }
            return namings
        }
    }

    package func namedFiles(after hash: FileHash?, limit: Int) throws(JournalError) -> [FileContent] {
        try reading { database throws(SQLFault) in try FileNameTable(database: database).page(after: hash, limit: limit) }
    }

    /// The rows of `file_erase`, from memory.
    ///
    /// - Complexity: O(hashes log hashes).
    package var filesToErase: [FileHash] { tables.erasedFiles.hashes.sorted() }

    package func forgetErased(_ hashes: [FileHash]) throws(JournalError) {
        try checkUsable()
        let known = hashes.filter(tables.erasedFiles.hashes.contains)
        guard !known.isEmpty else { return }
        tables.erasedFiles = try transaction(pages: 16 + 2 * known.count) { database throws(SQLFault) in
            var table = tables.erasedFiles
            for hash in known { try table.remove(hash, from: database) }
            return table
        }
    }
}
