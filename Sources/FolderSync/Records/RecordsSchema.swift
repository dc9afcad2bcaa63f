import NotesSQL

/// The tables of the records of files, in `files.sqlite3`.
///
/// `user_version` is the format of the tables. A database of another format is refused, like a store of another
/// version, and stays as it is. So no command takes its files for ones that were never imported unless a person
/// moves the database away.
enum RecordsSchema {
    /// The format that this program reads and writes.
    static let format: Int64 = 8
    /// The format before mirrored folders had files, which `upgrade` reads.
    private static let formatWithoutFiles: Int64 = 7

    /// Whether the database has the tables; if not, it is empty.
    ///
    /// - Throws: a fault if the tables have another format.
    static func isThere(in database: Database) throws(SQLFault) -> Bool {
        let format = try format(of: database)
        guard format == 0 || format == Self.format else {
            throw SQLFault(code: 1, message: "another version of notesctl wrote it, in format \(format)")
        }
        return format != 0
    }

    /// Whether the tables have the format before this one.
    static func isOlder(in database: Database) throws(SQLFault) -> Bool {
        try format(of: database) == formatWithoutFiles
    }

    private static func format(of database: Database) throws(SQLFault) -> Int64 {
        try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
    }

    /// Brings older tables to this format; the records stay. The caller has begun the transaction.
    static func upgrade(in database: Database) throws(SQLFault) {
        try database.run("ALTER TABLE place ADD COLUMN files BLOB")
        try database.run("ALTER TABLE place ADD COLUMN files_bytes_max INTEGER")
        try database.run("PRAGMA user_version = \(format)")
    }

    /// Creates the tables. The caller has begun the transaction.
    static func create(in database: Database) throws(SQLFault) {
        for table in tables { try database.run(table) }
        try database.run("PRAGMA user_version = \(format)")
    }

    /// Times are in milliseconds since 1970.
    private static let tables = [
        // `files` and `files_bytes_max` are those of `FileChoice`; null if nobody has chosen.
        """
        CREATE TABLE place (
            id INTEGER PRIMARY KEY, directory BLOB NOT NULL, store BLOB NOT NULL, prefix BLOB NOT NULL, files BLOB,
            files_bytes_max INTEGER, UNIQUE (directory, store, prefix)
        )
        """,
        // `shown` has the form of `ShownTextsCodec`, and `stamp` that of `FileStamp.recorded`. Rows that are not yet
        // on the disk have the boot.
        """
        CREATE TABLE file (
            place INTEGER NOT NULL REFERENCES place (id), path BLOB NOT NULL, note BLOB NOT NULL, version BLOB NOT NULL,
            bytes INTEGER NOT NULL, digest BLOB NOT NULL, boot BLOB, shown BLOB, stamp BLOB,
            PRIMARY KEY (place, path)
        ) WITHOUT ROWID
        """,
        // The columns of `MirrorState`.
        """
        CREATE TABLE mirror (
            place INTEGER PRIMARY KEY REFERENCES place (id), looked INTEGER NOT NULL, in_step INTEGER,
            notes INTEGER NOT NULL, conflicts INTEGER NOT NULL, failure BLOB
        )
        """,
        // The columns of `MirrorState.Waiting`.
        """
        CREATE TABLE waiting (
            place INTEGER NOT NULL REFERENCES place (id), path BLOB NOT NULL, kind BLOB NOT NULL, reason BLOB NOT NULL,
            note BLOB, version BLOB, approved INTEGER,
            PRIMARY KEY (place, path)
        ) WITHOUT ROWID
        """,
        // The columns of `SaveInFlight`.
        """
        CREATE TABLE flight (
            place INTEGER NOT NULL REFERENCES place (id), path BLOB NOT NULL, note BLOB NOT NULL, base BLOB NOT NULL,
            text BLOB NOT NULL, op BLOB NOT NULL, modified INTEGER, time INTEGER NOT NULL,
            PRIMARY KEY (place, path)
        ) WITHOUT ROWID
        """,
        // `GoneFile`. `shown` has the form of `ShownTextsCodec`, with the last version and the last text.
        """
        CREATE TABLE gone (
            place INTEGER NOT NULL REFERENCES place (id), path BLOB NOT NULL, note BLOB NOT NULL, shown BLOB NOT NULL,
            by_program INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (place, path)
        ) WITHOUT ROWID
        """,
        // `TakenLines`.
        """
        CREATE TABLE taken (
            id INTEGER PRIMARY KEY, place INTEGER NOT NULL REFERENCES place (id), path BLOB NOT NULL,
            time INTEGER NOT NULL, lines INTEGER NOT NULL, came INTEGER NOT NULL
        )
        """,
    ]
}
