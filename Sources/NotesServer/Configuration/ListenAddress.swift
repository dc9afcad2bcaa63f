/// The socket that a server listens on.
package enum ListenAddress: Hashable, Sendable {
    /// Path of a socket that the daemon creates, and removes when it stops.
    case path(String)
    /// A listening socket of the service manager. It stays open when the daemon stops, and clients
    /// that connect meanwhile wait in its backlog.
    case inherited(descriptor: CInt, path: String)

    /// Path of the socket.
    package var path: String {
        switch self {
        case .path(let path), .inherited(_, let path): path
        }
    }
}
