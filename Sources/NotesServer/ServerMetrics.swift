import CoreMetrics
import NIOCore
import NotesMetrics
import NotesWire

/// What the server counts: connections, requests, and how long they took. Each is looked up when this is made, and no more.
struct ServerMetrics {
    private let connections: Meter
    private let connectionsMade: Counter
    /// By `Method.place`.
    private let requests: [Counter]
    private let seconds: [CoreMetrics.Timer]
    private let errors: [ErrorKind: Counter]

    init(_ metering: Metering) {
        connections = metering.gauge(.connections)
        connectionsMade = metering.counter(.connectionsMade)
        let methods = Method.allCases.sorted { $0.place < $1.place }
        requests = methods.map { metering.counter(.requests, [("method", $0.rawValue)]) }
        seconds = methods.map { metering.timer(.requestSeconds, [("method", $0.rawValue)]) }
        errors = Dictionary(
            uniqueKeysWithValues: ErrorKind.allCases.map { ($0, metering.counter(.errors, [("kind", $0.rawValue)])) })
    }

    func connected() {
        connections.increment(by: 1)
        connectionsMade.increment()
    }

    func disconnected() {
        connections.decrement(by: 1)
    }

    /// A request of the engine's is answered. `began`: when it was taken.
    func answered(_ method: Method, began: NIODeadline) {
        requests[method.place].increment()
        seconds[method.place].recordNanoseconds((NIODeadline.now() - began).nanoseconds)
    }

    /// One that was answered at once, in no time.
    func answered(_ method: Method) {
        requests[method.place].increment()
    }

    func refused(_ error: WireError) {
        errors[error.kind]?.increment()
    }
}

extension Method {
    /// Its number among all of them, from 0. Not by their names, which would be hashed for each request.
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
        }
    }
}
