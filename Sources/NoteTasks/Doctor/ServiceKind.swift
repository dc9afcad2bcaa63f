import Console

/// Which systemd service a socket belongs to.
package enum ServiceKind: Hashable {
    case own
    case shared
    /// None that `notesctl` knows: somebody chose the path.
    case other

    /// - Parameter socket: the path of the socket; nil if there is none, as before the user's own
    ///   service is set up.
    package init(socket: String?) {
        guard let socket, socket != GlobalOptions.systemSocket else {
            self = socket == nil ? .own : .shared
            return
        }
        let own = Environment["XDG_RUNTIME_DIR"].map { $0 + GlobalOptions.socketName }
        self = socket == own ? .own : .other
    }

    /// Whether the user's manager has the units, rather than the system's; nil if neither has.
    package var isUser: Bool? {
        switch self {
        case .own: true
        case .shared: false
        case .other: nil
        }
    }
}
