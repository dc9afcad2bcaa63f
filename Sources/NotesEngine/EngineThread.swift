import Dispatch

/// The executor of the engine, or of the search index: one serial queue of its own, since its commits wait for the disk and must not do so on the
/// cooperative pool.
final class EngineThread: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Runs a body there, without the way over the cooperative pool that a task would take.
    func run(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// Runs a body on the caller's thread, as the queue's next; returns when it is done.
    ///
    /// Whoever calls it knows that the queue has nothing to do, or waits.
    func runHere(_ body: () -> Void) {
        queue.sync(execute: body)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
