import Glibc
package import Logging
package import NoteText
package import NotesModel
import NotesSQL

/// A store without a daemon, opened for inspection: its database and its log stay unchanged, byte
/// for byte.
package final class OfflineStore {
    /// Path of the database file.
    package let path: String
    private let connections: SQLiteConnections
    private let lock: StoreLock?
    /// Files that SQLite creates to read an existing log and that did not exist before; `deinit`
    /// removes them.
    private let made: [String]

    /// Opens the store in a directory, and keeps daemons off it as long as this object lives.
    ///
    /// - Throws: `locked` if a daemon runs, `directory` if there is no store, `newer`, `foreign`,
    ///   `backup` or `journal` if it cannot be read.
    package convenience init(directory path: String) throws(StoreError) {
        let directory = try StoreDirectory(at: path)
        let lock = try StoreLock(reading: directory)
        guard access(directory.database, F_OK) == 0 else { throw .directory("\(path) contains no store") }
        try self.init(file: directory.database, lock: lock)
    }

    /// - Parameter lock: A lock to hold as long as this object lives.
    init(file path: String, lock: StoreLock?) throws(StoreError) {
        self.path = path
        self.lock = lock
        made = ["-shm", "-wal"].map { path + $0 }.filter { access($0, F_OK) != 0 }
        do throws(SQLFault) {
            connections = try SQLiteConnections(toleratingCorruption: path)
            let state = try connections.reading { database throws(SQLFault) in try Schema.state(of: database) }
            switch state {
            case .store(Schema.version): break
            case .store(let version): throw StoreFault.version(version)
            case .empty, .foreign: throw StoreFault.foreign
            }
        } catch {
            throw StoreFault.error(error, path: path)
        }
    }

    deinit {
        try? connections.close()
        for path in made { unlink(path) }
    }

    /// Returns what SQLite finds wrong with the file, at most 100 findings; empty if it is intact.
    ///
    /// - Parameter isQuick: Whether to skip comparing the indexes with the tables.
    /// - Complexity: O(size of the file).
    package func faults(isQuick: Bool) throws(StoreError) -> [String] {
        var faults: [String] = []
        do throws(SQLFault) {
            try connections.reading { database throws(SQLFault) in
                try database.each("PRAGMA \(isQuick ? "quick_check" : "integrity_check")(100)") { row throws(SQLFault) in
                    faults.append(String(decoding: row.blob(0), as: UTF8.self))
                    return true
                }
            }
        } catch {
            guard error.isDamage else { throw .journal(error.journalError(at: .reading, path: path)) }
            faults.append(error.message)
        }
        return faults == ["ok"] ? [] : faults
    }

    /// The files that revisions of the store name, each once.
    package func namedFiles() throws(StoreError) -> [FileContent] {
        do throws(SQLFault) {
            return try connections.reading { database throws(SQLFault) in try FileNameTable.ofStore(database) ?? [] }
        } catch { throw .journal(error.journalError(at: .reading, path: path)) }
    }

    /// Compares the files that revisions name with the folder of files. Changes nothing.
    ///
    /// - Parameter isHashed: whether to reread the bytes and compare their hashes.
    /// - Returns: one finding for each file that is missing or damaged.
    /// - Complexity: O(names), and O(bytes of the files) if they are hashed.
    package func fileFindings(isHashed: Bool) throws(StoreError) -> [AuditFinding] {
        let files = try namedFiles().filter { $0.bytes > 0 }
        guard !files.isEmpty else { return [] }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        var lost: [AuditFinding] = []
        func add(_ file: FileContent, _ what: String) {
            lost.append(AuditFinding(note: nil, dot: nil, what: "the bytes of the file \(file.hash) \(what)", affects: .files))
        }
        guard let pool = try? FilePool(in: folder, isMade: false) else {
            for file in files { add(file, "are not there") }
            return lost
        }
        for file in files {
            guard let size = pool.size(of: file.hash) else {
                add(file, "are not there")
                continue
            }
            guard size == file.bytes else {
                add(file, "are damaged: they are \(size), and were \(file.bytes)")
                continue
            }
            guard isHashed else { continue }
            do throws(FileFault) {
                if try !pool.hasHash(file) { add(file, "are damaged: they have another hash") }
            } catch { add(file, "cannot be read: \(error)") }
        }
        return lost
    }

    /// Returns the store's journal for reading; nothing can be appended. Do not use this object
    /// meanwhile.
    ///
    package func journal(logger: Logger) throws(StoreError) -> SQLiteJournal {
        try SQLiteJournal(toleratingCorruption: connections, logger: logger)
    }
}

/// Faults of opening a file that is not a store, carried through functions that throw SQLite's
/// faults.
private enum StoreFault {
    /// Codes that SQLite does not use.
    private static let foreignCode: Int32 = -1
    private static let versionCode: Int32 = -2

    static let foreign = SQLFault(code: foreignCode, message: "")

    static func version(_ version: Int) -> SQLFault {
        SQLFault(code: versionCode, systemError: Int32(clamping: version), message: "")
    }

    static func error(_ fault: SQLFault, path: String) -> StoreError {
        switch fault.code {
        case foreignCode: .foreign(path: path)
        case versionCode: .version(Int(fault.systemError), path: path) ?? .foreign(path: path)
        case _ where fault.isDamage: .backup("\(path) is damaged: \(fault.message)")
        default: .journal(fault.journalError(at: .reading, path: path))
        }
    }
}

// MARK: - Restoring

extension Store {
    /// Restores a backup into a directory without a store, checks it, and makes it durable. A
    /// daemon that starts on it continues as a separate replica.
    ///
    /// The store gets its name only when it is complete, so an interrupted restore can be repeated.
    ///
    /// - Parameters:
    ///   - file: Path of the backup.
    ///   - path: The directory, which is created if it is missing. It may contain only the lock and
    ///     backups.
    ///   - check: Inspects the copy and returns the notes of which only derived data is wrong. This data
    ///     is rebuilt, and the copy is inspected again. If it throws, the copy is removed.
    /// - Returns: Path of the restored database, its size in bytes, and the numbers of files that were found and not found
    ///   beside the backup.
    /// - Throws: `StoreError`, or what `check` throws.
    /// - Complexity: O(size of the backup).
    package static func restore<Failure: Error>(
        _ file: String, into path: String, asNewStore: Bool = false, check: (OfflineStore) throws(Failure) -> [NoteID]
    ) throws -> (path: String, bytes: Int, files: Int, missingFiles: Int) {
        let backup = try BackupFile(file)
        let directory = try StoreDirectory(making: path)
        let lock = try StoreLock(directory)
        try directory.demandEmpty()
        let draft = directory.path + "/" + StoreDirectory.restorePrefix + "\(getpid())"
        do {
            try backup.copy(to: draft)
            let notes = try check(try OfflineStore(file: draft, lock: nil))
            if !notes.isEmpty {
                try DerivedDataRebuild.run(in: draft, notes: notes)
                guard try check(try OfflineStore(file: draft, lock: nil)).isEmpty else {
                    throw StoreError.backup("the derived data of \(file) is still wrong after it was rebuilt")
                }
            }
            if asNewStore { try NewStoreIdentity.give(to: draft) }
        } catch {
            unlink(draft)
            throw error
        }
        let files = try restoreFiles(of: draft, beside: backup.path, in: directory)
        guard rename(draft, directory.database) == 0 else {
            let failure = errno
            unlink(draft)
            throw StoreError.directory("\(directory.database) cannot be created: \(systemMessage(failure))")
        }
        try directory.sync()
        withExtendedLifetime(lock) {}
        return (directory.database, backup.bytes, files.files, files.missing)
    }

    /// Takes the files that a store names from beside the backup, and compares their hashes.
    private static func restoreFiles(
        of draft: String, beside backup: String, in directory: StoreDirectory
    ) throws(StoreError) -> FilePool.Amount {
        let files = try OfflineStore(file: draft, lock: nil).namedFiles()
        guard files.contains(where: { $0.bytes > 0 }) else { return FilePool.Amount() }
        let folder = String(backup[..<(backup.lastIndex(of: "/") ?? backup.startIndex)])
        guard let pool = try? FilePool(in: folder, isMade: false) else {
            return FilePool.Amount(missing: files.count { $0.bytes > 0 })
        }
        do throws(FileFault) {
            return try FilePool(in: directory.path, isMade: true).take(files, from: pool, isChecked: true)
        } catch { throw .directory("\(error)") }
    }
}

/// A file that claims to be a backup, or a store that was closed properly.
private struct BackupFile: ~Copyable {
    let path: String
    let bytes: Int
    private let descriptor: Int32

    /// Offsets in SQLite's file header (sqlite.org/fileformat.html).
    private static let magic = Array("SQLite format 3\u{0}".utf8)
    private static let versionAt = 60
    private static let applicationAt = 68
    private static let headerBytes = 100

    init(_ given: String) throws(StoreError) {
        // Symbolic links are resolved, since the log of a live store is next to the real file.
        guard let resolved = realpath(given, nil) else { throw .backup("\(given) cannot be read: \(systemMessage(errno))") }
        let path = String(cString: resolved)
        free(resolved)
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw .backup("\(path) cannot be read: \(systemMessage(errno))") }
        do throws(StoreError) {
            bytes = try Self.check(opened, path)
        } catch {
            close(opened)
            throw error
        }
        self.path = path
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(StoreError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .backup("\(path) is not a plain file")
        }
        var header = [UInt8](repeating: 0, count: headerBytes)
        guard pread(descriptor, &header, headerBytes, 0) == headerBytes, header.starts(with: magic),
            number(in: header, at: applicationAt) == Int(Schema.applicationID)
        else { throw .backup("\(path) is not a backup of notesd; give a file that `notesctl backup` wrote") }
        let version = number(in: header, at: versionAt)
        if let refusal = StoreError.version(version, path: path) { throw refusal }
        for suffix in ["-wal", "-journal"] {
            var log = stat()
            guard stat(path + suffix, &log) != 0 || log.st_size == 0 else {
                throw .backup(
                    "\(path)\(suffix) holds part of its content, so this is a live store and not a backup. Give a file "
                        + "that `notesctl backup` wrote, or start notesd on its directory")
            }
        }
        return Int(status.st_size)
    }

    private static func number(in header: [UInt8], at offset: Int) -> Int {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Copies the backup to a new file and syncs it. If this throws, the caller removes the file.
    func copy(to draft: String) throws(StoreError) {
        let copy = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw .directory("\(draft) cannot be created: \(systemMessage(errno))") }
        defer { close(copy) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset = 0
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(offset))
            guard count >= 0 else { throw .backup("\(path) cannot be read: \(systemMessage(errno))") }
            if count == 0 { break }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
                guard written > 0 else { throw .directory("\(draft) cannot be written: \(systemMessage(errno))") }
                rest = rest.dropFirst(written)
            }
            offset += count
        }
        guard fsync(copy) == 0 else { throw .directory("\(draft) cannot be synced to disk: \(systemMessage(errno))") }
    }
}
