import Causality
import NoteText
import NotesModel
import NotesSQL

/// Reads the revisions of all notes in the order of commits, newest first.
///
/// A scan first examines only the time and the author of each row, because most pages of a filtered
/// list reject most rows. It then decodes the rows that match.
struct RevisionScan {
    var reader: RevisionReader
    let heads: HeadQueries

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - filter: the condition.
    ///   - commit: the commit before which the page begins.
    ///   - limit: the maximum number of revisions in the page; positive.
    ///   - examinedMax: the number of rows after which the page ends. The withdrawals of the listed
    ///     notes, the revisions that they name, and each 512 bytes of a listed row count as rows.
    /// - Complexity: O(`examinedMax`), plus the withdrawals of one note and the bytes of two rows.
    mutating func page(
        _ filter: RevisionFilter, before commit: UInt64, limit: Int, examinedMax: Int
    ) throws(SQLFault) -> NoteRevisionPage {
        let matching = try matching(filter, before: commit, limit: limit, examinedMax: examinedMax)
        var next = matching.next
        var entries: [NoteRevision] = []
        var withdrawn: [UInt64: Set<Dot>] = [:]
        // Names by the commit whose row has them.
        var names: [UInt64: NoteName] = [:]
        var examined = 0
        for (index, commit) in matching.commits.enumerated() {
            // Each page has at least one entry, however long its row or its note's withdrawals are.
            if index > 0, examined >= examinedMax {
                next = matching.commits[index - 1]
                break
            }
            let row = try reader.row(required: commit)
            guard let note = try heads.id(ofNumber: row.note) else {
                throw .malformed("commit \(commit) is of note number \(row.note), which has no head")
            }
            if withdrawn[row.note] == nil {
                let dots = try reader.withdrawn(inNote: row.note)
                withdrawn[row.note] = dots
                examined += dots.count
            }
            examined += Self.cost(of: row)
            reader.knownName = nil
            if case .inCommit(let commit) = row.name {
                if names[commit] == nil {
                    // Reading the whole row verifies its checksum.
                    let named = try reader.row(required: commit)
                    names[commit] = try RevisionReader.resolve(named.name, reader.database)
                    examined += Self.cost(of: named)
                }
                reader.knownName = names[commit]
            }
            entries.append(NoteRevision(note: note, revision: try reader.summary(of: row, withdrawn[row.note] ?? [])))
        }
        return NoteRevisionPage(entries: entries, next: next)
    }

    /// The number of short rows that cost as much as reading this one.
    private static func cost(of row: RevisionRow) -> Int { row.edits.count / 512 }

    /// The commits of the next page, and the commit before which the page after it begins; nil if
    /// there is none.
    private mutating func matching(
        _ filter: RevisionFilter, before commit: UInt64, limit: Int, examinedMax: Int
    ) throws(SQLFault) -> (commits: [UInt64], next: UInt64?) {
        var commits: [UInt64] = []
        var next: UInt64?
        var examined = 0
        var isNamed: [UInt64: Bool] = [:]
        try reader.database.each(
            "SELECT sequence, time, author, flags FROM revision WHERE sequence < ? ORDER BY sequence DESC",
            .number(min(commit, UInt64(Int64.max)))
        ) { row throws(SQLFault) in
            let sequence = row.number(0)
            var matches = !RevisionRow.Flags(rawValue: row.integer(3)).contains(.erased)
            if matches, let since = filter.since { matches = row.integer(1) >= since.milliseconds }
            if matches, let name = filter.author {
                let number = row.number(2)
                if isNamed[number] == nil {
                    isNamed[number] = try reader.authors.author(of: number, from: reader.database).isNamed(by: name)
                }
                matches = isNamed[number] ?? false
            }
            // The page ends at the first revision that it has no room for, so that the last page is
            // known as the last.
            if matches, commits.count == limit {
                next = commits.last
                return false
            }
            if matches { commits.append(sequence) }
            examined += 1
            guard examined < examinedMax else {
                next = sequence
                return false
            }
            return true
        }
        return (commits, next == 1 ? nil : next)
    }
}
