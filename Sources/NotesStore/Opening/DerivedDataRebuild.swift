import Causality
import Glibc
import NotesModel
import NotesSQL
import TextMerge

/// Rebuilds the derived data of notes in a store that no daemon has open: what the store keeps of
/// each revision besides the revision itself, and the heads.
///
/// `NoteAudit` computes the values from the revisions, and each row becomes what a write would have
/// stored. Revisions, texts and hashes stay as they are. Up to the compaction floor of a note, only
/// names and the marks of critical versions are rebuilt, because the rest cannot be computed.
///
/// The file is changed without a log, so it is lost if the process ends in between. Use it on a copy.
struct DerivedDataRebuild {
    private let database: Database
    private var tables: JournalTables
    private let memtable: HeadMemtable

    /// Number of rows read at a time, and bytes of text computed at a time.
    private static let rows = 256
    private static let bytes = 1 << 20

    private init(_ database: Database) throws(SQLFault) {
        self.database = database
        var random = SystemRandomNumberGenerator()
        tables = try JournalTables(
            loadingFrom: database, replica: ReplicaID(bits: random.next()), limits: JournalLimits())
        memtable = try tables.loadMemtable(from: database)
    }

    /// Rebuilds the derived data of some notes and syncs the file.
    ///
    /// - Throws: `backup` if a note has a fault that affects texts, or a row cannot be read or changed
    ///   safely; `journal` if the file cannot be written.
    /// - Complexity: O(revisions of the notes and their texts + notes of the store).
    static func run(in path: String, notes: [NoteID]) throws(StoreError) {
        do throws(SQLFault) {
            let database = try SQLiteConnections.open(path, isReadOnly: false)
            for pragma in ["trusted_schema = OFF", "mmap_size = 0", "temp_store = MEMORY"] {
                try database.run("PRAGMA \(pragma)")
            }
            try database.run("PRAGMA journal_mode = MEMORY")
            try database.run("PRAGMA synchronous = OFF")
            var rebuild = try DerivedDataRebuild(database)
            for note in notes {
                try database.transaction { () throws(SQLFault) in try rebuild.rebuild(note) }
            }
            try rebuild.recount()
            try database.close()
        } catch {
            if error.isDamage { throw .backup("the derived data of \(path) cannot be rebuilt: \(error.message)") }
            throw .journal(error.journalError(at: .writing, path: path))
        }
        try sync(path)
    }

    /// Syncs a file.
    static func sync(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .directory("\(path) cannot be opened for syncing: \(systemMessage(errno))") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .directory("\(path) cannot be synced to disk: \(systemMessage(errno))") }
    }

    private mutating func rebuild(_ id: NoteID) throws(SQLFault) {
        let queries = HeadQueries(memtable: memtable, table: HeadTable(database: database, replicas: tables.replicas))
        guard let entry = try queries.entry(of: id) else { throw .malformed("note \(id) has no head") }
        let (revisions, commits) = try stored(entry)
        var audit = NoteAudit(revisions, head: entry.head, keepsDerived: true)
        var rows = RowRebuild(database: database, reader: reader(of: entry))
        var next = 0
        while !audit.isDone {
            audit.step(bytes: Self.bytes)
            for derived in audit.takeDerived() {
                try rows.write(derived, of: revisions[next].revision, at: commits[next])
                next += 1
            }
        }
        tables.replicas = rows.replicas
        guard let head = audit.derivedHead, next == commits.count, audit.findings.allSatisfy({ $0.affects == .derived }) else {
            throw .malformed("note \(id) has faults that affect texts")
        }
        try write(NoteEntry(number: entry.number, head: head, newest: entry.newest, tip: nil), instead: entry.head)
    }

    private func reader(of entry: NoteEntry) -> RevisionReader {
        RevisionReader(
            database: database, replicas: tables.replicas, dots: tables.dots, authors: tables.authors,
            knownName: entry.head.name)
    }

    /// The note's revisions with their commits, oldest first.
    private func stored(_ entry: NoteEntry) throws(SQLFault) -> (revisions: [StoredRevision], commits: [UInt64]) {
        var chain = RevisionChainReader(reader: reader(of: entry), entry: entry)
        var revisions: [StoredRevision] = []
        var commits: [UInt64] = []
        var before: UInt64?
        repeat {
            let page = try chain.stored(before: before, limit: Self.rows)
            if let first = page.unreadable.first { throw .malformed(first.what) }
            revisions += page.revisions
            commits += page.commits
            before = page.next
        } while before != nil
        return (revisions.reversed(), commits.reversed())
    }

    /// Replaces the head of a note where it is stored: in `unflushed`, or in `head` and `tag`.
    private mutating func write(_ entry: NoteEntry, instead old: Head) throws(SQLFault) {
        guard memtable[entry.head.id] != nil else {
            var flush = HeadFlush(database: database, replicas: tables.replicas)
            try flush.rewrite(entry, instead: old)
            tables.replicas = flush.replicas
            return
        }
        let state = try HeadCodec.bytes(
            of: entry.head, at: entry.newest, note: entry.number, &tables.replicas, addingTo: database)
        try database.run("UPDATE unflushed SET state = ? WHERE sequence = ?", .blob(state), .number(entry.newest))
    }

    /// Counts the notes in `head` again.
    private func recount() throws(SQLFault) {
        try database.run(
            """
            UPDATE store SET notes = (SELECT count(*) FROM head WHERE deleted = 0),
                tombstones = (SELECT count(*) FROM head WHERE deleted <> 0),
                conflicted = (SELECT count(*) FROM head WHERE conflicted <> 0)
            """)
    }
}
