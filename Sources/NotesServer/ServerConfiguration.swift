package import NotesMetrics
package import NotesModel
import NotesWire

/// What a server is told by the composition root.
package struct ServerConfiguration: Sendable {
    package var socketPath: String
    /// Of the daemon, for `session.hello`.
    package var version: String
    /// The OpenRPC document that `rpc.discover` answers, as JSON.
    package var document: [UInt8]
    /// The only user that is let in: the one the daemon runs as.
    package var user: User
    package var limits: ServiceLimits
    /// Longest line before a valid hello, in bytes.
    package var helloLineBytesMax = WireProtocol.helloLineBytesMax
    /// How long a connection that the daemon ends is waited for while its peer does not read what it is still owed.
    package var lingerSecondsMax = 3
    /// After how long clients may come back once the daemon has said that it stops.
    package var retryAfterMilliseconds = 1_000
    /// How often the engine is told the time, for bookmarks.
    package var tickSeconds = 5
    package var metering = Metering.none

    package init(
        socketPath: String, version: String, document: [UInt8] = OpenRPC.document, user: User,
        limits: ServiceLimits = ServiceLimits()
    ) {
        self.socketPath = socketPath
        self.version = version
        self.document = document
        self.user = user
        self.limits = limits
    }
}

/// A user of this machine.
package struct User: Hashable, Sendable {
    package let id: UInt32
    package let name: ByteString

    package init(id: UInt32, name: ByteString) {
        self.id = id
        self.name = name
    }
}
