package import NotesWire

/// The reason why a call, a watch or a connection failed.
package enum ClientError: Error, Sendable {
    /// No daemon is listening on the socket.
    case daemonNotThere(path: String, Absence)
    /// The user may not open the socket, or the daemon refused the user.
    case notAllowed(message: String)
    /// The socket path exceeds the system's limit, in bytes.
    case pathTooLong(path: String, limit: Int)
    /// The connection failed for another reason of the system, or the hello timed out.
    case connectionFailed(path: String, message: String)
    /// The connection ended before the response arrived.
    ///
    /// `mayHaveHappened` is true if the request was a write that was sent. The daemon may or may
    /// not have executed it; sending it again with the same `op` is safe.
    case connectionLost(mayHaveHappened: Bool)
    /// The daemon did not answer within `ClientOptions.silence`, and the client closed the connection.
    case silent(path: String)
    /// The daemon broke the protocol, and the client closed the connection.
    case protocolViolation(String)
    /// The daemon's response is an error.
    case refused(WireError)
    /// The client was closed.
    case closed

    /// The reason why no daemon is listening.
    package enum Absence: Hashable, Sendable {
        /// The socket file does not exist.
        case noSocket
        /// The socket file exists, but no process listens on it.
        case nobodyListens
    }
}

extension ClientError {
    /// Whether reconnecting may help.
    var isTransient: Bool {
        switch self {
        case .daemonNotThere, .connectionFailed, .connectionLost, .silent: true
        case .notAllowed, .pathTooLong, .protocolViolation, .closed: false
        case .refused(let error): error.isRetryable
        }
    }
}

extension ClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .daemonNotThere(let path, .noSocket): "no daemon at \(path): the socket does not exist"
        case .daemonNotThere(let path, .nobodyListens): "no daemon at \(path): nothing is listening on the socket"
        case .notAllowed(let message): message
        case .pathTooLong(let path, let limit): "\(path) is too long for a socket path; the system allows \(limit) bytes"
        case .connectionFailed(let path, let message): "cannot connect to \(path): \(message)"
        case .connectionLost(true): "the connection was lost before the response arrived; the change may have been made"
        case .connectionLost(false): "the connection was lost before the response arrived"
        case .silent(let path): "\(path) does not answer"
        case .protocolViolation(let message): "the peer violates the notesd protocol: \(message)"
        case .refused(let error): error.message
        case .closed: "the client is closed"
        }
    }
}
