package import NotesMetrics
package import NotesModel
import NotesWire

/// What a server is told by the composition root.
package struct ServerConfiguration: Sendable {
    package var listening: ListenAddress
    /// Of the daemon, for `session.hello`.
    package var version: String
    /// The OpenRPC document that `rpc.discover` answers, as JSON.
    package var document: [UInt8]
    /// The settings that hold, which `daemon.config` answers.
    package var settings: [SettingReport] = []
    /// Who is let in.
    package var access: AccessRules
    /// A user's name, for who writes what. Never called on an event loop.
    package var userName: @Sendable (UInt32) -> ByteString
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

/// Where connections come from.
package enum ListenAddress: Hashable, Sendable {
    /// A socket that the daemon makes, and removes when it stops.
    case path(String)
    /// One that listens already and is somebody else's: it stays when the daemon stops, and whoever connects meanwhile waits.
    case inherited(descriptor: CInt, path: String)

    package var path: String {
        switch self {
        case .path(let path), .inherited(_, let path): path
        }
    }
}

/// One setting that holds.
package struct SettingReport: Hashable, Sendable {
    package let key: String
    /// As it would stand in the configuration file; nil where nothing was said and the daemon chooses.
    package let value: String?
    /// A file, a variable of the environment, an option, or "default".
    package let origin: String
    package let isReloadable: Bool
    /// What the next start will take over; nil where that is what holds.
    package let pending: String?

    package init(key: String, value: String?, origin: String, isReloadable: Bool, pending: String?) {
        self.key = key
        self.value = value
        self.origin = origin
        self.isReloadable = isReloadable
        self.pending = pending
    }
}
