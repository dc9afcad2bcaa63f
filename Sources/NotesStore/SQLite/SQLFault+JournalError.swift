import CSQLite
import Glibc
import NotesSQL

extension SQLFault {
    /// The moment of an error. The same code can be harmless before a commit, and leave the outcome
    /// unknown during one.
    enum Moment {
        case reading
        /// In a transaction, before COMMIT: a rollback undoes everything.
        case writing
        /// In COMMIT itself.
        case committing
        case checkpointing
    }

    private var isSyncFailure: Bool {
        [Self.ioFsync, Self.ioDirectoryFsync].contains(code)
    }

    /// Whether the file is read-only, or the file system became so after an error.
    private var isReadOnly: Bool {
        primary == SQLITE_READONLY || (primary == SQLITE_IOERR && systemError == EROFS)
    }

    /// Whether, if it came from COMMIT, the system refused to write a frame to the log.
    private var isRefusedFrame: Bool { [SQLITE_FULL, SQLITE_READONLY].contains(primary) || code == Self.ioWrite }

    /// Returns what the error means for the engine.
    ///
    /// A corrupt row only fails the call that reads it; nothing is written on top of it, so that
    /// other notes stay usable. The order of the tests matters:
    ///
    /// - A failed sync is fatal whatever its `errno`, because the kernel may have dropped the pages
    ///   and marked them clean.
    /// - During COMMIT, only errors after which the log cannot contain the complete commit frame
    ///   are harmless: no space for a frame, a busy file, a read-only file.
    /// - Other errors during COMMIT are fatal. For example, `SQLITE_IOERR_SHM*` occurs after the
    ///   frame was synced, so the next start may recover the commit.
    func journalError(at moment: Moment, path: String) -> JournalError {
        let text = "\(path): \(message) (SQLite code \(code)\(systemError == 0 ? "" : ", errno \(systemError)"))"
        if isSyncFailure {
            return .fatal(
                "syncing to disk failed, so everything written since the last sync may be lost; check the disk, then restart. "
                    + text
            )
        }
        if isOfContent {
            return .failed(
                "the store is damaged: \(message). `notesctl audit`, or `notesd audit` without a daemon, lists all damage; "
                    + "a backup may have an intact copy. \(path)")
        }
        if isDamage {
            return .fatal(
                "the store is damaged; stop the daemon, copy its directory, then restore a backup or run `sqlite3 \(path) .recover`. "
                    + text
            )
        }
        if primary == SQLITE_CANTOPEN, let lack = FileSystemRoom.lackOfInodes(nextTo: path) {
            return .full("SQLite cannot create its files: \(lack), then try again. \(text)")
        }
        if moment == .reading { return .failed(statement.isEmpty ? text : text + " in: " + statement) }
        if isOutOfRoom, moment != .committing || isRefusedFrame {
            return .full("the store's disk is full; free some space, then write again. \(text)")
        }
        if isReadOnly, moment != .committing || isRefusedFrame {
            return .readOnly("the store cannot be written; check its permissions and mount. \(text)")
        }
        if moment == .committing, primary != SQLITE_BUSY {
            return .fatal("whether the last writes reached the disk is unknown; restart to find out. \(text)")
        }
        return .failed(statement.isEmpty ? text : text + " in: " + statement)
    }
}
