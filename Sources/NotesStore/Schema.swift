import GRDB
import GRDBSQLite

/// The store's tables, by numbered steps.
///
/// A step that was released is never changed: a store says in `user_version` which steps it has had, and gets the rest, all
/// in one transaction. A store with more steps than this program knows is refused: an older program could write what the
/// newer one takes for damage. `application_id` keeps other programs' files from being taken for a store.
enum Schema {
    /// "nots": what `file` and SQLite's own tools see.
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

    /// Brings the tables from a version to the newest. Within a transaction of the caller's.
    static func migrate(_ database: Database, from version: Int) throws(SQLFault) {
        for statements in steps.dropFirst(version) {
            for statement in statements { try database.run(statement) }
        }
        try database.run("PRAGMA application_id = \(applicationID)")
        try database.run("PRAGMA user_version = \(newest)")
    }

    /// The steps, each a list of statements.
    static let steps: [[String]] = [first, second, third, fourth, fifth]

    /// See `docs/decisions/0010-tables-of-the-journal.md` for why each table is as it is.
    private static let first = [
        // Exactly one row.
        """
        CREATE TABLE store (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            id INTEGER NOT NULL,
            created INTEGER NOT NULL,
            -- Of the notes in `head`, kept as they are folded.
            notes INTEGER NOT NULL,
            tombstones INTEGER NOT NULL
        ) STRICT
        """,
        // Replica ids by small numbers.
        """
        CREATE TABLE replica (
            number INTEGER PRIMARY KEY,
            id INTEGER NOT NULL UNIQUE
        ) STRICT
        """,
        // Commits `first`, `first + 1`, … up to the next row's have the dots (replica, counter), (replica, counter + 1), …
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
        // One row a commit, never changed.
        """
        CREATE TABLE revision (
            sequence INTEGER PRIMARY KEY,
            note INTEGER NOT NULL,
            -- How many commits before this one the note's previous commit lies; 0: this is its first.
            back INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            time INTEGER NOT NULL,
            author INTEGER NOT NULL,
            -- Size of the revision's own text.
            bytes INTEGER NOT NULL,
            -- What reading the own text costs from the nearest text before; 0 where it starts here.
            chain INTEGER NOT NULL,
            -- The own name: NULL none, a blob the name, a number the commit whose row has it as a blob.
            name ANY,
            -- NULL: exactly the note's previous commit, or none where this is the first. Otherwise distances to the parents.
            parents BLOB,
            -- Conflicts that it settles, a name that the write set and the own version does not show, bytes kept unread.
            extra BLOB,
            edits BLOB NOT NULL,
            text BLOB
        ) STRICT
        """,
        // The notes as they were at the newest commit folded in.
        """
        CREATE TABLE head (
            note INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            newest INTEGER NOT NULL UNIQUE,
            deleted INTEGER NOT NULL,
            -- 0xFF, which no UTF-8 has, stands for none, so that it sorts last.
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
        // Heads of the newest commits, not yet folded into `head`; a note's newest row counts.
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
            -- Rises by 1 a user, so that the oldest can be pruned from the left.
            ordinal INTEGER NOT NULL,
            name BLOB NOT NULL,
            fingerprint BLOB NOT NULL,
            note BLOB NOT NULL,
            dot BLOB,
            -- NULL: exactly the dot.
            version BLOB,
            PRIMARY KEY (user, ordinal)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX operation_name ON operation (user, name)",
    ]

    /// Conflicts are marked, and revisions can be told from others of the same name. Of what was committed before, nothing
    /// is in conflict and no hash is kept.
    private static let second = [
        "ALTER TABLE store ADD COLUMN conflicted INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE head ADD COLUMN conflicted INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX head_conflicted ON head (deleted, name, id) WHERE conflicted = 1",
        // The first 8 bytes of the SHA-256 of the revision's canonical bytes, as a number.
        "ALTER TABLE revision ADD COLUMN hash INTEGER",
        // Commits `first` and on, up to the next row's, were made by this run, whoever made their revisions.
        """
        CREATE TABLE run (
            first INTEGER PRIMARY KEY,
            replica INTEGER NOT NULL UNIQUE REFERENCES replica
        ) STRICT
        """,
        // So far a run committed what it wrote, and nothing else.
        "INSERT INTO run (first, replica) SELECT min(first), replica FROM stretch GROUP BY replica",
        // Revisions of other replicas that came before their parents, as canonical bytes. Replicas stand by their ids here
        // and below: they may be made up, and get no number.
        """
        CREATE TABLE waiting (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            replica INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            revision BLOB NOT NULL,
            UNIQUE (replica, counter)
        ) STRICT
        """,
        // A row for each parent of one that waits, whether it is here or not.
        """
        CREATE TABLE waiting_parent (
            replica INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            waiting INTEGER NOT NULL,
            PRIMARY KEY (replica, counter, waiting)
        ) STRICT, WITHOUT ROWID
        """,
        // Revisions that were not taken in, as canonical bytes.
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

    /// Texts can be thinned out: bits 64 and 128 of `revision.flags` say of which, and from where on all are there.
    private static let third = [
        // The greatest commit that was made a note's foot.
        "ALTER TABLE store ADD COLUMN thinned INTEGER NOT NULL DEFAULT 0",
        // Of a row whose text was thinned out, the first 8 bytes of the hash of what is left of it; of a foot, of its text.
        "ALTER TABLE revision ADD COLUMN kept INTEGER",
        // What another store said last that it knows.
        """
        CREATE TABLE peer (
            name BLOB PRIMARY KEY,
            known BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// What notes showed while several wrote them at once can be read without walking what they wrote.
    private static let fourth = [
        // A row for each commit that has not all before it in its past; commits of before this step have none.
        """
        CREATE TABLE shown (
            sequence INTEGER PRIMARY KEY,
            -- As in `recent`, with an empty vector.
            head BLOB NOT NULL,
            -- What reading the text costs from the nearest whole one before; 0 where it is whole here.
            chain INTEGER NOT NULL,
            -- Edits of what the note showed one commit before, or the whole text.
            text BLOB NOT NULL
        ) STRICT
        """
    ]

    /// Rows are told from ones that changed on the disk (`RowSum`); those of before this step have no sum: bit 256 of
    /// `revision.flags` says of which it stands at the end of `edits`, and heads have a form with one.
    ///
    /// From here on `revision.kept` is also there where a row has its full text, as that text's hash.
    private static let fifth = [
        // Of all columns but `head`.
        "ALTER TABLE shown ADD COLUMN sum INTEGER"
    ]
}
