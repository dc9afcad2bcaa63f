import NoteText
import NotesModel
import NotesSQL

extension AppendTransaction {
    /// Writes the names of the files that a commit names.
    func name(_ commit: Commit, isFloor: Bool) throws(SQLFault) {
        guard FileContent.isFile(commit.text) else { return }
        let files = NamedFiles.named(by: commit.revision.edits, at: isFloor ? commit.text : nil)
        try FileNameTable(database: database).insert(files, at: commit.sequence)
    }

    /// Splits the hashes that erased revisions named into those that nothing names now, which are recorded, and the
    /// others.
    func settled(_ erased: Set<FileHash>, by purge: UInt64, in table: inout FileEraseTable) throws(SQLFault) -> FileErasure {
        var (recorded, kept): ([FileHash], [FileHash]) = ([], [])
        for hash in erased.sorted() {
            if try FileNameTable(database: database).isNamed(hash) {
                kept.append(hash)
            } else {
                try table.insert(hash, into: database)
                recorded.append(hash)
            }
        }
        return FileErasure(purge: purge, recorded: recorded, kept: kept)
    }
}
