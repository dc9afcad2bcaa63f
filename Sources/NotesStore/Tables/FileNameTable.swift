import NoteText
import NotesModel
import NotesSQL

/// The `file_name` table: which commits name which hashes, in the order of the hashes.
struct FileNameTable {
    let database: Database

    /// Replaces what a commit names.
    func insert(_ files: [FileContent], at sequence: UInt64) throws(SQLFault) {
        for file in files {
            try database.run(
                "INSERT OR REPLACE INTO file_name (hash, sequence, bytes) VALUES (?, ?, ?)", .blob(file.hash.bytes),
                .number(sequence), .number(file.bytes))
        }
    }

    /// Removes what a commit names.
    func remove(_ sequence: UInt64) throws(SQLFault) {
        try database.run("DELETE FROM file_name WHERE sequence = ?", .number(sequence))
    }

    /// What a commit names, in the order of the hashes.
    func files(at sequence: UInt64) throws(SQLFault) -> [FileContent] {
        var files: [FileContent] = []
        try database.each(
            "SELECT hash, bytes FROM file_name WHERE sequence = ? ORDER BY hash", .number(sequence)
        ) { row throws(SQLFault) in
            files.append(try Self.file(row))
            return true
        }
        return files
    }

    func isNamed(_ hash: FileHash) throws(SQLFault) -> Bool {
        try database.first("SELECT 1 FROM file_name WHERE hash = ? LIMIT 1", .blob(hash.bytes)) { _ in true } ?? false
    }

    /// See `FileJournal.namings(of:before:limit:)`.
    func namings(
        of hash: FileHash, before sequence: UInt64, limit: Int
    ) throws(SQLFault) -> [(sequence: UInt64, note: UInt64)] {
        var namings: [(sequence: UInt64, note: UInt64)] = []
        try database.each(
            """
            SELECT file_name.sequence, revision.note FROM file_name JOIN revision ON revision.sequence = file_name.sequence
            WHERE file_name.hash = ? AND file_name.sequence < ? ORDER BY file_name.sequence DESC LIMIT ?
            """, .blob(hash.bytes), .number(min(sequence, UInt64(Int64.max))), .number(max(0, limit))
        ) { row in
            namings.append((row.number(0), row.number(1)))
            return true
        }
        return namings
    }

    /// See `FileJournal.namedFiles(after:limit:)`.
    func page(after hash: FileHash?, limit: Int) throws(SQLFault) -> [FileContent] {
        var files: [FileContent] = []
        try database.each(
            "SELECT hash, min(bytes) FROM file_name WHERE hash > ? GROUP BY hash ORDER BY hash LIMIT ?",
            .blob(hash?.bytes ?? []), .number(max(0, limit))
        ) { row throws(SQLFault) in
            files.append(try Self.file(row))
            return true
        }
        return files
    }

    /// All files that revisions of a store name, each once; nil if the database is no store of this version.
    ///
    /// - Complexity: O(rows).
    static func ofStore(_ database: Database) throws(SQLFault) -> [FileContent]? {
        guard try Schema.state(of: database) == .store(version: Schema.version) else { return nil }
        var files: [FileContent] = []
        let table = FileNameTable(database: database)
        while true {
            let page = try table.page(after: files.last?.hash, limit: pageLimit)
            files += page
            if page.count < pageLimit { return files }
        }
    }

    private static let pageLimit = 1_000

    private static func file(_ row: SQLRow) throws(SQLFault) -> FileContent {
        guard let hash = FileHash(bytes: row.blob(0)), 0...Int64(FileContent.bytesMax) ~= row.integer(1) else {
            throw .malformed("a name of a file cannot be read")
        }
        return FileContent(hash: hash, bytes: Int(row.integer(1)))
    }
}

/// The `file_erase` table: the hashes whose bytes purges erase.
struct FileEraseTable {
    /// The hashes in the table.
    private(set) var hashes: Set<FileHash> = []

    init(loadingFrom database: Database) throws(SQLFault) {
        try database.each("SELECT hash FROM file_erase") { row throws(SQLFault) in
            guard let hash = FileHash(bytes: row.blob(0)) else { throw .malformed("the record of an erased file cannot be read") }
            hashes.insert(hash)
            return true
        }
    }

    mutating func insert(_ hash: FileHash, into database: Database) throws(SQLFault) {
        guard hashes.insert(hash).inserted else { return }
        try database.run("INSERT INTO file_erase (hash) VALUES (?)", .blob(hash.bytes))
    }

    mutating func remove(_ hash: FileHash, from database: Database) throws(SQLFault) {
        guard hashes.remove(hash) != nil else { return }
        try database.run("DELETE FROM file_erase WHERE hash = ?", .blob(hash.bytes))
    }
}
