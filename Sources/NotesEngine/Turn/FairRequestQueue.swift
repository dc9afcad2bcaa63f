import Dependents
import NotesModel

/// The inputs that wait for a turn of the engine, in order of arrival, with one exception: if a
/// connection sends more requests than one turn takes from it, the rest waits for the next turn and
/// does not delay other connections.
///
/// Example with two requests per connection and turn: A1 A2 A3 B1 arrive. The first turn takes A1
/// A2 B1, the second A3.
///
/// The inputs of one connection keep their order.
struct FairRequestQueue {
    private var inputs: [Input] = []

    var isEmpty: Bool { inputs.isEmpty }

    /// Adds inputs at the end.
    mutating func append(_ more: [Input]) {
        if inputs.isEmpty { inputs = more } else { inputs += more }
    }

    /// Returns inputs that were taken but have to wait. They precede everything that arrived later.
    ///
    /// - Complexity: O(inputs) if there are any.
    mutating func putBack(_ rest: [Input]) {
        if !rest.isEmpty { inputs.insert(contentsOf: rest, at: 0) }
    }

    mutating func removeAll() {
        inputs = []
    }

    /// Takes the inputs of the next turn. Inputs other than requests cost almost nothing, and are
    /// taken unless an earlier input of their connection stays behind.
    ///
    /// - Parameters:
    ///   - requestsMax: the maximum number of requests.
    ///   - ofOneMax: the maximum number of requests of one dependent.
    /// - Complexity: O(inputs).
    mutating func next(requestsMax: Int, ofOneMax: Int) -> [Input] {
        let requests = inputs.reduce(0) { $0 + ($1.isRequest ? 1 : 0) }
        if requests <= min(requestsMax, ofOneMax) {
            defer { inputs = [] }
            return inputs
        }
        var taken: [Input] = []
        var left: [Input] = []
        var room = requestsMax
        var counts: [DependentID: Int] = [:]
        var held: Set<DependentID> = []
        for input in inputs {
            switch input {
            case .request(let request):
                let count = counts[request.dependent, default: 0]
                if room > 0, count < ofOneMax, !held.contains(request.dependent) {
                    counts[request.dependent] = count + 1
                    room -= 1
                    taken.append(input)
                } else {
                    held.insert(request.dependent)
                    left.append(input)
                }
            case .released(let dependent):
                if held.contains(dependent) { left.append(input) } else { taken.append(input) }
            case .drained, .lagging, .broadcastWritten, .errand, .tick:
                taken.append(input)
            }
        }
        inputs = left
        return taken
    }
}

extension Input {
    fileprivate var isRequest: Bool {
        if case .request = self { true } else { false }
    }
}
