import GRDB
import GRDBSQLite

/// The store's two connections: one that writes and checkpoints, and one that can only read.
///
/// SQLite 3.40.1 can damage a database when two connections write and checkpoint at once (the WAL-reset bug, mended in
/// 3.51.3). So checkpoints happen on the writer alone, when the journal says so, and never by themselves.
/// See `docs/decisions/0011-one-writing-connection.md`.
final class SQLiteConnections {
    let path: String
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    /// Nil where nothing is written.
    private var reserve: WALIndexReservation?
    private let log: LogSize

    /// Opens a file that exists, and is empty or a store of any version up to this program's; brings it to the newest.
    ///
    /// - Parameters:
    ///   - check: reads what the file is, before anything is written to it; its fault leaves the file as it was.
    ///   - migrate: writes.
    init(
        path: String, limits: JournalLimits, check: (Database) throws(SQLFault) -> Void,
        migrate: (Database) throws(SQLFault) -> Void
    ) throws(SQLFault) {
        self.path = path
        log = LogSize()
        do {
            writer = try DatabaseQueue(path: path, configuration: Self.configuration(readonly: false))
        } catch { throw SQLFault(error) }
        let log = log
        try Self.perform(on: writer) { database throws(SQLFault) in
            try check(database)
            try Self.setUpWriter(database, limits)
            try migrate(database)
            log.follow(database)
        }
        do {
            reader = try DatabaseQueue(path: path, configuration: Self.configuration(readonly: true))
        } catch { throw SQLFault(error) }
        try Self.perform(on: reader) { database throws(SQLFault) in try Self.setUpReader(database) }
        var reserve = try WALIndexReservation(path: path + "-shm")
        try reserve.reserve(frames: limits.logPagesMax)
        self.reserve = consume reserve
    }

    /// Opens a store for reading alone: one connection, which can do no more.
    init(toleratingCorruption path: String) throws(SQLFault) {
        self.path = path
        log = LogSize()
        do {
            reader = try DatabaseQueue(path: path, configuration: Self.configuration(readonly: true))
        } catch { throw SQLFault(error) }
        writer = reader
        reserve = nil
        try Self.perform(on: reader) { database throws(SQLFault) in try Self.setUpReader(database) }
    }

    /// Pages in the log after the newest commit.
    var logPages: Int { log.pages }

    /// Whether the log has so many pages that it should be copied into the database. While one that reads the store keeps it from
    /// starting over, a try costs the more the longer it is, so the next comes only when it has grown by as many again.
    func isCheckpointDue(pages: Int) -> Bool { log.pages >= log.stuckAt + pages }

    /// Whoever read the store for long has ended.
    func readerEnded() {
        log.isFree()
    }

    func reading<T>(_ body: (Database) throws(SQLFault) -> T) throws(SQLFault) -> T {
        try Self.perform(on: reader, body)
    }

    func writing<T>(_ body: (Database) throws(SQLFault) -> T) throws(SQLFault) -> T {
        try Self.perform(on: writer, body)
    }

    /// Sees to room for the log's index before a transaction that may add so many pages to the log.
    func reserve(pages: Int) throws(SQLFault) {
        try reserve?.reserve(frames: log.pagesMost + pages)
    }

    /// Copies the log into the database. With `truncate` the log's file is emptied too.
    func checkpoint(truncate: Bool) throws(SQLFault) {
        let log = log
        try writing { database throws(SQLFault) in
            do {
                let (pages, copied) = try database.checkpoint(truncate ? .truncate : .passive)
                if pages == copied { log.restarts() } else { log.sticks() }
            } catch { throw SQLFault(error, on: database) }
        }
    }

    func close() throws(SQLFault) {
        do {
            try reader.close()
            try writer.close()
        } catch { throw SQLFault(error) }
    }

    /// Keeps the writer from ever being closed: SQLite would checkpoint then, and after a failed sync nothing that it reads
    /// back from the kernel may be trusted. The process is about to end.
    func abandon() {
        _ = Unmanaged.passRetained(writer)
    }

    static func perform<T>(
        on queue: DatabaseQueue, _ body: (Database) throws(SQLFault) -> T
    ) throws(SQLFault) -> T {
        let result: Result<T, SQLFault> = queue.unsafeReentrantWrite { database in
            do throws(SQLFault) { return .success(try body(database)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    static func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.label = readonly ? "notesd.store.reader" : "notesd.store.writer"
        // Only another program could hold the file, and none should.
        configuration.busyMode = .timeout(1)
        return configuration
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
        // Read back: a `NORMAL` here would lose acknowledged commits in a power cut, and nothing else would show it.
        try demand("synchronous", "2", database)
        try demandWritable(database)
    }

    /// Where a file cannot be opened for writing, be it for want of descriptors, SQLite opens it for reading, and for as long as the
    /// connection lives: the database, the log or the index of that. Better none than one that refuses every write.
    static func demandWritable(_ database: Database) throws(SQLFault) {
        guard sqlite3_db_readonly(database.sqliteConnection, "main") == 0 else {
            throw SQLFault(code: SQLITE_READONLY, message: "the database could only be opened for reading")
        }
        try database.run("BEGIN IMMEDIATE")
        try database.run("ROLLBACK")
    }

    static func setUpReader(_ database: Database) throws(SQLFault) {
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA mmap_size = 0")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA query_only = ON")
        try demand("wal_autocheckpoint = 0", "0", database)
    }

    private static func demand(_ pragma: String, _ value: String, _ database: Database) throws(SQLFault) {
        let found = try database.first("PRAGMA \(pragma)") { String(decoding: $0.blob(0), as: UTF8.self) }
        guard found == value else {
            throw SQLFault(
                code: SQLITE_CANTOPEN, message: "PRAGMA \(pragma) returned \(found ?? "nothing"), but \(value) is required")
        }
    }
}

/// How many pages the log holds, as SQLite tells after each commit.
private final class LogSize {
    private(set) var pages = 0
    /// The most that it held in this run: the log's index is never made smaller.
    private(set) var pagesMost = 0
    /// How many it held when copying it came to an end before its own; 0 where it did not.
    private(set) var stuckAt = 0

    /// - Precondition: this object outlives the connection's commits.
    func follow(_ database: Database) {
        sqlite3_wal_hook(
            database.sqliteConnection,
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

    /// All is copied: the next commit writes from the log's start.
    func restarts() {
        pages = 0
        stuckAt = 0
    }

    /// Not all could be copied.
    func sticks() {
        stuckAt = pages
    }

    /// All can be copied, as far as anybody knows.
    func isFree() {
        stuckAt = 0
    }
}
