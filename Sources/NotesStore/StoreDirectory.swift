#if canImport(Glibc)
    import Glibc
#endif

/// The directory of a store, and the files in it: only for the user that the daemon runs as.
struct StoreDirectory {
    /// Absolute, without symbolic links.
    let path: String

    var database: String { path + "/notes.sqlite3" }
    /// SQLite's write-ahead log of it, and a copy that is on its way to take its place.
    var log: String { database + "-wal" }
    var logCopy: String { log + ".copy" }
    var lock: String { path + "/lock" }

    /// Makes the directory, and those above it, where they are missing (mode 0700).
    ///
    /// A link to a directory is followed: people move their data to other disks that way. A directory that others can write
    /// in is refused, since they could put files of their own in the place of the store's.
    init(making path: String) throws(StoreError) {
        try Self.make(path)
        try self.init(at: path)
    }

    /// One that is there.
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

    /// Makes the database's file with mode 0600, empty, where it is missing; SQLite gives its other files the same mode.
    ///
    /// A link in its place is refused, and so is anything that is not a plain file.
    func makeDatabase() throws(StoreError) {
        try Self.makeFile(database)
    }

    /// The same of another file.
    static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = uninterrupted { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
        guard descriptor >= 0 else { throw .directory("\(path) cannot be opened: \(systemMessage(errno))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .directory("\(path) is not a plain file")
        }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw .directory("the mode of \(path) cannot be set: \(systemMessage(errno))")
        }
    }

    /// Removes a file, if there is one.
    static func remove(_ path: String) {
        unlink(path)
    }

    /// What a restore names its copy of a backup until it is whole; what such a name is left of one is thrown away by the next.
    static let restorePrefix = ".notesd-restore-"

    /// Whether nothing is here but the lock, which the caller holds, and backups.
    func demandEmpty() throws(StoreError) {
        guard let entries = opendir(path) else { throw .directory("\(path) cannot be read: \(systemMessage(errno))") }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if [".", "..", "lock", "backups"].contains(name) { continue }
            guard name.hasPrefix(Self.restorePrefix) else {
                throw .directory("\(path) is not empty (it contains \(name)); move its files away, or use another directory")
            }
            unlink(path + "/" + name)
        }
    }

    /// Makes names in it durable, and its own.
    func sync() throws(StoreError) {
        for directory in [path, path + "/.."] { try Self.syncNames(in: directory) }
    }

    private static func syncNames(in directory: String) throws(StoreError) {
        let descriptor = uninterrupted { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            // Whoever may not read what it lies in has not made it there.
            if [EACCES, EPERM].contains(errno) { return }
            throw .directory("\(directory) cannot be opened for syncing: \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .directory("\(directory) cannot be synced to disk: \(systemMessage(errno))")
        }
    }

    /// Each directory that is made is durable before the next is made in it.
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
        throw .directory("\(path) cannot be created: \(systemMessage(errno))")
    }
}
