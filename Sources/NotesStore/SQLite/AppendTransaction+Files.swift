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

    /// Writes again what a commit of a row names, after its texts or its flags changed.
    static func rename(_ row: RevisionRow, _ reader: RevisionReader) throws(SQLFault) {
        let table = FileNameTable(database: reader.database)
        try table.remove(row.sequence)
        try table.insert(try reader.files(of: row), at: row.sequence)
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

extension RevisionReader {
    /// What the commit of a row names, computed from the row.
    ///
    /// - Complexity: O(bytes of the row).
    func files(of row: RevisionRow) throws(SQLFault) -> [FileContent] {
        guard row.flags.contains(.file), !row.flags.contains(.compacted) else { return [] }
        let edits = row.flags.contains(.withdrawal) ? [] : try EditCodec.edits(from: row.edits)
        // A floor has its text in its row.
        let text = row.flags.contains(.compactionFloor) ? try ownText(of: row) : nil
        return NamedFiles.named(by: edits, at: text)
    }

    /// The difference between the names of files that are stored for a row and those that follow from it, for people;
    /// nil if there is none.
    func misnaming(of row: RevisionRow) throws(SQLFault) -> String? {
        let (expected, stored) = (try files(of: row), try FileNameTable(database: database).files(at: row.sequence))
        guard expected != stored else { return nil }
        let (lacks, extra) = (expected.filter { !stored.contains($0) }, stored.filter { !expected.contains($0) })
        let differences = lacks.map { "it lacks \($0.hash)" } + extra.map { "it has \($0.hash)" }
        return "the stored names of its files are wrong: \(differences.joined(separator: ", "))"
    }
}
