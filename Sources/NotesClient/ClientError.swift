package import NotesWire

/// Why a call, a watch or a connection failed.
package enum ClientError: Error, Sendable {
    /// Nobody answers at the socket.
    case daemonNotThere(path: String, Absence)
    /// The socket may not be opened, or the daemon refused the user.
    case notAllowed(message: String)
    /// A Unix socket's path has a limit that the system sets.
    case pathTooLong(path: String, limit: Int)
    /// The system refused the connection for another reason.
    case connectionFailed(path: String, message: String)
    /// The connection ended before the answer came. `mayHaveHappened`: the request was on its way and asks for a change, so it
    /// was done or not; only its `op` can tell.
    case connectionLost(mayHaveHappened: Bool)
    /// The peer does not keep to the protocol; the connection was given up.
    case protocolViolation(String)
    /// The daemon's answer is an error.
    case refused(WireError)
    /// The client was closed.
    case closed

    package enum Absence: Hashable, Sendable {
        /// There is no such file.
        case noSocket
        /// A socket that a daemon left behind.
        case nobodyListens
    }
}

extension ClientError {
    /// Whether to connect again may help.
    var isTransient: Bool {
        switch self {
        case .daemonNotThere, .connectionFailed, .connectionLost: true
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
        case .protocolViolation(let message): "the peer violates the notesd protocol: \(message)"
        case .refused(let error): error.message
        case .closed: "the client is closed"
        }
    }
}
