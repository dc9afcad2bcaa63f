import CSQLite
import Glibc

/// An error of SQLite, with what decides its meaning: the extended code and the system's `errno`.
package struct SQLFault: Error {
    package let code: Int32
    /// `errno` of the failed system call; 0 where there was none.
    package let systemError: Int32
    package let message: String
    /// The SQL statement that failed; empty if there was none.
    package let statement: String
    /// Whether the corruption is confined to the content of a note's rows. SQLite's structures, and
    /// the tables that every reader depends on, are then intact as far as they were read.
    package let isOfContent: Bool

    /// Whether another connection has a lock.
    package var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

    package init(code: Int32, systemError: Int32 = 0, message: String, statement: String = "", isOfContent: Bool = false) {
        self.code = code
        self.systemError = systemError
        self.message = message
        self.statement = statement
        self.isOfContent = isOfContent
    }

    /// The last error of a connection.
    package init(lastOn database: Database, _ sql: String = "") {
        let connection = database.connection
        let code = sqlite3_extended_errcode(connection)
        var systemError = sqlite3_system_errno(connection)
        if code == Self.ioWrite { systemError = Self.errorOfLog(of: database) ?? systemError }
        self.init(code: code, systemError: systemError, message: String(cString: sqlite3_errmsg(connection)), statement: sql)
    }

    /// Returns `errno` of the last failed call on the log's file; nil if there was none. SQLite
    /// 3.40 stores it there, and does not report it for a COMMIT, which writes to the log only.
    private static func errorOfLog(of database: Database) -> Int32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var number: Int32 = 0
        guard sqlite3_file_control(database.connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods,
            methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
        else { return nil }
        return number == 0 ? nil : number
    }

    /// Corruption of a table that every reader depends on (replicas, dots, runs). No request can be
    /// answered correctly.
    package static func broken(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_CORRUPT, message: what)
    }

    /// Corruption of a row of a revision or note: it contains what no `notesd` writes.
    package static func malformed(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_CORRUPT, message: what, isOfContent: true)
    }

    /// A row does not match its checksum.
    package static func checksumMismatch(_ what: String) -> SQLFault {
        .malformed("\(what) does not match its checksum")
    }

    /// The caller broke the journal's contract. Nothing changed.
    package static func refused(_ what: String) -> SQLFault {
        SQLFault(code: SQLITE_MISUSE, message: what)
    }
}

extension SQLFault {
    // Extended result codes, which the header defines as macros that Swift cannot import
    // (sqlite.org/rescode.html).
    package static let ioWrite = SQLITE_IOERR | 3 << 8
    package static let ioFsync = SQLITE_IOERR | 4 << 8
    package static let ioDirectoryFsync = SQLITE_IOERR | 5 << 8
    static let ioLockOfIndex = SQLITE_IOERR | 20 << 8

    /// The primary result code.
    package var primary: Int32 { code & 0xFF }

    /// Whether the file is corrupt.
    package var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    /// Whether space ran out, in any form that SQLite reports. Exceeding a quota counts.
    package var isOutOfRoom: Bool {
        primary == SQLITE_FULL || (primary == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError))
    }
}
