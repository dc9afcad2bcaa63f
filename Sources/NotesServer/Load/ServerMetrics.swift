import CoreMetrics
import NIOCore
import NotesMethods
import NotesMetrics
import NotesWire

/// Metrics of the server: connections, requests, their durations, and errors. All metrics are
/// created with this object, so that counting needs no lookup.
struct ServerMetrics {
    /// Number of open connections.
    private let connections: Meter
    /// Number of connections since the start.
    private let connectionsMade: Counter
    /// Number of answered requests by the raw value of `Method`.
    private let requests: [Counter]
    /// Durations of requests by the raw value of `Method`.
    private let seconds: [CoreMetrics.Timer]
    /// Number of error responses by kind.
    private let errors: [ErrorKind: Counter]

    /// Creates the metrics in a registry.
    init(_ metering: Metering) {
        connections = metering.gauge(.connections)
        connectionsMade = metering.counter(.connectionsMade)
        let methods = Method.allCases
        requests = methods.map { metering.counter(.requests, [("method", $0.name)]) }
        seconds = methods.map { metering.timer(.requestSeconds, [("method", $0.name)]) }
        errors = Dictionary(
            uniqueKeysWithValues: ErrorKind.allCases.map { ($0, metering.counter(.errors, [("kind", $0.rawValue)])) })
    }

    /// Counts a new connection.
    func connected() {
        connections.increment(by: 1)
        connectionsMade.increment()
    }

    /// Counts the end of a connection.
    func disconnected() {
        connections.decrement(by: 1)
    }

    /// Counts the response to a request of the engine and its duration since `began`, when its line
    /// was taken.
    func answered(_ method: Method, began: NIODeadline) {
        requests[method.rawValue].increment()
        seconds[method.rawValue].recordNanoseconds((NIODeadline.now() - began).nanoseconds)
    }

    /// Counts a request that the server answered at once, without a duration.
    func answered(_ method: Method) {
        requests[method.rawValue].increment()
    }

    /// Counts an error response.
    func refused(_ error: WireError) {
        errors[error.kind]?.increment()
    }
}
