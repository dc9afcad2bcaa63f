package import NoteText
import NotesWire

/// A user of this machine.
package struct User: Hashable, Sendable {
    /// Numeric id.
    package let id: UInt32
    /// Name in the user database, or the id in digits if it has none.
    package let name: ByteString

    /// Creates a user with a known name.
    package init(id: UInt32, name: ByteString) {
        self.id = id
        self.name = name
    }

    /// Looks up the name in the user database, which may block.
    package init(id: UInt32) {
        self.init(id: id, name: UserDatabase.name(of: id))
    }
}

/// The client end of a connection. One for each connection; used only on its event loop.
final class Peer {
    /// Credentials from the kernel.
    let peer: PeerCredentials
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

    init(peer: PeerCredentials, user: User, usage: UserUsage, limits: WireLimits) {
        self.peer = peer
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
