/// Why a call on the journal failed. The text says what happened, where, and what to do.
package enum JournalError: Error, Hashable {
    /// No space. Nothing changed; smaller writes, or writes after space was freed, may succeed.
    case full(String)
    /// The medium cannot be written. Nothing changed.
    case readOnly(String)
    /// This call failed and changed nothing.
    case failed(String)
    /// The outcome is unknown, or a sync failed. The daemon must end.
    case fatal(String)
}

extension JournalError {
    /// The text, for logs and error responses.
    package var message: String {
        switch self {
        case .full(let message), .readOnly(let message), .failed(let message), .fatal(let message): message
        }
    }
}

extension JournalError: CustomStringConvertible {
    /// The error's `message`.
    package var description: String { message }
}
