import CSQLite
import NotesSQL

/// The schema of the store, as numbered migration steps.
///
/// A released step never changes: a store records in `user_version` how many steps it has had, and
/// gets the rest in one transaction. A store with more steps than this program knows is refused,
/// because an older program could write what a newer one takes for corruption. `application_id`
/// distinguishes stores from other programs' files.
enum Schema {
    /// "nots", shown by `file` and SQLite's tools.
    static let applicationID: Int64 = 0x6E6F_7473

    static var newest: Int { steps.count }

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

    /// Migrates the tables from a version to the newest. The caller has begun the transaction.
    static func migrate(_ database: Database, from version: Int) throws(SQLFault) {
        for statements in steps.dropFirst(version) {
            for statement in statements { try database.run(statement) }
        }
        try database.run("PRAGMA application_id = \(applicationID)")
        try database.run("PRAGMA user_version = \(newest)")
    }

    /// The steps, each a list of statements.
    static let steps: [[String]] = [first, second, third, fourth, fifth]

    /// The first step. `docs/decisions/0010-tables-of-the-journal.md` explains each table.
    private static let first = [
        // Exactly one row.
        """
        CREATE TABLE store (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            id INTEGER NOT NULL,
            created INTEGER NOT NULL,
            -- Counts of the notes in `head`, updated by each flush.
            notes INTEGER NOT NULL,
            tombstones INTEGER NOT NULL
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
        CREATE TABLE stretch (
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
        // One row per commit, never changed except by compaction.
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
            -- Conflicts that it resolves, a name that it set but the own version does not have, bytes
            -- kept uninterpreted.
            extra BLOB,
            edits BLOB NOT NULL,
            text BLOB
        ) STRICT
        """,
        // The heads of notes when they were last flushed.
        """
        CREATE TABLE head (
            note INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            newest INTEGER NOT NULL UNIQUE,
            deleted INTEGER NOT NULL,
            -- 0xFF, which UTF-8 never contains, means no name, so that it sorts last.
            name BLOB NOT NULL,
            state BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX head_place ON head (deleted, name, id)",
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
        CREATE TABLE recent (
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
    ]

    /// Adds conflicts, hashes of revisions, runs, and the holding areas. Revisions from before this
    /// step have no conflicts and no hash.
    private static let second = [
        "ALTER TABLE store ADD COLUMN conflicted INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE head ADD COLUMN conflicted INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX head_conflicted ON head (deleted, name, id) WHERE conflicted = 1",
        // The first 8 bytes of the SHA-256 of the revision's canonical bytes, as a number.
        "ALTER TABLE revision ADD COLUMN hash INTEGER",
        // The commits from `first` on, before the next row's `first`, were made by this run,
        // no matter which replica wrote their revisions.
        """
        CREATE TABLE run (
            first INTEGER PRIMARY KEY,
            replica INTEGER NOT NULL UNIQUE REFERENCES replica
        ) STRICT
        """,
        // Until this step, a run committed only what it wrote itself.
        "INSERT INTO run (first, replica) SELECT min(first), replica FROM stretch GROUP BY replica",
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
    ]

    /// Adds compaction: bits 64 and 128 of `revision.flags` mark compacted rows and compaction
    /// floors.
    private static let third = [
        // The greatest commit that was made a compaction floor.
        "ALTER TABLE store ADD COLUMN thinned INTEGER NOT NULL DEFAULT 0",
        // For a compacted row, the first 8 bytes of the hash of what remains of it; for a
        // compaction floor, of its text.
        "ALTER TABLE revision ADD COLUMN kept INTEGER",
        // The set of dots that another store reported last.
        """
        CREATE TABLE peer (
            name BLOB PRIMARY KEY,
            known BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Stores the merged state of notes at concurrent commits, so that reading it needs no merge.
    private static let fourth = [
        // A row for each commit that does not cover all before it. Commits from before this step
        // have none.
        """
        CREATE TABLE shown (
            sequence INTEGER PRIMARY KEY,
            -- As in `recent`, with an empty vector.
            head BLOB NOT NULL,
            -- Cost of reading the text from the nearest whole text; 0 if it is whole here.
            chain INTEGER NOT NULL,
            -- Edits of the merged text one commit before, or the whole text.
            text BLOB NOT NULL
        ) STRICT
        """
    ]

    /// Adds checksums of rows (`RowChecksum`). Rows from before this step have none: bit 256 of
    /// `revision.flags` marks rows whose checksum ends `edits`, and heads have a form with one.
    ///
    /// From this step on, `revision.kept` also holds the hash of the full text of a row that has
    /// one.
    private static let fifth = [
        // Covers all columns except `head`.
        "ALTER TABLE shown ADD COLUMN sum INTEGER"
    ]
}
