import Dispatch

/// A thread for long walks over the revisions of a note. Its jobs have everything that they need,
/// so the engine never waits for it, and it never reads the store.
final class WalkWorker: Sendable {
    /// The queue of the jobs. A test suspends it to hold them.
    let queue = DispatchQueue(label: "notesd.walk", qos: .utility)

    /// Enqueues a job, which is executed after those enqueued before it.
    ///
    /// - Parameter stop: if it is set before the job begins, the job is skipped.
    func run(unless stop: CancellationFlag, _ job: @escaping @Sendable () -> Void) {
        queue.async { if !stop.isCancelled { job() } }
    }
}
