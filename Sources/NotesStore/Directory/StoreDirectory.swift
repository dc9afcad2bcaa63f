import Glibc
import NotesSQL

/// The directory of a store and the paths of its files. Only the daemon's user has access.
struct StoreDirectory {
    /// Absolute path without symbolic links.
    let path: String

    var database: String { path + "/notes.sqlite3" }
    /// SQLite's write-ahead log, and the copy with which `HotLogRecovery` replaces it.
    var log: String { database + "-wal" }
    var logCopy: String { log + ".copy" }
    /// The blocks for the log of the next run (`LogSpace`).
    var nextLog: String { Self.nextLog(of: log) }
    static func nextLog(of log: String) -> String { log + ".next" }
    var lock: String { path + "/lock" }
    /// The search index, which is made after the database is durable.
    var index: String { path + "/search.sqlite3" }
    /// The folder of backups without a path of their own.
    var backups: String { path + "/backups" }

    /// Creates the directory and its missing parents (mode 0700).
    ///
    /// A symbolic link to a directory is followed, since that is how data is moved to another disk.
    /// A directory that other users can write to is refused: they could replace the store's files.
    init(making path: String) throws(StoreError) {
        try Self.make(path)
        try self.init(at: path)
    }

    /// Opens an existing directory.
    init(at path: String) throws(StoreError) {
        guard let resolved = realpath(path, nil) else { throw .directory("\(path) cannot be found: \(systemMessage(errno))") }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        var status = stat()
        guard stat(resolved, &status) == 0 else { throw .directory("\(self.path) cannot be read: \(systemMessage(errno))") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .directory("\(self.path) is not a directory") }
        guard status.st_uid == geteuid() else {
            throw .directory("\(self.path) belongs to another user (\(status.st_uid)); use a directory that you own")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .directory("\(self.path) is writable by other users; run `chmod 700 \(self.path)`")
        }
    }

    /// Creates the empty database file with mode 0600 if it is missing. SQLite gives its other
    /// files the same mode.
    ///
    /// Refuses symbolic links and anything else that is not a plain file.
    func makeDatabase() throws(StoreError) {
        do throws(DatabaseFile.Fault) { try DatabaseFile.make(database) } catch { throw .directory(error.message) }
    }

    /// Throws if the notes are gone and only their index is left, as after a full disk or a wrong restore. A
    /// new store in their place would look like a first start.
    func demandNotesBesideIndex() throws(StoreError) {
        /// The size of what is at a path and whether it is a plain file; nil if nothing is there or it cannot be examined.
        func size(_ path: String) -> (bytes: Int, isFile: Bool)? {
            var status = stat()
            return lstat(path, &status) == 0 ? (Int(status.st_size), status.st_mode & S_IFMT == S_IFREG) : nil
        }
        guard let index = size(index), index.isFile, index.bytes > 0 else { return }
        if size(database)?.bytes ?? 0 == 0, size(log)?.bytes ?? 0 == 0 { throw .vanished(path: database) }
    }

    /// Prefix of the name that a restore gives its copy until it is complete. The next restore
    /// removes leftovers.
    static let restorePrefix = ".notesd-restore-"

    /// Throws unless the directory contains only backups, bytes of files and the lock, which the caller holds.
    func demandEmpty() throws(StoreError) {
        guard let entries = opendir(path) else { throw .directory("\(path) cannot be read: \(systemMessage(errno))") }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if [".", "..", "lock", "backups", Subfolder.files.path].contains(name) { continue }
            guard name.hasPrefix(Self.restorePrefix) else {
                throw .directory("\(path) is not empty (it contains \(name)); move its files away, or use another directory")
            }
            unlink(path + "/" + name)
        }
    }

    /// Syncs the directory and its parent, so that the names in it and its own name are durable.
    func sync() throws(StoreError) {
        for directory in [path, path + "/.."] { try Self.syncNames(in: directory) }
    }

    private static func syncNames(in directory: String) throws(StoreError) {
        let descriptor = uninterrupted { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            // A process that may not read the parent directory did not create this one there.
            if [EACCES, EPERM].contains(errno) { return }
            throw .directory("\(directory) cannot be opened for syncing: \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .directory("\(directory) cannot be synced to disk: \(systemMessage(errno))")
        }
    }

    /// Creates a directory and its missing parents. Each is durable before the next is created in
    /// it.
    private static func make(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) != 0 else { return try syncNames(in: path + "/..") }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")), slash > path.utf8.startIndex else { break }
            try make(String(decoding: path.utf8[..<slash], as: UTF8.self))
            guard mkdir(path, 0o700) != 0 else { return try syncNames(in: path + "/..") }
            guard errno != EEXIST else { return }
        default: break
        }
        throw .directory("\(path) cannot be created: \(systemMessage(errno, creating: path))")
    }
}
