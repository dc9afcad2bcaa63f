import Synchronization

/// What waits for the engine. Any thread puts in, the engine takes all that is there: so a batch grows with the load and
/// nothing is delayed without it.
final class Mailbox: Sendable {
    private struct State {
        var inputs: [Input] = []
        var isAwake = false
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds inputs. Returns whether the engine has to be woken: it was idle. Nil where the mailbox is closed.
    func put(_ inputs: [Input]) -> Bool? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.inputs.append(contentsOf: inputs)
            defer { state.isAwake = true }
            return !state.isAwake
        }
    }

    /// All that waits, in order.
    func takeAll() -> [Input] {
        state.withLock { state in
            defer { state.inputs = [] }
            return state.inputs
        }
    }

    /// Whether the engine may sleep: nothing waits, and whoever puts something in wakes it.
    func sleeps() -> Bool {
        state.withLock { state in
            if state.inputs.isEmpty { state.isAwake = false }
            return state.inputs.isEmpty
        }
    }

    /// Takes nothing more. What waits can still be taken.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
