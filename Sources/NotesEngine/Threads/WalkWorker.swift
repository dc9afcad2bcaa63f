import Dispatch
import Synchronization

/// A thread for long walks over the revisions of a note. Its jobs have everything that they need,
/// so the engine never waits for it, and it never reads the store.
final class WalkWorker: Sendable {
    /// The queue of the jobs. A test suspends it to hold them.
    let queue = DispatchQueue(label: "notesd.walk", qos: .utility)

    /// Enqueues a step of a computation, which is executed after those enqueued before it.
    ///
    /// - Parameters:
    ///   - value: the state of the computation. It is moved, so that the step changes it in place.
    ///   - stop: if it is set before the step begins, the step is skipped.
    ///   - done: receives the changed state, called on this thread.
    func run<Value: Sendable>(
        _ value: Value, unless stop: CancellationFlag, step: @escaping @Sendable (inout Value) -> Void,
        then done: @escaping @Sendable (Value) -> Void
    ) {
        let handover = Handover(value)
        queue.async {
            guard !stop.isCancelled, var value = handover.take() else { return }
            step(&value)
            done(value)
        }
    }
}

/// A value that one thread leaves for another.
private final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func take() -> Value? {
        value.withLock { $0.take() }
    }
}
