/// Why the daemon does not start, or ends: one sentence for a person, and an exit code of `sysexits.h`.
struct ExitFailure: Error, Hashable {
    let message: String
    let code: Code

    init(_ message: String, _ code: Code) {
        self.message = message
        self.code = code
    }

    enum Code: Int32 {
        case usage = 64
        /// The store is not one that this program can serve.
        case data = 65
        /// The socket or the data directory cannot be made.
        case cannotCreate = 73
        /// The store failed.
        case store = 74
        /// Another daemon has the store or the socket: try again when it has ended.
        case inUse = 75
        case configuration = 78
    }
}
