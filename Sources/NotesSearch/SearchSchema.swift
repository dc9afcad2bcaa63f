import Causality
import NoteText
import NotesModel
import NotesSQL

/// The schema of the search index. There are no migrations: an index of another version is rebuilt.
enum SearchSchema {
    /// "notx".
    private static let applicationID: Int64 = 0x6E6F_7478
    private static let version: Int64 = 6

    /// Configures the connection, and finds or creates the tables.
    ///
    /// - Returns: The commit at which the index ends; nil if it is empty.
    /// - Throws: A corruption fault if the file is not an index of this store.
    static func open(_ database: Database, store: ReplicaID) throws(SQLFault) -> Cursor? {
        try setUp(database)
        try FoldingTokenizer.register(on: database)
        try database.demandWritable()
        let id = try database.first("PRAGMA application_id") { $0.integer(0) }
        let objects = try database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        if id == 0, objects == 0 {
            try database.transaction { () throws(SQLFault) in try make(in: database, store: store) }
        }
        try SearchRanking.register(on: database)
        guard try database.first("PRAGMA user_version", read: { $0.integer(0) }) == version,
            try database.first("PRAGMA application_id", read: { $0.integer(0) }) == applicationID
        else { throw .malformed("the file is not a search index of this version") }
        let found = try database.first("SELECT store, sequence, replica, newest, newest_replica FROM state WHERE one = 1") {
            (
                store: $0.number(0), at: CommitPosition(sequence: $0.number(1), replica: ReplicaID(bits: $0.number(2))),
                newest: CommitPosition(sequence: $0.number(3), replica: ReplicaID(bits: $0.number(4)))
            )
        }
        guard let found, found.store == store.bits, found.at.sequence <= found.newest.sequence else {
            throw .malformed("the search index belongs to another store")
        }
        return found.at.sequence == 0 ? nil : Cursor(found.at, newest: found.newest)
    }

    private static func make(in database: Database, store: ReplicaID) throws(SQLFault) {
        for statement in statements + LinkSchema.statements { try database.run(statement) }
        try database.run(
            "INSERT INTO state (one, store, sequence, replica, newest, newest_replica, notes, bytes) VALUES (1, ?, 0, 0, 0, 0, 0, 0)",
            .number(store.bits))
        try database.run("PRAGMA application_id = \(applicationID)")
        try database.run("PRAGMA user_version = \(version)")
    }

    private static func setUp(_ database: Database) throws(SQLFault) {
        // A single connection reads, writes and checkpoints, and no other program may do so at the
        // same time.
        try database.run("PRAGMA locking_mode = EXCLUSIVE")
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA mmap_size = 0")
        try database.run("PRAGMA temp_store = MEMORY")
        // An open transaction writes nothing to a full disk (`SearchIndex.add`).
        try database.run("PRAGMA cache_spill = OFF")
        try database.run("PRAGMA cache_size = -32768")
        _ = try database.first("PRAGMA journal_mode = WAL") { $0.isNull(0) }
        // A power cut may lose the newest rows together with the recorded position; they are then
        // added again.
        try database.run("PRAGMA synchronous = NORMAL")
        _ = try database.first("PRAGMA wal_autocheckpoint = 4000") { $0.isNull(0) }
        _ = try database.first("PRAGMA journal_size_limit = \(16 << 20)") { $0.isNull(0) }
    }

    private static let statements = [
        // Exactly one row.
        """
        CREATE TABLE state (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            store INTEGER NOT NULL,
            -- The index has every note whose newest commit is at most `sequence`; `replica` is the run
            -- that made that commit.
            sequence INTEGER NOT NULL,
            replica INTEGER NOT NULL,
            -- The store's newest commit at that time, and the run that made it (`Cursor`).
            newest INTEGER NOT NULL,
            newest_replica INTEGER NOT NULL,
            -- Number of rows of `doc`, and size of their texts in bytes.
            notes INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT
        """,
        // A living note as indexed. The texts are needed to remove its words again, and for
        // excerpts. That of a file has spaces in place of its pointer lines.
        """
        CREATE TABLE doc (
            -- `SearchNumber`
            number INTEGER PRIMARY KEY,
            note BLOB NOT NULL UNIQUE,
            name BLOB NOT NULL,
            -- As `SearchTokenizer.separated` returns it.
            body BLOB NOT NULL,
            -- One word for each tag.
            tags BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE VIRTUAL TABLE words USING fts5 (
            name, body, tags, content = 'doc', content_rowid = 'number', columnsize = 0, tokenize = '\(SearchTokenizer.option)'
        )
        """,
    ]
}

/// Reads and writes the rows of notes.
struct SearchRows {
    let database: Database

    /// Adds a batch, and records the commit at which it ends.
    func add(_ batch: SearchIndex.Batch) throws(SQLFault) {
        for entry in batch.entries { try replace(entry) }
        try database.run(
            "UPDATE state SET sequence = ?, replica = ?, newest = ?, newest_replica = ?",
            .number(batch.through.commit.sequence), .number(batch.through.commit.replica.bits),
            .number(batch.through.newest.sequence), .number(batch.through.newest.replica.bits))
    }

    /// Replaces a note's words.
    private func replace(_ entry: SearchIndex.Entry) throws(SQLFault) {
        try remove(entry.id)
        guard var contents = entry.contents else { return }
        let kind: NoteKind = FileContent.isFile(contents.text) ? .file : .text
        if kind == .file { contents.text = FileContent.blanked(contents.text) }
        let body = SearchTokenizer.separated(contents.text)
        let number = SearchNumber(commit: entry.commit, kind, bytes: body.count)
        let columns: [SQLValue] = [
            .number(number.rawValue), .blob(SearchTokenizer.separated(contents.name?.bytes.utf8 ?? [])), .blob(body),
            .blob(Array(contents.tags.map(SearchExpression.word).joined(separator: " ").utf8)),
        ]
        try database.run(
            "INSERT INTO doc (number, name, body, tags, note) VALUES (?, ?, ?, ?, ?)", columns[0], columns[1], columns[2],
            columns[3], .blob(entry.id.bytes))
        try database.run(
            "INSERT INTO words (rowid, name, body, tags) VALUES (?, ?, ?, ?)", columns[0], columns[1], columns[2], columns[3])
        try LinkRows(database: database).add(contents, kind, of: entry.id)
        try database.run("UPDATE state SET notes = notes + 1, bytes = bytes + ?", .number(body.count))
    }

    private func remove(_ id: NoteID) throws(SQLFault) {
        let found = try database.first("SELECT number, length(body), name, body FROM doc WHERE note = ?", .blob(id.bytes)) {
            (number: $0.number(0), bytes: $0.integer(1), name: $0.blob(2), body: $0.blob(3))
        }
        guard let found else { return }
        let name = try? NoteName(ByteString(indexed: found.name))
        try LinkRows(database: database).remove(
            id, name: name, text: ByteString(indexed: found.body).utf8, SearchNumber(rawValue: found.number).kind)
        try database.run(
            """
            INSERT INTO words (words, rowid, name, body, tags)
            SELECT 'delete', number, name, body, tags FROM doc WHERE number = ?
            """, .number(found.number))
        try database.run("DELETE FROM doc WHERE number = ?", .number(found.number))
        try database.run("UPDATE state SET notes = notes - 1, bytes = bytes - ?", .integer(found.bytes))
    }

    func check() throws(SQLFault) -> [String] {
        // Compares every word of every text with the index.
        try database.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
        var findings: [String] = []
        let counted = try database.first("SELECT count(*), coalesce(sum(length(body)), 0) FROM doc") {
            [$0.integer(0), $0.integer(1)]
        }
        let recorded = try database.first("SELECT notes, bytes FROM state") { [$0.integer(0), $0.integer(1)] }
        findings += try LinkRows(database: database).check()
        if counted != recorded { findings.append("the counts of notes and bytes do not match the rows") }
        try database.each("PRAGMA quick_check(10)") { row throws(SQLFault) in
            let text = String(decoding: row.blob(0), as: UTF8.self)
            if text != "ok" { findings.append(text) }
            return true
        }
        return findings
    }
}
