import Dependents
import NotesModel

/// What waits for a turn of the engine, in the order in which it came, but for one thing: of a connection that sends more than a turn
/// takes of one, the rest waits for the next turn, so that it holds up nobody else's requests.
///
/// What comes of one connection keeps its order.
struct FairRequestQueue {
    private var inputs: [Input] = []

    var isEmpty: Bool { inputs.isEmpty }

    mutating func append(_ more: [Input]) {
        if inputs.isEmpty { inputs = more } else { inputs += more }
    }

    /// What was taken and has to wait for what it was taken with. It stands before all that came later.
    ///
    /// - Complexity: O(inputs) where there is any.
    mutating func putBack(_ rest: [Input]) {
        if !rest.isEmpty { inputs.insert(contentsOf: rest, at: 0) }
    }

    mutating func removeAll() {
        inputs = []
    }

    /// What the next turn takes: at most so many requests, and of one dependent. What is not a request costs next to nothing, and is
    /// taken if nothing of its connection stays behind.
    ///
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
            case .drained, .allDrained, .errand, .tick:
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
