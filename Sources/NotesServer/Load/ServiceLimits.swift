import Dependents
package import NotesEngine
import NotesModel
package import NotesWire

/// The limits of the service that the configuration can set, as section `[limits]` of `notesd.toml`
/// describes them. The defaults are those of the layers that enforce them.
package struct ServiceLimits: Hashable, Sendable {
    /// Length of the longest text that a write may contain, in bytes.
    package var noteBytesMax = ModelLimits().noteBytesMax
    /// Length of the longest request, without its line feed, in bytes.
    package var lineBytesMax = WireLimits().lineBytesMax
    /// Deepest nesting of arrays and objects in a request.
    package var depthMax = WireLimits().depthMax
    /// Number of unanswered requests of one connection. At the limit, the connection is not read.
    package var inFlightMax = WireLimits().inFlightMax
    /// Requests of all connections that the engine processes, in bytes of their lines. At the
    /// limit, further requests are refused (`overloaded`).
    package var requestBytesMax = 256 << 20
    /// Incomplete requests and unread responses of all connections, in bytes. `MemoryAccount`
    /// describes what happens above half of the limit and above the limit.
    package var bufferedBytesMax = 256 << 20
    /// Unread responses of one connection, in bytes. At the limit, the connection is not read.
    package var responseBytesMax = WireLimits().responseBytesMax
    /// Changes that wait to be sent to one dependent, in bytes.
    package var outboxBytesMax = DependentLimits().outboxBytesMax
    /// Number of watches of one connection. `engine` lowers it so that each watch's share of
    /// `outboxBytesMax` holds at least four notes.
    package var watchesMax = DependentLimits().watchesMax
    /// Time in which a client must send hello, in seconds. Then the connection is closed.
    package var helloSecondsMax = WireProtocol.helloSecondsMax
    /// Number of open connections. Further ones are closed as soon as they are accepted.
    package var connectionsMax = 16_384
    /// Number of open connections of one unprivileged user; nil for half of `connectionsMax`.
    package var userConnectionsMax: Int?
    /// Number of unanswered requests of one unprivileged user, over all connections. At the limit,
    /// further requests are refused (`overloaded`).
    package var userInFlightMax = 4_096
    /// Memory for notes in use, in bytes.
    package var cacheBytesMax = EngineConfiguration().cacheBytesMax

    /// Creates the default limits.
    package init() {}

    /// Number of open connections of one unprivileged user.
    var connectionsOfUserMax: Int { userConnectionsMax ?? max(1, connectionsMax / 2) }

    /// Number of open connections, and of unanswered requests over all of them, of one person for whom a
    /// user connects: half of what an unprivileged user may have. A privileged user has no such limits, but
    /// the people for whom it connects have these.
    var connectionsOfPersonMax: Int { max(1, connectionsOfUserMax / 2) }
    var personInFlightMax: Int { max(1, userInFlightMax / 2) }

    /// The limits that the response to hello reports.
    package var wire: WireLimits {
        var wire = WireLimits()
        wire.lineBytesMax = lineBytesMax
        wire.noteBytesMax = noteBytesMax
        wire.inFlightMax = inFlightMax
        wire.depthMax = depthMax
        wire.responseBytesMax = responseBytesMax
        return wire
    }

    /// The limits that the engine enforces.
    package var engine: EngineConfiguration {
        let shares = max(1, outboxBytesMax / DependentLimits.shareBytesMin)
        return EngineConfiguration(
            model: ModelLimits(noteBytesMax: noteBytesMax),
            dependents: DependentLimits(outboxBytesMax: outboxBytesMax, watchesMax: min(watchesMax, shares)),
            cacheBytesMax: cacheBytesMax)
    }
}
