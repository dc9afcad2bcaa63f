import Synchronization

/// The inputs that wait for the engine. Any thread adds inputs, and the engine takes all of them at
/// once. So batches grow with the load, and without load nothing is delayed.
final class Mailbox: Sendable {
    private struct State {
        var inputs: [Input] = []
        var isAwake = false
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds inputs. Returns whether the caller has to wake the engine; nil if the mailbox is
    /// closed.
    func put(_ inputs: [Input]) -> Bool? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.inputs.append(contentsOf: inputs)
            defer { state.isAwake = true }
            return !state.isAwake
        }
    }

    /// Removes and returns all inputs, in order.
    func takeAll() -> [Input] {
        state.withLock { state in
            defer { state.inputs = [] }
            return state.inputs
        }
    }

    /// Whether the engine may sleep: nothing waits, and the next `put` asks its caller to wake the
    /// engine.
    func sleeps() -> Bool {
        state.withLock { state in
            if state.inputs.isEmpty { state.isAwake = false }
            return state.inputs.isEmpty
        }
    }

    /// Accepts no more inputs. Those that wait can still be taken.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
