package import NoteText
package import NotesMetrics
import NotesWire

/// Configuration of a server. The composition root creates it and replaces it at a reload.
package struct ServerConfiguration: Sendable {
    /// The socket to listen on.
    package var listening: ListenAddress
    /// Version of the daemon, for the response to `session.hello`.
    package var version: String
    /// The OpenRPC document that `rpc.discover` returns, as JSON.
    package var document: [UInt8]
    /// The settings that `daemon.config` returns.
    package var settings: [SettingReport] = []
    /// Access levels of users and groups.
    package var access: AccessRules
    /// Looks up the name of a user by id, for the authors of revisions. May block; never called on
    /// an event loop.
    package var userName: @Sendable (UInt32) -> ByteString
    /// Limits of the service.
    package var limits: ServiceLimits
    /// Length of the longest line before a valid hello, in bytes.
    package var helloLineBytesMax = WireProtocol.helloLineBytesMax
    /// Time after which a connection that the daemon ends is closed even if its client has not read
    /// everything, in seconds.
    package var lingerSecondsMax = 3
    /// Time after which clients may reconnect to a stopping daemon (`retryAfterMs` of
    /// `session.closing`), in milliseconds.
    package var retryAfterMilliseconds = 1_000
    /// Interval of the engine's ticks, in seconds. They pace bookmarks and compaction.
    package var tickSeconds = 5
    /// Registry of the metrics; by default they are discarded.
    package var metering = Metering.none

    /// Creates a configuration. `userName` defaults to the user database of the system.
    package init(
        listening: ListenAddress, version: String, document: [UInt8] = OpenRPC.document, access: AccessRules,
        userName: @escaping @Sendable (UInt32) -> ByteString = { User(id: $0).name }, limits: ServiceLimits = ServiceLimits()
    ) {
        self.listening = listening
        self.version = version
        self.document = document
        self.access = access
        self.userName = userName
        self.limits = limits
    }
}
