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
    /// Time after which a connection that the daemon ends is closed even if its peer has not read
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

/// State of one setting, for `daemon.config`.
package struct SettingReport: Hashable, Sendable {
    /// Key: `limits.depth_max`.
    package let key: String
    /// Value in effect, in the syntax of the configuration file; nil if none is set and the daemon
    /// chooses.
    package let value: String?
    /// Source of the value: a file, an environment variable, an option, or "default".
    package let origin: String
    /// Whether a reload applies a new value.
    package let isReloadable: Bool
    /// Value that takes effect at the next start; nil if it is the value in effect.
    package let pending: String?

    package init(key: String, value: String?, origin: String, isReloadable: Bool, pending: String?) {
        self.key = key
        self.value = value
        self.origin = origin
        self.isReloadable = isReloadable
        self.pending = pending
    }
}
