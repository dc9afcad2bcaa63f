import CoreMetrics
import NIOCore
import NotesMetrics
import NotesWire

/// Metrics of the server: connections, requests, their durations, and errors. All metrics are
/// created with this object, so that counting needs no lookup.
struct ServerMetrics {
    /// Number of open connections.
    private let connections: Meter
    /// Number of connections since the start.
    private let connectionsMade: Counter
    /// Number of answered requests by `Method.place`.
    private let requests: [Counter]
    /// Durations of requests by `Method.place`.
    private let seconds: [CoreMetrics.Timer]
    /// Number of error responses by kind.
    private let errors: [ErrorKind: Counter]

    /// Creates the metrics in a registry.
    init(_ metering: Metering) {
        connections = metering.gauge(.connections)
        connectionsMade = metering.counter(.connectionsMade)
        let methods = Method.allCases.sorted { $0.place < $1.place }
        requests = methods.map { metering.counter(.requests, [("method", $0.rawValue)]) }
        seconds = methods.map { metering.timer(.requestSeconds, [("method", $0.rawValue)]) }
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
        requests[method.place].increment()
        seconds[method.place].recordNanoseconds((NIODeadline.now() - began).nanoseconds)
    }

    /// Counts a request that the server answered at once, without a duration.
    func answered(_ method: Method) {
        requests[method.place].increment()
    }

    /// Counts an error response.
    func refused(_ error: WireError) {
        errors[error.kind]?.increment()
    }
}

extension Method {
    /// Index of the method, from 0. Cheaper than a dictionary, which would hash the name for each
    /// request.
    fileprivate var place: Int {
        switch self {
        case .hello: 0
        case .ping: 1
        case .discover: 2
        case .createNote: 3
        case .getNote: 4
        case .listNotes: 5
        case .saveNote: 6
        case .editNote: 7
        case .deleteNote: 8
        case .history: 9
        case .watch: 10
        case .unwatch: 11
        case .listDependents: 12
        case .status: 13
        case .audit: 14
        case .backup: 15
        case .metrics: 16
        case .config: 17
        case .search: 18
        case .setPresence: 19
        case .undoNote: 20
        case .listTags: 21
        case .listRevisions: 22
        case .incomingLinks: 23
        case .missingLinks: 24
        case .resolveLinks: 25
        case .knownRevisions: 26
        case .watchRevisions: 27
        case .proceed: 28
        case .adopt: 29
        case .listPeers: 30
        case .forgetPeer: 31
        case .purgeNote: 32
        case .listHeld: 33
        case .dropHeld: 34
        case .limit: 35
        }
    }
}
