package import NotesModel
import NotesWire

/// A user of this machine.
package struct User: Hashable, Sendable {
    package let id: UInt32
    package let name: ByteString

    package init(id: UInt32, name: ByteString) {
        self.id = id
        self.name = name
    }

    /// Of this machine's database. May wait for it.
    package init(id: UInt32) {
        self.init(id: id, name: UserDatabase.name(of: id))
    }
}

/// Who is at the other end of a connection. One for each connection; touched on its event loop only.
final class Peer {
    let peer: PeerCredentials
    let user: User
    /// What the connections of this user take together.
    let usage: UserUsage
    /// What binds his lines for as long as he is there, whatever the configuration says meanwhile.
    let limits: WireLimits
    /// Requests that he may have waiting on all his connections; nil for any number.
    var inFlightMax: Int?

    init(peer: PeerCredentials, user: User, usage: UserUsage, limits: WireLimits) {
        self.peer = peer
        self.user = user
        self.usage = usage
        self.limits = limits
    }
}
