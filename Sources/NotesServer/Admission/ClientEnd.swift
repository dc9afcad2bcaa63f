import NoteText
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
    /// The person for whom the user connected, and their usage, which all connections of the user for
    /// that person share; nil if the client named none.
    private(set) var person: (name: ByteString, usage: UserUsage)?
    /// Limit on the unanswered requests for the person.
    var personInFlightMax = Int.max

    init(credentials: ClientCredentials, user: User, usage: UserUsage, limits: WireLimits) {
        self.credentials = credentials
        self.user = user
        self.usage = usage
        self.limits = limits
    }

    /// Sets the person for whom the user connected, once.
    ///
    /// - Parameter inFlight: number of requests of this connection that the user's usage contains.
    func connects(for name: ByteString, _ usage: UserUsage, inFlight: Int) {
        person = (name, usage)
        usage.changeInFlight(by: inFlight)
    }

    /// Adds a difference, which may be negative, to the requests of the user and of the person.
    func changeInFlight(by count: Int) {
        usage.changeInFlight(by: count)
        person?.usage.changeInFlight(by: count)
    }

    /// Whether the user or the person has as many unanswered requests as they may have.
    var isOverQuota: Bool {
        usage.inFlight >= inFlightMax ?? .max || person.map { $0.usage.inFlight >= personInFlightMax } ?? false
    }
}
