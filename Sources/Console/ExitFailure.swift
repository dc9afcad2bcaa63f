/// The exit status of the program, by the BSD convention of `sysexits.h`.
package enum ExitStatus: Int32 {
    case failed = 1
    /// The note is saved, but others changed the same place. The work is done, so no `ExitFailure`
    /// carries this code.
    case inConflict = 2
    /// The command line is wrong (`EX_USAGE`).
    case usage = 64
    /// The input cannot become a note (`EX_DATAERR`).
    case badData = 65
    /// There is no such note or revision (`EX_NOINPUT`).
    case noNote = 66
    /// The daemon is absent or shutting down (`EX_UNAVAILABLE`).
    case noDaemon = 69
    /// A temporary condition of the daemon: the same command may succeed later.
    case notNow = 75
    /// The daemon or its configuration denies access (`EX_NOPERM`).
    case notAllowed = 77
}

/// An error that ends the program. Its one-line message says what failed, where, and what to do.
package struct ExitFailure: Error {
    package let message: String
    package let code: ExitStatus

    package init(_ message: String, _ code: ExitStatus = .failed) {
        self.message = message
        self.code = code
    }
}
