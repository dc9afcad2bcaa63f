import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#endif

/// An error of SQLite with what is needed to say what it means: the extended code, and the system's number behind it.
struct SQLFault: Error {
    let code: Int32
    /// `errno` of the failed system call; 0 where there was none.
    let systemError: Int32
    let message: String
    /// The text of SQL that met it; "" where it was none.
    let statement: String
    /// Whether it is of what the rows of a note hold: what SQLite and all other readers go by is whole, as far as it was read.
    let isOfContent: Bool

    init(code: Int32, systemError: Int32 = 0, message: String, statement: String = "", isOfContent: Bool = false) {
        self.code = code
        self.systemError = systemError
        self.message = message
        self.statement = statement
        self.isOfContent = isOfContent
    }

    /// The error that the connection met last.
    init(lastOn database: Database, _ sql: String) {
        let connection = database.sqliteConnection
        self.init(
            code: sqlite3_extended_errcode(connection), systemError: sqlite3_system_errno(connection),
            message: String(cString: sqlite3_errmsg(connection)), statement: sql)
    }

    /// An error that GRDB threw, on the connection where it came from if there is one.
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

    /// `errno` of the last failed call on the file of the log; nil where there was none. SQLite 3.40 keeps it there and does not say it of
    /// a COMMIT, which writes to the log alone.
    private static func errorOfLog(of database: Database) -> Int32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var number: Int32 = 0
        guard sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods,
            methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
        else { return nil }
        return number == 0 ? nil : number
    }

    /// A table that every reader goes by, of replicas, dots or runs, holds what no `notesd` wrote there: nobody can be served rightly.
    static func broken(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_CORRUPT, message: what)
    }

    /// The row of a revision or of a note holds what no `notesd` wrote there.
    static func malformed(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_CORRUPT, message: what, isOfContent: true)
    }

    /// What a row holds is not what its sum is of.
    static func spoiled(_ what: String) -> SQLFault {
        .malformed("\(what) does not match its checksum")
    }

    /// The caller broke the journal's contract; nothing was changed.
    static func refused(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_MISUSE, message: what)
    }
}

extension SQLFault {
    /// At which moment an error came: the same code can be harmless before a commit and leave its outcome open within one.
    enum Moment {
        case reading
        /// Within a transaction, before its COMMIT: rolling back undoes everything.
        case writing
        /// Out of COMMIT itself.
        case committing
        case checkpointing
    }

    // Extended codes, which the header has as macros that Swift does not see (sqlite.org/rescode.html).
    static let ioWrite = SQLITE_IOERR | 3 << 8
    static let ioFsync = SQLITE_IOERR | 4 << 8
    static let ioDirectoryFsync = SQLITE_IOERR | 5 << 8
    static let ioSharedMemorySize = SQLITE_IOERR | 19 << 8

    private var primary: Int32 { code & 0xFF }

    /// Whether the file holds what it should not.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    private var isSyncFailure: Bool {
        [Self.ioFsync, Self.ioDirectoryFsync].contains(code)
    }

    /// Whether there was no room, in any of the forms in which SQLite says so. A quota counts as room.
    var isOutOfRoom: Bool {
        primary == SQLITE_FULL || (primary == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError))
    }

    /// Whether the file, or the whole file system since something went wrong with it, takes no writes.
    private var isReadOnly: Bool {
        primary == SQLITE_READONLY || (primary == SQLITE_IOERR && systemError == EROFS)
    }

    /// Whether, if it came out of COMMIT, the system refused to write a frame to the log.
    private var isRefusedFrame: Bool { [SQLITE_FULL, SQLITE_READONLY].contains(primary) || code == Self.ioWrite }

    /// What the engine is told.
    ///
    /// A row that cannot be what was written is refused to whoever asks for it, and nobody writes on it, so that others may go on.
    /// The order matters: a failed sync is fatal whatever its `errno`, since the kernel may have dropped the pages and called
    /// them clean. Out of COMMIT only those errors are harmless after which the log cannot hold a whole commit frame: no room
    /// for a frame, a busy or read-only file. `SQLITE_IOERR_SHM*` there comes after the frame was synced, so that the next
    /// opening might find the commit: its outcome is open.
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
