import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#endif

/// An error of SQLite, with what decides its meaning: the extended code and the system's `errno`.
struct SQLFault: Error {
    let code: Int32
    /// `errno` of the failed system call; 0 where there was none.
    let systemError: Int32
    let message: String
    /// The SQL statement that failed; empty if there was none.
    let statement: String
    /// Whether the corruption is confined to the content of a note's rows. SQLite's structures, and
    /// the tables that every reader depends on, are then intact as far as they were read.
    let isOfContent: Bool

    init(code: Int32, systemError: Int32 = 0, message: String, statement: String = "", isOfContent: Bool = false) {
        self.code = code
        self.systemError = systemError
        self.message = message
        self.statement = statement
        self.isOfContent = isOfContent
    }

    /// The last error of a connection.
    init(lastOn database: Database, _ sql: String) {
        let connection = database.sqliteConnection
        self.init(
            code: sqlite3_extended_errcode(connection), systemError: sqlite3_system_errno(connection),
            message: String(cString: sqlite3_errmsg(connection)), statement: sql)
    }

    /// Converts an error that GRDB threw, with the connection it came from, if there is one.
    init(_ error: any Error, on database: Database? = nil) {
        guard let error = error as? DatabaseError else {
            self.init(code: SQLITE_ERROR, message: "\(error)")
            return
        }
        let code = error.extendedResultCode.rawValue
        var number = database.map { sqlite3_system_errno($0.sqliteConnection) } ?? 0
        if code == Self.ioWrite, let database { number = Self.errorOfLog(of: database) ?? number }
        self.init(code: code, systemError: number, message: error.message ?? "\(error.extendedResultCode)")
    }

    /// Returns `errno` of the last failed call on the log's file; nil if there was none. SQLite
    /// 3.40 stores it there, and does not report it for a COMMIT, which writes to the log only.
    private static func errorOfLog(of database: Database) -> Int32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var number: Int32 = 0
        guard sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods,
            methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
        else { return nil }
        return number == 0 ? nil : number
    }

    /// Corruption of a table that every reader depends on (replicas, dots, runs). No request can be
    /// answered correctly.
    static func broken(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_CORRUPT, message: what)
    }

    /// Corruption of a row of a revision or note: it contains what no `notesd` writes.
    static func malformed(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_CORRUPT, message: what, isOfContent: true)
    }

    /// A row does not match its checksum.
    static func spoiled(_ what: String) -> SQLFault {
        .malformed("\(what) does not match its checksum")
    }

    /// The caller broke the journal's contract. Nothing changed.
    static func refused(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_MISUSE, message: what)
    }
}

extension SQLFault {
    /// The moment of an error. The same code can be harmless before a commit, and leave the outcome
    /// unknown during one.
    enum Moment {
        case reading
        /// In a transaction, before COMMIT: a rollback undoes everything.
        case writing
        /// In COMMIT itself.
        case committing
        case checkpointing
    }

    // Extended result codes, which the header defines as macros that Swift cannot import
    // (sqlite.org/rescode.html).
    static let ioWrite = SQLITE_IOERR | 3 << 8
    static let ioFsync = SQLITE_IOERR | 4 << 8
    static let ioDirectoryFsync = SQLITE_IOERR | 5 << 8
    static let ioSharedMemorySize = SQLITE_IOERR | 19 << 8

    private var primary: Int32 { code & 0xFF }

    /// Whether the file is corrupt.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    private var isSyncFailure: Bool {
        [Self.ioFsync, Self.ioDirectoryFsync].contains(code)
    }

    /// Whether space ran out, in any form that SQLite reports. Exceeding a quota counts.
    var isOutOfRoom: Bool {
        primary == SQLITE_FULL || (primary == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError))
    }

    /// Whether the file is read-only, or the file system became so after an error.
    private var isReadOnly: Bool {
        primary == SQLITE_READONLY || (primary == SQLITE_IOERR && systemError == EROFS)
    }

    /// Whether, if it came from COMMIT, the system refused to write a frame to the log.
    private var isRefusedFrame: Bool { [SQLITE_FULL, SQLITE_READONLY].contains(primary) || code == Self.ioWrite }

    /// Returns what the error means for the engine.
    ///
    /// A corrupt row only fails the call that reads it; nothing is written on top of it, so that
    /// other notes stay usable. The order of the tests matters:
    ///
    /// - A failed sync is fatal whatever its `errno`, because the kernel may have dropped the pages
    ///   and marked them clean.
    /// - During COMMIT, only errors after which the log cannot contain the complete commit frame
    ///   are harmless: no space for a frame, a busy file, a read-only file.
    /// - Other errors during COMMIT are fatal. For example, `SQLITE_IOERR_SHM*` occurs after the
    ///   frame was synced, so the next start may recover the commit.
    func journalError(at moment: Moment, path: String) -> JournalError {
        let text = "\(path): \(message) (SQLite code \(code)\(systemError == 0 ? "" : ", errno \(systemError)"))"
        if isSyncFailure {
            return .fatal(
                "syncing to disk failed, so everything written since the last sync may be lost; check the disk, then restart. "
                    + text
            )
        }
        if isOfContent {
            return .failed(
                "the store is damaged: \(message). `notesctl audit`, or `notesd verify` without a daemon, lists all damage; "
                    + "a backup may have an intact copy. \(path)")
        }
        if isDamage {
            return .fatal(
                "the store is damaged; stop the daemon, copy its directory, then restore a backup or run `sqlite3 \(path) .recover`. "
                    + text
            )
        }
        if moment == .reading { return .failed(statement.isEmpty ? text : text + " in: " + statement) }
        if isOutOfRoom, moment != .committing || isRefusedFrame {
            return .full("the store's disk is full; free some space, then write again. \(text)")
        }
        if isReadOnly, moment != .committing || isRefusedFrame {
            return .readOnly("the store cannot be written; check its permissions and mount. \(text)")
        }
        if moment == .committing, primary != SQLITE_BUSY {
            return .fatal("whether the last writes reached the disk is unknown; restart to find out. \(text)")
        }
        return .failed(statement.isEmpty ? text : text + " in: " + statement)
    }
}
