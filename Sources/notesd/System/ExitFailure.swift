/// Reason why the daemon or a command fails: one sentence for the user, and an exit code of
/// `sysexits.h`.
struct ExitFailure: Error, Hashable {
    let message: String
    let code: Code

    init(_ message: String, _ code: Code) {
        self.message = message
        self.code = code
    }

    /// Exit codes. The help texts and `notesd(8)` document them.
    enum Code: Int32 {
        /// Invalid command line, or a missing path.
        case usage = 64
        /// The store cannot be served by this version, or a check found faults.
        case data = 65
        /// The socket or the data directory cannot be created.
        case cannotCreate = 73
        /// The store failed.
        case store = 74
        /// Another process uses the store or the socket. Starting succeeds once that process has
        /// exited.
        case inUse = 75
        /// Invalid configuration.
        case configuration = 78
    }
}
