import Dispatch
import Testing

/// Runs a test on threads of its own, as many as it blocks.
///
/// Other tasks have one thread for each processor. If tests blocked them all, the peers that have to
/// answer could not go on.
struct BlockingThreads: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }
}

/// A queue that starts further threads while its threads are blocked. A `Task` needs it as its
/// preference, since it does not inherit one.
final class Threads: TaskExecutor {
    static let shared = Threads()
    private let queue = DispatchQueue(label: "blocking-tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
