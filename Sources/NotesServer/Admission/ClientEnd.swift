import NotesWire

/// The client end of a connection. One for each connection; used only on its event loop.
final class ClientEnd {
    /// Credentials from the kernel.
    let credentials: ClientCredentials
    let user: User
    /// Usage shared by all connections of this user.
    let usage: UserUsage
    /// Limits reported in hello. They apply for the life of the connection, whatever a reload
    /// changes.
    let limits: WireLimits
    /// Limit on the unanswered requests of this user, over all connections; nil for none.
    var inFlightMax: Int?

    init(credentials: ClientCredentials, user: User, usage: UserUsage, limits: WireLimits) {
        self.credentials = credentials
        self.user = user
        self.usage = usage
        self.limits = limits
    }
}
