import NoteText
import NotesModel
import NotesSQL

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

    /// Writes again what the commit of a row names, after its texts or its flags changed.
    func rename(_ row: RevisionRow) throws(SQLFault) {
        let table = FileNameTable(database: database)
        try table.remove(row.sequence)
        try table.insert(try files(of: row), at: row.sequence)
    }
}
