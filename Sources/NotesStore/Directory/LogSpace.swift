import Glibc
import NotesSQL

/// Blocks for SQLite's write-ahead log, written before it needs them.
///
/// A commit syncs the log. While its file grows, each sync also writes the file's metadata, which takes two to
/// ten times as long as a sync of blocks that exist. SQLite removes the log when the last connection closes,
/// so without this, the first megabytes of each run would be slow.
///
/// A stop leaves a file of zeros, `notes.sqlite3-wal.next`, and the next start renames it to the log. SQLite
/// takes a log that begins with zeros for an empty one. A stopped store has no `-wal`, as before. A start
/// that finds no such file, or a short log that a killed daemon left, empties the log and writes zeros to it.
///
/// None of this is needed for anything but speed, so a failure changes nothing: a full disk, for example.
enum LogSpace {
    /// Renames the zeros that a stop left to the log, if there is no log.
    ///
    /// - Precondition: This process has no file of the store open.
    static func install(in directory: StoreDirectory) {
        let next = directory.nextLog
        if access(directory.log, F_OK) != 0, isZero(next) { rename(next, directory.log) }
        unlink(next)
    }

    /// Leaves zeros for the next start.
    static func leave(besideLog log: String, bytes: Int) {
        let next = StoreDirectory.nextLog(of: log)
        unlink(next)
        let file = uninterrupted { open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard file >= 0 else { return }
        defer { close(file) }
        if !fill(file, bytes) { unlink(next) }
    }

    /// Writes zeros to the file of a log that is empty.
    ///
    /// - Precondition: Nothing is written to the log meanwhile.
    static func fill(log: String, bytes: Int) {
        let file = uninterrupted { open(log, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard file >= 0 else { return }
        defer { close(file) }
        if !fill(file, bytes) { ftruncate(file, 0) }
    }

    /// Returns whether the zeros are on the disk.
    private static func fill(_ file: Int32, _ bytes: Int) -> Bool {
        // Longer writes would make the kernel count whole megabytes as changed for each page of a commit.
        let zeros = [UInt8](repeating: 0, count: min(bytes, 16 << 10))
        var offset = 0
        while offset < bytes {
            let count = uninterrupted { pwrite(file, zeros, min(zeros.count, bytes - offset), off_t(offset)) }
            guard count > 0 else { return false }
            offset += count
        }
        return fdatasync(file) == 0
    }

    /// Whether a plain file begins with zeros, at least as many as SQLite reads of an empty log.
    private static func isZero(_ path: String) -> Bool {
        let file = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        var start = [UInt8](repeating: 1, count: 4_096)
        return uninterrupted { pread(file, &start, start.count, 0) } == start.count && start.allSatisfy { $0 == 0 }
    }
}
