import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#endif

/// Room on disk for the index of SQLite's write-ahead log (`-shm`), taken before it is needed.
///
/// SQLite grows the index after a commit's frames are synced, a page of 32 KiB every 4,096 frames. With no room then, the
/// COMMIT fails although its frames are on disk, and a crash would bring them back: the one way in which a full disk could
/// leave a commit's outcome open. Where a file system gives pages only as they are touched, it could also end the process
/// with SIGBUS. So the room is reserved before the transaction, where having none is plain `SQLITE_FULL`.
///
/// The descriptor stays open until SQLite has closed the file: closing any descriptor of a file gives up all of the
/// process's POSIX locks on it, SQLite's among them.
struct WALIndexReservation: ~Copyable {
    private static let regionBytes = 32_768
    /// The first region also has the header, which takes the room of 34 frames.
    private static let firstRegionFrames = 4_062
    private static let regionFrames = 4_096

    private let descriptor: Int32
    private var reservedBytes = 0

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

    /// Sees to room for the index of a log of so many frames.
    mutating func reserve(frames: Int) throws(SQLFault) {
        let further = max(0, frames - Self.firstRegionFrames)
        let bytes = (1 + (further + Self.regionFrames - 1) / Self.regionFrames) * Self.regionBytes
        guard bytes > reservedBytes else { return }
        var failure: Int32
        repeat { failure = posix_fallocate(descriptor, 0, off_t(bytes)) } while failure == EINTR
        switch failure {
        case 0: reservedBytes = bytes
        // Not every file system can; SQLite's own way of growing the file is left then.
        case EOPNOTSUPP, ENOSYS, EINVAL: reservedBytes = .max
        case ENOSPC, EDQUOT, EFBIG:
            throw SQLFault(code: SQLITE_FULL, systemError: failure, message: "no space for the WAL index")
        default:
            throw SQLFault(code: SQLITE_IOERR, systemError: failure, message: "space for the WAL index cannot be reserved")
        }
    }
}
