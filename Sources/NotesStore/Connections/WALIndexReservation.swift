import CSQLite
import Glibc
import NotesSQL

/// Disk space for the WAL index (`-shm`) of SQLite's write-ahead log, reserved before it is needed.
///
/// SQLite grows the index after it has synced a commit's frames, by a region of 32 KiB every 4,096
/// frames. If the disk is full then, COMMIT fails although its frames are on disk, and a restart
/// after a crash would recover them. That is the only way in which a full disk could leave the
/// outcome of a commit unknown. On a file system that allocates pages when they are touched, it
/// could also end the process with SIGBUS. Reserving the space before the transaction turns both
/// into a plain `SQLITE_FULL`.
///
/// The descriptor stays open until SQLite has closed the file, because closing any descriptor of a
/// file releases all POSIX locks that the process holds on it, including SQLite's.
struct WALIndexReservation: ~Copyable {
    private static let regionBytes = 32_768
    /// The first region also contains the header, which takes the space of 34 frames.
    private static let firstRegionFrames = 4_062
    private static let regionFrames = 4_096

    private let descriptor: Int32
    private var reservedBytes = 0

    /// Opens the index file.
    ///
    /// - Precondition: SQLite has the file open.
    init(path: String) throws(SQLFault) {
        descriptor = uninterrupted { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else {
            throw SQLFault(code: SQLITE_CANTOPEN, systemError: errno, message: "the WAL index cannot be opened")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Reserves space for the index of a log with this many frames.
    ///
    /// - Throws: `SQLITE_FULL` if there is none; nothing has changed then.
    mutating func reserve(frames: Int) throws(SQLFault) {
        let further = max(0, frames - Self.firstRegionFrames)
        let bytes = (1 + (further + Self.regionFrames - 1) / Self.regionFrames) * Self.regionBytes
        guard bytes > reservedBytes else { return }
        var failure: Int32
        repeat { failure = posix_fallocate(descriptor, 0, off_t(bytes)) } while failure == EINTR
        switch failure {
        case 0: reservedBytes = bytes
        // Not every file system supports this. SQLite then grows the file itself.
        case EOPNOTSUPP, ENOSYS, EINVAL: reservedBytes = .max
        case ENOSPC, EDQUOT, EFBIG:
            throw SQLFault(code: SQLITE_FULL, systemError: failure, message: "no space for the WAL index")
        default:
            throw SQLFault(code: SQLITE_IOERR, systemError: failure, message: "space for the WAL index cannot be reserved")
        }
    }
}
