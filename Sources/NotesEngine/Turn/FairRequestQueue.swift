import Dependents
import DequeModule
import HeapModule
import NotesModel

/// The inputs that wait for a turn of the engine. A turn takes them in order of arrival if it can execute all
/// of them. Otherwise it shares its time fairly among the connections, so that one that sends many requests,
/// or heavy ones, does not delay the others.
///
/// The order is that of start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996), but by the virtual time
/// at which a request ends, so that a light one does not wait for a heavy one of each other connection.
///
/// Example with at most two requests of a connection in a turn: A1 A2 A3 B1 arrive. The first turn takes A1
/// A2 B1, the second A3.
///
/// The inputs of one connection keep their order.
struct FairRequestQueue {
    /// The requests of a connection that waits for more than one turn.
    private struct Line {
        var requests: Deque<Request> = []
        /// The virtual time at which the oldest request begins.
        var start: Int
        /// Whether the connection has ended behind these requests.
        var isEnded = false
    }

    /// A line by its oldest request. The one that ends first comes first.
    private struct Entry: Comparable {
        let end: Int
        let arrival: Int
        let dependent: DependentID

        static func < (left: Entry, right: Entry) -> Bool { (left.end, left.arrival) < (right.end, right.arrival) }
    }

    /// Inputs that are not in lines, in order of arrival.
    private var inputs: [Input] = []
    /// The lines, each with at least one request, and one entry for each.
    private var lines: [DependentID: Line] = [:]
    private var entries = Heap<Entry>()
    private var arrivals = 0
    /// The virtual time: that at which the requests that were taken began, and one more with each turn.
    private var time = 0
    /// The virtual time at which the next request of a connection without a line begins, if that is later.
    private var starts: [DependentID: Int] = [:]

    var isEmpty: Bool { inputs.isEmpty && lines.isEmpty }

    /// Adds inputs at the end.
    mutating func append(_ more: [Input]) {
        if inputs.isEmpty { inputs = more } else { inputs += more }
    }

    /// Returns inputs that were taken but have to wait. They precede everything that arrived later.
    ///
    /// - Complexity: O(inputs) if there are any.
    mutating func putBack(_ rest: [Input]) {
        guard !rest.isEmpty else { return }
        var others: [Input] = []
        for input in rest.reversed() {
            switch input {
            case .request(let request) where lines[request.dependent] != nil:
                lines[request.dependent]?.requests.prepend(request)
                lines[request.dependent]?.start -= request.body.weight
            case .released(let dependent) where lines[dependent] != nil: lines[dependent]?.isEnded = true
            default: others.append(input)
            }
        }
        inputs.insert(contentsOf: others.reversed(), at: 0)
    }

    mutating func removeAll() {
        self = FairRequestQueue()
    }

    /// Takes the inputs of the next turn. Inputs other than requests cost almost nothing, and are
    /// taken unless an earlier input of their connection stays behind.
    ///
    /// - Parameters:
    ///   - weightMax: the weight of all requests, of which the last one may exceed it.
    ///   - ofOneMax: the maximum number of requests of one dependent.
    /// - Complexity: O(inputs since the turn before + taken ones × log(connections that wait)).
    mutating func next(weightMax: Int, ofOneMax: Int) -> [Input] {
        if lines.isEmpty, fits(weightMax: weightMax, ofOneMax: ofOneMax) {
            defer { self = FairRequestQueue() }
            return inputs
        }
        var taken = sortIntoLines()
        var room = weightMax
        var counts: [DependentID: Int] = [:]
        var (resting, newest) = ([DependentID](), time + 1)
        while room > 0, let entry = entries.popMin() {
            guard var line = lines[entry.dependent], let request = line.requests.popFirst() else { continue }
            taken.append(.request(request))
            room -= request.body.weight
            newest = max(newest, line.start)
            line.start += request.body.weight
            let count = counts[entry.dependent, default: 0] + 1
            counts[entry.dependent] = count
            guard !line.requests.isEmpty else {
                lines[entry.dependent] = nil
                starts[entry.dependent] = line.start
                if line.isEnded { taken.append(.released(entry.dependent)) }
                continue
            }
            lines[entry.dependent] = line
            if count < ofOneMax { enter(entry.dependent, arrival: entry.arrival) } else { resting.append(entry.dependent) }
        }
        for dependent in resting { enter(dependent) }
        time = newest
        starts = starts.filter { $0.value > newest }
        return taken
    }

    /// Whether one turn executes all that waits.
    private func fits(weightMax: Int, ofOneMax: Int) -> Bool {
        var (requests, weight) = (0, 0)
        for case .request(let request) in inputs { (requests, weight) = (requests + 1, weight + request.body.weight) }
        return weight <= weightMax && requests <= ofOneMax
    }

    private mutating func enter(_ dependent: DependentID, arrival: Int? = nil) {
        guard let line = lines[dependent], let first = line.requests.first else { return }
        arrivals += 1
        entries.insert(Entry(end: line.start + first.body.weight, arrival: arrival ?? arrivals, dependent: dependent))
    }

    /// Adds the requests to the lines, and the ends of connections to theirs. Nobody reads the answer to a
    /// request whose connection has ended, so the lines of such connections keep only requests that change
    /// something.
    ///
    /// - Returns: the other inputs.
    private mutating func sortIntoLines() -> [Input] {
        var others: [Input] = []
        for input in inputs {
            switch input {
            case .request(let request):
                if lines[request.dependent] != nil {
                    lines[request.dependent]?.requests.append(request)
                } else {
                    lines[request.dependent] = Line(
                        requests: [request], start: max(time, starts.removeValue(forKey: request.dependent) ?? 0))
                    enter(request.dependent)
                }
            case .released(let dependent):
                guard lines[dependent] != nil else {
                    others.append(input)
                    continue
                }
                lines[dependent]?.isEnded = true
                lines[dependent]?.requests.removeAll { $0.body.isOnlyRead }
                if lines[dependent]?.requests.isEmpty == true {
                    lines[dependent] = nil
                    others.append(input)
                }
            case .drained, .lagging, .broadcastWritten, .errand, .tick:
                others.append(input)
            }
        }
        inputs = []
        return others
    }
}
