import CSQLite
import NotesSQL

/// The schema of the store.
///
/// `user_version` is the version of the schema. A store of another version is refused: an older
/// program could write what a newer one takes for corruption, and nothing older was released.
/// `application_id` distinguishes stores from other programs' files.
enum Schema {
    /// "nots", shown by `file` and SQLite's tools.
    static let applicationID: Int64 = 0x6E6F_7473
    /// The version that this program reads and writes.
    static let version = 10

    enum State: Equatable {
        case empty
        case store(version: Int)
        case foreign(applicationID: Int64)
    }

    static func state(of database: Database) throws(SQLFault) -> State {
        let id = try database.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        let objects = try database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
        if id == applicationID { return .store(version: Int(version)) }
        return id == 0 && version == 0 && objects == 0 ? .empty : .foreign(applicationID: id)
    }

    /// Creates the tables. The caller has begun the transaction.
    static func create(in database: Database) throws(SQLFault) {
        for statement in statements { try database.run(statement) }
        try database.run("PRAGMA application_id = \(applicationID)")
        try database.run("PRAGMA user_version = \(version)")
    }

    /// The tables. `docs/decisions/storage.md#0010` explains each.
    static let statements = [
        // Exactly one row.
        """
        CREATE TABLE store (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            id INTEGER NOT NULL,
            created INTEGER NOT NULL,
            -- Counts of the notes in `head`, updated by each flush.
            notes INTEGER NOT NULL,
            tombstones INTEGER NOT NULL,
            conflicted INTEGER NOT NULL DEFAULT 0,
            -- The greatest commit that was made a compaction floor.
            compacted_through INTEGER NOT NULL DEFAULT 0,
            -- The newest purge whose erased bytes may still be in the log or the search index; 0 if none.
            unscrubbed INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        // Maps replica ids to small numbers.
        """
        CREATE TABLE replica (
            number INTEGER PRIMARY KEY,
            id INTEGER NOT NULL UNIQUE
        ) STRICT
        """,
        // The commits `first`, `first + 1`, … before the next row's `first` have the dots (replica,
        // counter), (replica, counter + 1), …
        """
        CREATE TABLE dot_range (
            first INTEGER PRIMARY KEY,
            replica INTEGER NOT NULL REFERENCES replica,
            counter INTEGER NOT NULL,
            UNIQUE (replica, counter)
        ) STRICT
        """,
        """
        CREATE TABLE author (
            number INTEGER PRIMARY KEY,
            user BLOB NOT NULL,
            label BLOB,
            UNIQUE (user, label)
        ) STRICT
        """,
        // One row per commit, never changed except by compaction and purge.
        """
        CREATE TABLE revision (
            sequence INTEGER PRIMARY KEY,
            note INTEGER NOT NULL,
            -- Distance to the note's previous commit; 0 if this is its first.
            back INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            time INTEGER NOT NULL,
            author INTEGER NOT NULL,
            -- Size of the revision's own text.
            bytes INTEGER NOT NULL,
            -- Cost of reading the own text from the nearest full text; 0 if this row contains it.
            chain INTEGER NOT NULL,
            -- The own name: NULL for none, a blob for the name itself, a number for the commit whose
            -- row has the blob.
            name ANY,
            -- NULL for exactly the note's previous commit, or none if this is the first; otherwise
            -- distances to the parents.
            parents BLOB,
            -- Conflicts that it resolves, revisions that it withdraws, a name that it set but the own
            -- version does not have, bytes kept uninterpreted, conflicts open at its own version.
            extra BLOB,
            -- The first 8 bytes of the SHA-256 of the revision's canonical bytes, as a number.
            hash INTEGER NOT NULL,
            -- Of a withdrawal, the difference between the texts of its parents and its own. Ends with
            -- the row's checksum.
            edits BLOB NOT NULL,
            text BLOB,
            -- For a compacted row, the first 8 bytes of the hash of what remains of it; for a row with
            -- a full text, of that text.
            kept INTEGER
        ) STRICT
        """,
        "CREATE INDEX revision_withdrawal ON revision (note, sequence) WHERE \(RevisionRow.isWithdrawal)",
        // The heads of notes when they were last flushed.
        """
        CREATE TABLE head (
            note INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            newest INTEGER NOT NULL UNIQUE,
            deleted INTEGER NOT NULL,
            conflicted INTEGER NOT NULL DEFAULT 0,
            -- Whether the note is a file. It is in the index of places, so that a list of texts passes files
            -- without reading their rows.
            file INTEGER NOT NULL DEFAULT 0,
            -- 0xFF, which UTF-8 never contains, means no name, so that it sorts last.
            name BLOB NOT NULL,
            state BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX head_place ON head (deleted, name, id, file)",
        "CREATE INDEX head_file ON head (deleted, name, id) WHERE file = 1",
        "CREATE INDEX head_conflicted ON head (deleted, name, id) WHERE conflicted = 1",
        """
        CREATE TABLE tag (
            tag BLOB NOT NULL,
            deleted INTEGER NOT NULL,
            name BLOB NOT NULL,
            id BLOB NOT NULL,
            note INTEGER NOT NULL,
            PRIMARY KEY (tag, deleted, name, id)
        ) STRICT, WITHOUT ROWID
        """,
        // Heads of the newest commits that have not been flushed to `head`; a note's newest row
        // counts.
        """
        CREATE TABLE unflushed (
            sequence INTEGER PRIMARY KEY,
            note INTEGER NOT NULL,
            state BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE operation (
            user INTEGER NOT NULL,
            -- Ascends by 1 for each user, so that pruning deletes at the left edge.
            ordinal INTEGER NOT NULL,
            name BLOB NOT NULL,
            fingerprint BLOB NOT NULL,
            note BLOB NOT NULL,
            dot BLOB,
            -- NULL for exactly the dot.
            version BLOB,
            PRIMARY KEY (user, ordinal)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX operation_name ON operation (user, name)",
        // The commits from `first` on, before the next row's `first`, were made by this run of the
        // daemon, no matter which replica wrote their revisions.
        """
        CREATE TABLE incarnation (
            first INTEGER PRIMARY KEY,
            replica INTEGER NOT NULL UNIQUE REFERENCES replica
        ) STRICT
        """,
        // Revisions of other replicas that arrived before their parents, in canonical bytes.
        // Replicas are stored by id here and below, since forged ids must not get numbers.
        """
        CREATE TABLE waiting (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            replica INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            revision BLOB NOT NULL,
            UNIQUE (replica, counter)
        ) STRICT
        """,
        // A row for each parent of a waiting revision, present or not.
        """
        CREATE TABLE waiting_parent (
            replica INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            waiting INTEGER NOT NULL,
            PRIMARY KEY (replica, counter, waiting)
        ) STRICT, WITHOUT ROWID
        """,
        // Revisions that cannot be accepted, in canonical bytes.
        """
        CREATE TABLE quarantine (
            number INTEGER PRIMARY KEY,
            replica INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            -- SHA-256 of the canonical bytes.
            hash BLOB NOT NULL,
            reason INTEGER NOT NULL,
            revision BLOB NOT NULL,
            UNIQUE (replica, counter, hash)
        ) STRICT
        """,
        // The set of dots that another store reported last.
        """
        CREATE TABLE peer (
            name BLOB PRIMARY KEY,
            known BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // The record of the newest purge of a note (`MarkTable`).
        """
        CREATE TABLE mark (
            note INTEGER PRIMARY KEY,
            -- The purge's commit.
            sequence INTEGER NOT NULL,
            record BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT
        """,
        // The merged state of notes after commits that do not cover all before them, so that reading
        // it needs no merge.
        """
        CREATE TABLE merged (
            sequence INTEGER PRIMARY KEY,
            -- As in `unflushed`, with an empty vector.
            head BLOB NOT NULL,
            -- Cost of reading the text from the nearest whole text; 0 if it is whole here.
            chain INTEGER NOT NULL,
            -- Edits of the merged text one commit before, or the whole text.
            text BLOB NOT NULL,
            -- Checksum of all columns except `head`, which has its own.
            sum INTEGER
        ) STRICT
        """,
        // A row for each hash of a file that the revision of a kept commit names.
        """
        CREATE TABLE file_name (
            hash BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            -- Size of the file, as the revision states it.
            bytes INTEGER NOT NULL,
            PRIMARY KEY (hash, sequence)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX file_name_sequence ON file_name (sequence)",
        // The hashes whose bytes a purge erases, until they are gone from the folder of files.
        """
        CREATE TABLE file_erase (
            hash BLOB PRIMARY KEY
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
