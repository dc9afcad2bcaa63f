import CSQLite
import NotesSQL

/// The store's two connections: one that writes and checkpoints, and one that is read-only.
///
/// SQLite 3.40.1 can corrupt a database if two connections write and checkpoint at once (the
/// WAL-reset bug, fixed in 3.51.3). So only the writer checkpoints, when the journal asks for it,
/// and never automatically. See `docs/decisions/storage.md#0011`.
final class SQLiteConnections {
    let path: String
    private let writer: Database
    private let reader: Database
    /// Nil for a store that is only read.
    private var reserve: WALIndexReservation?
    private let log: LogSize

    /// Opens an existing file that is empty or a store of a supported version, and migrates it to
    /// the newest.
    ///
    /// - Parameters:
    ///   - check: Examines the file before anything is written. If it throws, the file is
    ///     unchanged.
    ///   - migrate: Writes the schema.
    init(
        path: String, limits: JournalLimits, check: (Database) throws(SQLFault) -> Void,
        migrate: (Database) throws(SQLFault) -> Void
    ) throws(SQLFault) {
        self.path = path
        log = LogSize()
        writer = try Self.open(path, isReadOnly: false, gathersLog: true)
        try check(writer)
        try Self.setUpWriter(writer, limits)
        try migrate(writer)
        log.follow(writer)
        reader = try Self.open(path, isReadOnly: true)
        try Self.setUpReader(reader)
        var reserve = try WALIndexReservation(path: path + "-shm")
        try reserve.reserve(frames: limits.logPagesMax)
        self.reserve = consume reserve
    }

    /// Opens a store for reading only, with a single read-only connection.
    init(toleratingCorruption path: String) throws(SQLFault) {
        self.path = path
        log = LogSize()
        reader = try Self.open(path, isReadOnly: true)
        writer = reader
        reserve = nil
        try Self.setUpReader(reader)
    }

    /// Number of pages in the log after the newest commit.
    var logPages: Int { log.pages }

    /// Whether the log has grown by at least `pages` since it was last empty or a checkpoint failed
    /// to complete. While a long read keeps the log from restarting, each attempt costs more the
    /// longer the log is, so the next one waits for that much growth again.
    func isCheckpointDue(pages: Int) -> Bool { log.pages >= log.stuckAt + pages }

    /// Reports that a long read has ended, so that the next checkpoint can complete.
    func readerEnded() {
        log.isFree()
    }

    func reading<T>(_ body: (Database) throws(SQLFault) -> T) throws(SQLFault) -> T {
        try body(reader)
    }

    func writing<T>(_ body: (Database) throws(SQLFault) -> T) throws(SQLFault) -> T {
        try body(writer)
    }

    /// Reserves space for the WAL index before a transaction that may add this many pages to the
    /// log.
    func reserve(pages: Int) throws(SQLFault) {
        try reserve?.reserve(frames: log.pagesMost + pages)
    }

    /// Copies the log into the database. With `truncate`, also empties the log's file.
    func checkpoint(truncate: Bool) throws(SQLFault) {
        let (pages, copied) = try writer.checkpoint(truncate: truncate)
        if pages == copied { log.restarts() } else { log.sticks() }
    }

    /// Drops the writer's copies of pages, whose gaps may contain what was deleted. The log is empty.
    func forgetPages() {
        writer.forgetPages()
    }

    func close() throws(SQLFault) {
        try reader.close()
        try writer.close()
    }

    /// Leaks the writer so that it is never closed. Closing would checkpoint, and after a failed
    /// sync nothing that SQLite reads back from the kernel can be trusted. The process is about to
    /// end.
    func abandon() {
        _ = Unmanaged.passRetained(writer)
    }

    /// Opens a file. Only another program could lock it, and none should.
    static func open(_ path: String, isReadOnly: Bool, gathersLog: Bool = false) throws(SQLFault) -> Database {
        try Database(path: path, isReadOnly: isReadOnly, gathersLog: gathersLog, busyMilliseconds: 1_000)
    }

    private static func setUpWriter(_ database: Database, _ limits: JournalLimits) throws(SQLFault) {
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA cell_size_check = ON")
        try database.run("PRAGMA mmap_size = 0")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA cache_size = -16384")
        try demand("journal_mode = WAL", "wal", database)
        try database.run("PRAGMA synchronous = FULL")
        try database.run("PRAGMA journal_size_limit = \(limits.logBytesKept)")
        try demand("wal_autocheckpoint = 0", "0", database)
        // What a transaction deletes must not stay in the file: a purge relies on these three.
        try demand("secure_delete = ON", "1", database)
        try demand("max_page_count = \(PageGaps.pagesMax)", "\(PageGaps.pagesMax)", database)
        try demand("auto_vacuum", "0", database)
        // Verified, because `NORMAL` would lose acknowledged commits in a power cut, and nothing
        // else would reveal it.
        try demand("synchronous", "2", database)
        try database.demandWritable()
    }

    static func setUpReader(_ database: Database) throws(SQLFault) {
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA mmap_size = 0")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA query_only = ON")
        try demand("wal_autocheckpoint = 0", "0", database)
    }

    /// Sets or reads a pragma, and throws unless it returns the value.
    private static func demand(_ pragma: String, _ value: String, _ database: Database) throws(SQLFault) {
        let found = try database.first("PRAGMA \(pragma)") { String(decoding: $0.blob(0), as: UTF8.self) }
        guard found == value else {
            throw SQLFault(
                code: SQLITE_CANTOPEN, message: "PRAGMA \(pragma) returned \(found ?? "nothing"), but \(value) is required")
        }
    }
}

/// Number of pages in the log, as SQLite reports it after each commit.
private final class LogSize {
    private(set) var pages = 0
    /// The maximum in this run. The WAL index never shrinks.
    private(set) var pagesMost = 0
    /// The number of pages when a checkpoint last failed to complete; 0 if it completed since.
    private(set) var stuckAt = 0

    /// Registers for the reports of a connection.
    ///
    /// - Precondition: This object outlives the connection's commits.
    func follow(_ database: Database) {
        sqlite3_wal_hook(
            database.connection,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().holds(Int(pages))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func holds(_ pages: Int) {
        self.pages = pages
        pagesMost = max(pagesMost, pages)
    }

    /// A checkpoint completed: the next commit writes from the start of the log.
    func restarts() {
        pages = 0
        stuckAt = 0
    }

    /// A checkpoint did not complete.
    func sticks() {
        stuckAt = pages
    }

    /// The read that kept checkpoints from completing has ended.
    func isFree() {
        stuckAt = 0
    }
}
