import Dependents
import NotesModel

/// The output of one turn, by connection, in the order in which connections were first added.
struct TurnOutput {
    private var indexes: [DependentID: Int] = [:]
    /// The output for each connection, for the `OutputSink`.
    private(set) var connections: [ConnectionOutput] = []

    /// - Parameter capacity: the expected number of connections.
    init(capacity: Int = 0) {
        indexes.reserveCapacity(capacity)
        connections.reserveCapacity(capacity)
    }

    var isEmpty: Bool { connections.isEmpty }

    /// Adds a response.
    mutating func respond(_ response: Response, requestNumber: UInt64, to dependent: DependentID) {
        connections[index(of: dependent)].responses.append((requestNumber, response))
    }

    /// Adds lines of watches and presence lines.
    mutating func deliver(_ notifications: [WatchNotification], _ presences: [PresenceLine], to dependent: DependentID) {
        let index = index(of: dependent)
        connections[index].notifications.append(contentsOf: notifications)
        connections[index].presences.append(contentsOf: presences)
    }

    /// Marks a connection to be closed after its lines.
    mutating func cutShort(_ dependent: DependentID) {
        connections[index(of: dependent)].isCutShort = true
    }

    private mutating func index(of dependent: DependentID) -> Int {
        if let index = indexes[dependent] { return index }
        indexes[dependent] = connections.count
        connections.append(ConnectionOutput(dependent: dependent))
        return connections.count - 1
    }
}
