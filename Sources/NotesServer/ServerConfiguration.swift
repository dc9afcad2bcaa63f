package import NotesModel
package import NotesWire

/// What a server is told by the composition root. All times are whole seconds unless the name says otherwise.
package struct ServerConfiguration: Sendable {
    package var socketPath: String
    /// Of the daemon, for `session.hello`.
    package var version: String
    /// The OpenRPC document that `rpc.discover` answers, as JSON.
    package var document: [UInt8]
    /// The only user that is let in: the one the daemon runs as.
    package var user: User
    package var limits: WireLimits
    package var helloLineBytesMax: Int
    package var helloSecondsMax: Int
    /// Connections at once; one more is closed as soon as it is accepted. Leaves the store descriptors of its own.
    package var connectionsMax: Int
    /// How long a connection that ends is waited for while its peer does not read what it is still owed.
    package var lingerSecondsMax: Int
    /// After how long clients may come back once the daemon has said that it stops.
    package var retryAfterMilliseconds: Int
    /// How often the engine is told the time, for bookmarks.
    package var tickSeconds: Int

    package init(
        socketPath: String, version: String, document: [UInt8], user: User, limits: WireLimits = WireLimits(),
        helloLineBytesMax: Int = WireProtocol.helloLineBytesMax, helloSecondsMax: Int = WireProtocol.helloSecondsMax,
        connectionsMax: Int = 4_096, lingerSecondsMax: Int = 3, retryAfterMilliseconds: Int = 1_000, tickSeconds: Int = 5
    ) {
        self.socketPath = socketPath
        self.version = version
        self.document = document
        self.user = user
        self.limits = limits
        self.helloLineBytesMax = helloLineBytesMax
        self.helloSecondsMax = helloSecondsMax
        self.connectionsMax = connectionsMax
        self.lingerSecondsMax = lingerSecondsMax
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.tickSeconds = tickSeconds
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
