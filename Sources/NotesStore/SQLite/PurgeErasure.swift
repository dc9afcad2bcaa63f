import Causality
import NoteText
import NotesModel
import NotesSQL

/// Erases what the store has of the revisions below a purge, in the transaction that commits it.
///
/// A row keeps its dot, its parents, its user and its time, so the store never forgets which revisions
/// it knows; the first row also keeps the time of creation that the note shows. Its edits, text, name, further fields, label, size and hashes go: a short secret could be
/// guessed from a hash.
struct PurgeErasure {
    let database: Database
    var reader: RevisionReader
    var authors: AuthorTable
    /// The numbers of authors without their labels.
    private var unlabelled: [UInt64: UInt64] = [:]
    /// The dots of all revisions that the note had.
    private(set) var below = DotSet()
    /// The hashes of the files that the erased rows named.
    private(set) var hashes: Set<FileHash> = []

    init(database: Database, reader: RevisionReader, authors: AuthorTable) {
        self.database = database
        self.reader = reader
        self.authors = authors
    }

    /// Erases the rows of a note, from its newest commit down.
    ///
    /// - Complexity: O(commits of the note and the bytes of their rows).
    mutating func eraseRows(ofNote number: UInt64, from newest: UInt64) throws(SQLFault) {
        var next = newest
        while next != 0 {
            // Verifies the checksum: a corrupt row must not get a new one.
            let row = try reader.row(required: next)
            guard row.note == number else { throw .malformed("commit \(next) is not in note number \(number)") }
            below.insert(try reader.dot(of: next))
            // A skeleton is erased from the start, and may have a name and a hash.
            if !row.flags.contains(.erased) || row.name != .none || row.hash.bits != 0 { try erase(row) }
            next = row.previous
        }
    }

    private mutating func erase(_ row: RevisionRow) throws(SQLFault) {
        var row = row
        row.flags = row.flags.intersection([.coversAll]).union([.compacted, .erased, .summed])
        row.author = try author(without: row.author)
        row.bytes = 0
        row.chain = 0
        row.name = .none
        row.extra = try extra(of: row)
        row.hash = RevisionHash(bits: 0)
        row.edits = []
        try database.run(
            """
            UPDATE revision SET flags = ?, author = ?, bytes = 0, chain = 0, name = NULL, extra = ?, hash = 0, edits = ?,
                text = NULL, kept = NULL WHERE sequence = ?
            """, .integer(row.flags.rawValue), .number(row.author), row.extra.map { .blob($0) } ?? .null,
            .blob(row.summedEdits), .number(row.sequence))
        try MergedTextTable(database: database).remove(row.sequence)
        let names = FileNameTable(database: database)
        for file in try names.files(at: row.sequence) { hashes.insert(file.hash) }
        try names.remove(row.sequence)
    }

    /// The time of creation that the note's first revision states, since the note still shows it.
    private func extra(of row: RevisionRow) throws(SQLFault) -> [UInt8]? {
        guard row.previous == 0, row.extra != nil else { return nil }
        guard let times = FileTimes(taggedFields: try reader.extra(of: row).reserved)?.ofCreation else { return nil }
        var replicas = reader.replicas
        return try RevisionExtra(reserved: times.taggedFields).bytes(&replicas, addingTo: database)
    }

    private mutating func author(without number: UInt64) throws(SQLFault) -> UInt64 {
        if let known = unlabelled[number] { return known }
        let author = try authors.author(of: number, from: database)
        let found = try authors.number(of: Author(user: author.user, label: nil), addingTo: database)
        unlabelled[number] = found
        return found
    }
}
