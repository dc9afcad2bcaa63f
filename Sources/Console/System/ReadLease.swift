import Glibc

/// A read lease on an open file. The kernel grants it only while no program has the file open for
/// writing, so a text that is read under it is not half of what a program is writing.
///
/// See fcntl(2), `F_SETLEASE`.
package enum ReadLease {
    /// The commands, which the C library declares for GNU sources only.
    private static let (setLease, getLease): (Int32, Int32) = (1_024, 1_025)

    /// Takes a lease until the file is closed.
    ///
    /// - Parameter descriptor: a file that was opened for reading only.
    /// - Returns: whether no program has the file open for writing; nil if the file system has no
    ///   leases, or the file belongs to another user.
    package static func take(_ descriptor: Int32) -> Bool? {
        // A writer that waits for the lease makes the kernel send this signal, which ends a process
        // that does not ignore it.
        signal(SIGIO, SIG_IGN)
        if fcntl(descriptor, setLease, F_RDLCK) == 0 { return true }
        return errno == EAGAIN ? false : nil
    }

    /// Whether a program waits for the end of a lease that `take` granted.
    package static func isAwaited(_ descriptor: Int32) -> Bool {
        let kind = fcntl(descriptor, getLease)
        return kind >= 0 && kind != F_RDLCK
    }
}
