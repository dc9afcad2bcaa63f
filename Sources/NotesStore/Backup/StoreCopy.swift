import Glibc
import NoteText
package import NotesModel
import NotesSQL

/// Copies a store while it is being written. The copy has the state of one commit: the newest when
/// the copy begins, or a later one.
///
/// It reads on a separate read-only connection in a single transaction, and so sees one state.
/// Until the transaction ends, the log cannot restart and keeps growing. So it ends before the copy
/// is synced, and a copy during which the log grows by more than `logBytesMax` is cancelled.
package struct StoreCopy: Sendable {
    /// Path of the database file.
    let database: String
    /// Path of the store's directory.
    let directory: String
    /// Bytes by which the log may grow during the copy.
    let logBytesMax: Int
    /// The files that a database names; nil if it is no store that this program can read.
    let namedFiles: @Sendable (Database) throws(SQLFault) -> [FileContent]?

    /// Pages copied between two calls of `end`, and bytes between two syncs. Syncing in portions
    /// leaves less to write at once, which other programs' commits would wait for.
    private static let pagesPerStep: CInt = 64
    private static let bytesPerSync = 32 << 20

    /// Maximum number of backups that `backups` returns.
    package static let listedMax = 1_000

    /// Paths of the backups in the store's folder for backups, sorted, at most `listedMax`. Those that
    /// were written elsewhere are not known.
    package var backups: [String] {
        let folder = directory + "/backups"
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var paths: [String] = []
        while paths.count < Self.listedMax, let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != "..", name != FilePool.name { paths.append(folder + "/" + name) }
        }
        return paths.sorted()
    }

    /// Writes a backup, and blocks until it is durable or has failed. A failed backup leaves no
    /// file.
    ///
    /// - Parameters:
    ///   - asked: Name or path of the backup, as in `BackupTarget`.
    ///   - now: Time from which a name is made.
    ///   - end: Called after every few pages. If it returns a reason, the copy stops.
    ///   - progress: Called with bytes of the database done and total bytes, at most about once per percent and per
    ///     MiB.
    /// - Throws: `path` or `denied` if the target is not usable, `full` without space, `cancelled`,
    ///   or `failed`.
    /// - Complexity: O(size of the store).
    package func write(
        to asked: String?, now: Timestamp, end: @escaping () -> BackupEnd?, progress: @escaping (Int, Int) -> Void
    ) throws(BackupFault) -> Backup {
        let target = try BackupTarget(asked, store: directory, now: now)
        let source: Database
        do throws(SQLFault) {
            source = try SQLiteConnections.open(database, isReadOnly: true)
        } catch { throw fault(error, of: database) }
        var draft: BackupTarget.Draft?
        var files: [FileContent] = []
        do throws(BackupFault) {
            try read(source) { (source) throws(BackupFault) in
                let bytes = try Self.bytes(of: source, database)
                let begun = try target.begin(bytes: bytes, store: directory)
                draft = begun
                try copy(source, bytes: bytes, to: begun, end: end, progress: progress)
                do throws(SQLFault) { files = try namedFiles(source) ?? [] } catch { throw fault(error, of: database) }
            }
            guard let draft else { throw .cancelled }
            try Self.makePlain(draft)
            let amount = try put(files, beside: target, end: end)
            let backup = try target.finish(draft, store: directory, files: amount)
            FilePool.prune(in: target.folder, namedFiles: namedFiles)
            return backup
        } catch {
            if let draft { target.drop(draft) }
            throw error
        }
    }

    /// Puts the files that a backup names into the pool beside it.
    private func put(
        _ files: [FileContent], beside target: borrowing BackupTarget, end: () -> BackupEnd?
    ) throws(BackupFault) -> FilePool.Amount {
        guard files.contains(where: { $0.bytes > 0 }) else { return FilePool.Amount() }
        let amount: FilePool.Amount
        do throws(FileFault) {
            let pool = try FilePool(in: target.folder, isMade: true)
            amount = try pool.take(files, from: try FilePool(in: directory, isMade: true), isChecked: false) { end() == nil }
        } catch {
            if case .noRoom(let text) = error { throw .full(text) }
            throw .failed("\(error)")
        }
        if let end = end() { throw Self.fault(end) }
        return amount
    }

    /// Runs a body in one read transaction, then closes the connection.
    private func read(_ source: Database, _ body: (Database) throws(BackupFault) -> Void) throws(BackupFault) {
        var result = Result<Void, BackupFault>.success(())
        do throws(SQLFault) {
            try SQLiteConnections.setUpReader(source)
            try source.run("BEGIN")
            result = Result { () throws(BackupFault) in try body(source) }
            try source.run("ROLLBACK")
            try source.close()
        } catch {
            if case .success = result { result = .failure(fault(error, of: database)) }
        }
        try result.get()
    }

    /// Size of the store in bytes without its log. Reading it begins the transaction.
    private static func bytes(of source: Database, _ path: String) throws(BackupFault) -> Int {
        do throws(SQLFault) {
            _ = try source.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
            let pages = try source.first("PRAGMA page_count") { $0.integer(0) } ?? 0
            let size = try source.first("PRAGMA page_size") { $0.integer(0) } ?? 0
            return Int(pages * size)
        } catch { throw .failed("\(path): \(error.message)") }
    }

    private func copy(
        _ source: Database, bytes: Int, to draft: BackupTarget.Draft, end: @escaping () -> BackupEnd?,
        progress: @escaping (Int, Int) -> Void
    ) throws(BackupFault) {
        let logStart = logBytes()
        var pace = Pace(bytes: bytes, descriptor: draft.descriptor)
        func onDraft<T: ~Copyable>(_ body: () throws(SQLFault) -> T) throws(BackupFault) -> T {
            do throws(SQLFault) { return try body() } catch { throw fault(error, of: draft.path) }
        }
        let destination = try onDraft { () throws(SQLFault) in try Database(path: draft.path) }
        // The file counts only once it is complete and synced, so it needs no journal.
        try onDraft { () throws(SQLFault) in
            for pragma in ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"] {
                try destination.run("PRAGMA \(pragma)")
            }
        }
        do {
            let backup = try onDraft { () throws(SQLFault) in try DatabaseBackup(of: source, to: destination) }
            while try !onDraft({ () throws(SQLFault) in try backup.step(pages: Self.pagesPerStep) }) {
                if let end = end() { throw Self.fault(end) }
                guard logBytes() - logStart <= logBytesMax else { throw Self.tooMuchWritten }
                try pace.reached(bytes - bytes / max(1, backup.totalPages) * backup.remainingPages, progress)
            }
        }
        try onDraft { () throws(SQLFault) in try destination.close() }
        if pace.hasReported { progress(bytes, bytes) }
    }

    private func logBytes() -> Int {
        var status = stat()
        return stat(database + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Decides when to sync and when to report progress.
    private struct Pace {
        let bytes: Int
        let descriptor: Int32
        private var synced = 0
        private var reported = 0

        init(bytes: Int, descriptor: Int32) {
            self.bytes = bytes
            self.descriptor = descriptor
        }

        /// Whether progress has been reported.
        var hasReported: Bool { reported > 0 }

        mutating func reached(_ done: Int, _ progress: (Int, Int) -> Void) throws(BackupFault) {
            if done - synced >= StoreCopy.bytesPerSync {
                synced = done
                guard fdatasync(descriptor) == 0 else {
                    throw .failed("a backup cannot be synced to disk: \(systemMessage(errno))")
                }
            }
            guard done - reported >= max(bytes / 100, 1 << 20) else { return }
            reported = done
            progress(done, bytes)
        }
    }

    /// Marks the file as having no write-ahead log, so that it can be read on a read-only medium.
    /// It becomes a normal store when a daemon opens it.
    private static func makePlain(_ draft: BackupTarget.Draft) throws(BackupFault) {
        // Bytes 18 and 19 are the write and read versions of the format: 2 with a write-ahead log,
        // 1 without.
        var version: UInt8 = 1
        for offset: off_t in 18...19 {
            guard uninterrupted({ pwrite(draft.descriptor, &version, 1, offset) }) == 1 else {
                throw .failed("\(draft.path) cannot be written: \(systemMessage(errno))")
            }
        }
    }
}

// MARK: - Faults

extension StoreCopy {
    private static let tooMuchWritten = BackupFault.failed(
        "the store's log grew past its limit during the backup; try again when fewer notes are written")

    private static func fault(_ end: BackupEnd) -> BackupFault {
        switch end {
        case .cancelled: .cancelled
        case .roomNeeded:
            .full("the disk is full, so the backup was stopped to let notes be written; free some space, then try again")
        }
    }

    private func fault(_ fault: SQLFault, of path: String) -> BackupFault {
        let text = "\(path): \(fault.message) (SQLite code \(fault.code))"
        if fault.isOutOfRoom { return .full("no space for the backup; free some, or give another folder. \(text)") }
        if fault.isDamage { return .failed("the store is damaged, and a copy would be too; run `notesctl audit`. \(text)") }
        return .failed(text)
    }
}
