import Glibc
import NotesSQL

/// Makes a hot WAL durable before SQLite reads it.
///
/// A *hot WAL* is a write-ahead log with content that an earlier run left behind: it was killed, or
/// a sync failed. The next SQLite connection recovers all valid transactions from it.
///
/// **Why recovery alone is unsafe.** The kernel may hold pages of the file that never reached the
/// disk. SQLite reads them, takes their transactions for committed, and the daemon serves them. A
/// later power cut can still remove them, so a client would see notes go back to an older state.
///
/// **Why a sync is not enough.** After a failed `fsync`, Linux may mark the pages clean although it
/// never wrote them. A second `fsync` then succeeds and writes nothing. So the bytes must be
/// written again.
///
/// **Why to another file.** The log may be the only copy of acknowledged commits. Overwriting it in
/// place could tear a sector in a power cut. So the bytes go to `notes.sqlite3-wal.copy`, which
/// replaces the log with one `rename` after it has been synced.
///
/// **Example.** A commit writes its frames to the log, and the `fdatasync` fails. Its outcome is
/// unknown, and the daemon ends without acknowledging it. At the next start the frames are still in
/// the kernel's cache, marked clean.
///
/// 1. `makeDurable` copies all bytes of the log to the copy and syncs it. This writes the frames to
///    the disk, whatever the kernel believes of the old file.
/// 2. It renames the copy to the log and syncs the directory.
/// 3. SQLite opens the store, recovers the commit, and may serve it: it is durable now.
///
/// A power cut before step 2 is complete leaves the old log, or what the disk has of it. Both
/// contain every acknowledged commit, since an acknowledged commit had been synced.
enum HotLogRecovery {
    /// Makes the content of a hot WAL durable, if there is one.
    ///
    /// If the copy does not fit on the disk, or another program has the store open, rewrites the
    /// log in place instead.
    ///
    /// - Precondition: This process has no file of the store open.
    /// - Throws: `directory` if the log cannot be read, written or synced.
    /// - Complexity: O(bytes of the log). Usually there is nothing to do, since a daemon that stops
    ///   normally empties the log.
    static func makeDurable(in directory: StoreDirectory) throws(StoreError) {
        let path = directory.log
        // A start that was interrupted may have left a copy.
        unlink(directory.logCopy)
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

    /// Replaces the log with a synced copy of itself.
    ///
    /// - Returns: False if the disk has no space for the copy; nothing has changed then.
    private static func replace(_ log: Int32, in directory: StoreDirectory) throws(StoreError) -> Bool {
        let path = directory.logCopy
        let copy = uninterrupted { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard copy >= 0 else { return try noRoom(path, "cannot be created") }
        defer { close(copy) }
        var isInPlace = false
        defer { if !isInPlace { unlink(path) } }
        guard try write(log, to: copy, path: path), fdatasync(copy) == 0 else { return try noRoom(path, "cannot be written") }
        guard rename(path, directory.log) == 0 else { return try noRoom(path, "cannot be renamed over the hot log") }
        isInPlace = true
        // Until the directory is synced, a power cut may bring the old log back, which is
        // equivalent for all acknowledged commits.
        try directory.sync()
        return true
    }

    /// Rewrites the log's bytes in place and syncs it: for a full disk, and for a log that another
    /// program has open. A power cut during these milliseconds may tear a sector.
    private static func writeInPlace(_ log: Int32, path: String) throws(StoreError) {
        // A copy-on-write file system may have no space even for this. The start then continues
        // without the rewrite, so that notes can at least be read.
        if try !write(log, to: log, path: path) { _ = try noRoom(path, "cannot be rewritten") }
        guard fdatasync(log) == 0 else { throw fault(path, "cannot be synced to disk") }
    }

    /// Copies the log's bytes to the same offsets of another descriptor.
    ///
    /// - Returns: False if they cannot be written; `errno` has the reason.
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

    /// Returns false if `errno` means a lack of space, and throws otherwise.
    private static func noRoom(_ path: String, _ what: String) throws(StoreError) -> Bool {
        guard [ENOSPC, EDQUOT].contains(errno) else { throw fault(path, what) }
        return false
    }

    private static func fault(_ path: String, _ what: String) -> StoreError {
        .directory("\(path) \(what): \(systemMessage(errno))")
    }
}

/// Detects other programs that have the database open with SQLite, such as its shell. They would
/// keep using a log that had been replaced.
private enum ForeignOpeners {
    /// The bytes on which SQLite in WAL mode holds a read lock as long as a connection is open
    /// (`SHARED_FIRST` and `SHARED_SIZE` in its sources).
    private static let lockedBytes = (first: off_t(0x4000_0002), count: off_t(510))

    static func have(_ database: String) throws(StoreError) -> Bool {
        // Closing a descriptor releases all POSIX locks that the process holds on the file, hence
        // the precondition of `makeDurable`.
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
