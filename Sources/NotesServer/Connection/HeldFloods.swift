import NIOCore
import NotesEngine
import NotesModel

/// The requests of floods that wait until the event loop has written its broadcasts, in order of
/// arrival. A flood is a connection with many requests in flight.
///
/// Example: connection 1 floods, 2 does not. `hold` keeps 1's requests of [1a, 2a, 1b] and leaves
/// [2a]. The end of connection 1 is kept behind its requests.
struct HeldFloods {
    private var inputs: [Input] = []
    private var connections: Set<DependentID> = []
    /// Since when the first of the requests waits; nil if none does.
    private var since: NIODeadline?

    /// Number of requests in flight from which on a connection floods.
    static let requestsMin = 16
    /// Time for which requests wait at most.
    private static let wait = TimeAmount.milliseconds(50)

    var isEmpty: Bool { inputs.isEmpty }

    /// Whether the first of the requests has waited long enough.
    func isOver(now: NIODeadline) -> Bool { since.map { now >= $0 + Self.wait } ?? false }

    /// Moves the requests of floods out of gathered inputs.
    ///
    /// - Complexity: O(gathered).
    mutating func hold(from gathered: inout [Input], now: NIODeadline, isFlood: (DependentID) -> Bool) {
        gathered.removeAll { input in
            switch input {
            case .request(let request):
                guard connections.contains(request.dependent) || isFlood(request.dependent) else { return false }
                connections.insert(request.dependent)
            case .released(let dependent):
                guard connections.contains(dependent) else { return false }
            case .broadcastWritten, .drained, .errand, .lagging, .tick: return false
            }
            inputs.append(input)
            return true
        }
        if !inputs.isEmpty, since == nil { since = now }
    }

    /// Removes and returns everything that waits.
    mutating func takeAll() -> [Input] {
        defer { self = HeldFloods() }
        return inputs
    }
}
