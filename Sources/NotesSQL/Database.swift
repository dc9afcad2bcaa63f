import CSQLite

/// A connection to a database file.
///
/// Used by one thread at a time. A statement is prepared once for each SQL text and kept until the
/// connection is closed. So a text must not run again while its rows are being visited, and must
/// not contain values.
package final class Database {
    /// SQLite's handle, for the functions that this type does not wrap.
    package let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    /// Some of the statements by the address of their text, since to look up a text takes longer than to bind its
    /// values. An entry keeps its text, so that no other text can have the address.
    private var addressed = [(address: UInt, text: String, statement: OpaquePointer)?](repeating: nil, count: 64)
    private var isOpen = true

    /// Opens a file that exists, with foreign keys enforced and double-quoted strings refused.
    ///
    /// - Parameters:
    ///   - gathersLog: Whether one write for each commit goes to the log (`GatheredLog`).
    ///   - busyMilliseconds: How long a statement waits for a lock of another program.
    package init(
        path: String, isReadOnly: Bool = false, gathersLog: Bool = false, busyMilliseconds: Int32 = 0
    ) throws(SQLFault) {
        var opened: OpaquePointer?
        let flags = (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, gathersLog ? GatheredLog.fileSystem : PageGaps.fileSystem)
        guard let opened else { throw SQLFault(code: SQLITE_NOMEM, message: "out of memory") }
        connection = opened
        guard code == SQLITE_OK else {
            let fault = SQLFault(lastOn: self)
            closeQuietly()
            throw fault
        }
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, busyMilliseconds)
        guard csqlite_refuse_double_quoted_strings(connection) == SQLITE_OK else { throw SQLFault(lastOn: self) }
        try run("PRAGMA foreign_keys = ON")
    }

    deinit { closeQuietly() }

    /// Closes the connection. Does nothing if it is closed.
    ///
    /// The last connection to a file also makes a checkpoint, whose errors SQLite does not report.
    ///
    /// - Throws: `SQLITE_BUSY` if a backup from this connection is unfinished. The connection is
    ///   then still open.
    package func close() throws(SQLFault) {
        guard isOpen else { return }
        finalizeStatements()
        guard sqlite3_close(connection) == SQLITE_OK else { throw SQLFault(lastOn: self) }
        isOpen = false
    }

    private func closeQuietly() {
        guard isOpen else { return }
        finalizeStatements()
        sqlite3_close_v2(connection)
        isOpen = false
    }

    private func finalizeStatements() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        addressed = addressed.map { _ in nil }
    }

    /// The statement of an SQL text, prepared on first use.
    func statement(_ sql: String) throws(SQLFault) -> OpaquePointer {
        // A short text is a value without an address of its own.
        guard sql.utf8.count > 15, let address = sql.utf8.withContiguousStorageIfAvailable({ UInt(bitPattern: $0.baseAddress) })
        else { return try statement(ofText: sql) }
        let place = Int(address >> 4 % UInt(addressed.count))
        if let known = addressed[place], known.address == address, known.text.utf8.count == sql.utf8.count {
            return known.statement
        }
        let statement = try statement(ofText: sql)
        addressed[place] = (address, sql, statement)
        return statement
    }

    private func statement(ofText sql: String) throws(SQLFault) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw SQLFault(lastOn: self, sql) }
        statements[sql] = prepared
        return prepared
    }

    /// Runs statements separated by semicolons, which return no rows and are not kept.
    package func run(script: String) throws(SQLFault) {
        guard sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK else { throw SQLFault(lastOn: self, script) }
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Rolls the transaction back, unless SQLite has already done so.
    package func rollBack() throws(SQLFault) {
        guard isInTransaction else { return }
        try run("ROLLBACK")
    }

    /// Runs a body in a transaction, and rolls back if it throws.
    package func transaction<T>(_ body: () throws(SQLFault) -> T) throws(SQLFault) -> T {
        try run("BEGIN IMMEDIATE")
        do throws(SQLFault) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled back.
            do throws(SQLFault) { try rollBack() } catch {}
            throw error
        }
    }

    /// Copies the write-ahead log into the database; with `truncate`, also empties the log's file.
    ///
    /// - Returns: The pages in the log, and how many of them are in the database now.
    package func checkpoint(truncate: Bool) throws(SQLFault) -> (pages: Int, copied: Int) {
        var (pages, copied) = (Int32(0), Int32(0))
        let mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        guard sqlite3_wal_checkpoint_v2(connection, nil, mode, &pages, &copied) == SQLITE_OK else {
            throw SQLFault(lastOn: self)
        }
        return (Int(pages), Int(copied))
    }

    /// Drops all pages of the database from memory, so that the next write of one begins with what its file
    /// contains. No statement may be running, and the log is empty.
    package func forgetPages() {
        sqlite3_db_release_memory(connection)
    }

    /// Throws unless the connection can write. If SQLite cannot open the database, the log or the
    /// WAL index for writing, for example for lack of descriptors, it opens that file read-only for
    /// the life of the connection. Failing at once is better than refusing every write.
    package func demandWritable() throws(SQLFault) {
        guard sqlite3_db_readonly(connection, "main") == 0 else {
            throw SQLFault(code: SQLITE_READONLY, message: "the database could only be opened for reading")
        }
        try run("BEGIN IMMEDIATE")
        try run("ROLLBACK")
    }
}

/// Copies a database over another, some pages at a time.
package struct DatabaseBackup: ~Copyable {
    private let destination: Database
    private let backup: OpaquePointer

    /// Begins to copy the main database of one connection over that of another.
    package init(of source: Database, to destination: Database) throws(SQLFault) {
        guard let backup = sqlite3_backup_init(destination.connection, "main", source.connection, "main") else {
            throw SQLFault(lastOn: destination)
        }
        self.destination = destination
        self.backup = backup
    }

    deinit { sqlite3_backup_finish(backup) }

    /// Pages of the source when the last step ended.
    package var totalPages: Int { Int(sqlite3_backup_pagecount(backup)) }
    /// Pages that were not copied yet when the last step ended.
    package var remainingPages: Int { Int(sqlite3_backup_remaining(backup)) }

    /// Copies some pages.
    ///
    /// - Returns: Whether the copy is complete.
    package func step(pages: Int32) throws(SQLFault) -> Bool {
        let code = sqlite3_backup_step(backup, pages)
        switch code {
        case SQLITE_DONE: return true
        case SQLITE_OK: return false
        // The connection does not keep the errors of a step.
        default:
            throw SQLFault(
                code: code, systemError: sqlite3_system_errno(destination.connection),
                message: String(cString: sqlite3_errstr(code)))
        }
    }
}
