#if canImport(Glibc)
    import Glibc
#endif

/// The log that a run left which was killed, or whose sync failed.
///
/// What the kernel holds of it was perhaps never on the disk. SQLite would take it for committed when it opens the store, and it would
/// be shown and answered from then on; a power cut could still take it away. So it is made durable before anything is read.
///
/// A sync alone does not do: after one that failed the kernel may call pages clean that it never wrote. So the bytes are written again,
/// to a file beside the log that takes its place when it is on the disk. Not over themselves: they may be the only copy of what was
/// acknowledged, and a power cut amid a write may leave anything in the sector that was under way.
enum HotLogRecovery {
    /// - Precondition: this process has nothing of the store open.
    /// - Complexity: O(the log's bytes), which is mostly nothing: a daemon that stops leaves none.
    static func makeDurable(in directory: StoreDirectory) throws(StoreError) {
        let path = directory.log
        // What a start left that was ended meanwhile.
        StoreDirectory.remove(directory.logCopy)
        let log = uninterrupted { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard log >= 0 else {
            if errno == ENOENT { return }
            throw fault(path, "cannot be opened")
        }
        defer { close(log) }
        var status = stat()
        guard fstat(log, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .directory("\(path) is not a plain file")
        }
        guard status.st_size > 0 else { return }
        if try !ForeignOpeners.have(directory.database), try replace(log, in: directory) { return }
        try writeInPlace(log, path: path)
    }

    /// Puts a copy in the log's place.
    ///
    /// - Returns: false where there is no room for it; then nothing has changed.
    private static func replace(_ log: Int32, in directory: StoreDirectory) throws(StoreError) -> Bool {
        let path = directory.logCopy
        let copy = uninterrupted { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard copy >= 0 else { return try noRoom(path, "cannot be created") }
        defer { close(copy) }
        var isInPlace = false
        defer { if !isInPlace { StoreDirectory.remove(path) } }
        guard try write(log, to: copy, path: path), fdatasync(copy) == 0 else { return try noRoom(path, "cannot be written") }
        guard rename(path, directory.log) == 0 else { return try noRoom(path, "cannot be renamed over the hot log") }
        isInPlace = true
        // Before this the old one may come back, which is still the same for all that was acknowledged.
        try directory.sync()
        return true
    }

    /// For a full disk, and for a log that another program has open. A power cut in these milliseconds may tear a sector.
    private static func writeInPlace(_ log: Int32, path: String) throws(StoreError) {
        // Where there is no room even for this, on a file system that writes elsewhere, reads go on, and so does a start.
        if try !write(log, to: log, path: path) { _ = try noRoom(path, "cannot be rewritten") }
        guard fdatasync(log) == 0 else { throw fault(path, "cannot be synced to disk") }
    }

    /// Writes the log's bytes where they stand in it.
    ///
    /// - Returns: false where they cannot be written; `errno` says why.
    private static func write(_ log: Int32, to other: Int32, path: String) throws(StoreError) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var offset: off_t = 0
        while true {
            let count = uninterrupted { pread(log, &bytes, bytes.count, offset) }
            if count == 0 { return true }
            guard count > 0 else { throw fault(path, "cannot be copied") }
            var written = 0
            while written < count {
                let more = bytes[written..<count].withUnsafeBytes { rest in
                    uninterrupted { pwrite(other, rest.baseAddress, rest.count, offset + off_t(written)) }
                }
                guard more > 0 else { return false }
                written += more
            }
            offset += off_t(count)
        }
    }

    /// False where it was for want of room that something failed.
    private static func noRoom(_ path: String, _ what: String) throws(StoreError) -> Bool {
        guard [ENOSPC, EDQUOT].contains(errno) else { throw fault(path, what) }
        return false
    }

    private static func fault(_ path: String, _ what: String) -> StoreError {
        .directory("\(path) \(what): \(systemMessage(errno))")
    }
}

/// Other programs that have a store's database open with SQLite, such as its shell: they would go on in a log that was replaced.
private enum ForeignOpeners {
    /// SQLite in WAL mode holds a read lock on these bytes as long as a connection is open (`SHARED_FIRST`, `SHARED_SIZE`).
    private static let lockedBytes = (first: off_t(0x4000_0002), count: off_t(510))

    static func have(_ database: String) throws(StoreError) -> Bool {
        // Closing it would take this process' own locks, had it any.
        let descriptor = uninterrupted { open(database, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .directory("\(database) cannot be opened: \(systemMessage(errno))") }
        defer { close(descriptor) }
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = lockedBytes
        guard fcntl(descriptor, F_GETLK, &lock) == 0 else {
            throw .directory("the locks of \(database) cannot be read: \(systemMessage(errno))")
        }
        return lock.l_type != Int16(F_UNLCK)
    }
}
