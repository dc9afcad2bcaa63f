import Dispatch

/// The executor of the engine or of the search index: a separate serial queue. Commits wait for the
/// disk, which must not block the cooperative pool.
final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Runs a body on the queue, without the detour over the cooperative pool that a task would
    /// take.
    func run(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// Runs a body on the queue, not before some milliseconds have passed.
    func run(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        guard milliseconds > 0 else { return run(body) }
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }

    /// Runs a body on the caller's thread as the queue's next job, and returns when it is done. The
    /// caller either knows that the queue is empty, or waits.
    func runHere(_ body: () -> Void) {
        queue.sync(execute: body)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
