import CSQLite
import Glibc

/// Locks on the index of SQLite's write-ahead log, and what it means if the system cannot give one.
///
/// SQLite takes every lock that it does not get for one that somebody else has, whatever the system says. A
/// connection that begins to read then tries again for ten seconds. So where the locks fail, as on a failing
/// disk, each statement would take that long, and all requests behind it would wait.
///
/// An error that does not mean that somebody has the lock is reported as one instead, after few attempts.
enum IndexLocks {
    /// How often a lock that fails is tried: a failure that passes at once should not fail a request.
    private static let attempts = 3

    /// Runs a method of SQLite's that takes locks, which returns `SQLITE_BUSY` for any of them that it does not get.
    static func taking(_ locks: () -> Int32) -> Int32 {
        for _ in 0..<attempts {
            errno = 0
            let code = locks()
            // With no error of the system, another connection of this process has the lock.
            guard code == SQLITE_BUSY, errno != 0, errno != EAGAIN, errno != EACCES else { return code }
        }
        return SQLFault.ioLockOfIndex
    }
}
