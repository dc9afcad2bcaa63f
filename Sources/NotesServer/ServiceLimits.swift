import Dependents
package import NotesEngine
import NotesModel
package import NotesWire

/// Every limit of the service that a person may set. The defaults are those of the layers that keep them.
package struct ServiceLimits: Hashable, Sendable {
    /// Of a note's text, in bytes.
    package var noteBytesMax = ModelLimits().noteBytesMax
    /// Of one request, in bytes.
    package var lineBytesMax = WireLimits().lineBytesMax
    /// How deep the JSON of a request is nested.
    package var depthMax = WireLimits().depthMax
    /// Requests of one connection that wait for their answers.
    package var inFlightMax = WireLimits().inFlightMax
    /// Requests of all connections that the engine has, in bytes of their lines; one more is refused (`overloaded`).
    package var requestBytesMax = 256 << 20
    /// What waits for the clients of all connections, in bytes: lines that have not come whole, answers that were not read. `MemoryAccount` says
    /// what happens from half of it on.
    package var bufferedBytesMax = 256 << 20
    /// Answers of one connection that wait to be read, in bytes.
    package var responseBytesMax = WireLimits().responseBytesMax
    /// What may wait to be told to one dependent, in bytes.
    package var outboxBytesMax = DependentLimits().outboxBytesMax
    /// Of one connection. Never more than leave each a share of `outboxBytesMax` in which a note can wait.
    package var watchesMax = DependentLimits().watchesMax
    /// How long a connection may take for its hello, in seconds.
    package var helloSecondsMax = WireProtocol.helloSecondsMax
    /// Connections at once; one more is closed as soon as it is accepted. Leaves the store descriptors of its own.
    package var connectionsMax = 16_384
    /// Of those, how many one user may have who is not privileged; nil for half of them.
    package var userConnectionsMax: Int?
    /// Requests of such a user that wait for their answers, on all his connections; one more is refused (`overloaded`).
    package var userInFlightMax = 4_096
    /// Memory for notes in use, in bytes.
    package var cacheBytesMax = EngineConfiguration().cacheBytesMax

    package init() {}

    /// What hello tells a client.
    package var wire: WireLimits {
        var wire = WireLimits()
        wire.lineBytesMax = lineBytesMax
        wire.noteBytesMax = noteBytesMax
        wire.inFlightMax = inFlightMax
        wire.depthMax = depthMax
        wire.responseBytesMax = responseBytesMax
        return wire
    }

    package var engine: EngineConfiguration {
        let shares = max(1, outboxBytesMax / DependentLimits.shareBytesMin)
        return EngineConfiguration(
            model: ModelLimits(noteBytesMax: noteBytesMax),
            dependents: DependentLimits(outboxBytesMax: outboxBytesMax, watchesMax: min(watchesMax, shares)), cacheBytesMax: cacheBytesMax)
    }
}
