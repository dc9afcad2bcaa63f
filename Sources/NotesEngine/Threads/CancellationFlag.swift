import Synchronization

/// A request to end a search or an index check early, since its result is not needed any more. Any
/// thread may set and read it.
final class CancellationFlag: Sendable {
    /// Whether cancellation was requested on this flag.
    private let cancelled = Atomic(false)
    private let parent: CancellationFlag?

    /// - Parameter parent: a flag that also cancels this one when it is set.
    init(within parent: CancellationFlag? = nil) {
        self.parent = parent
    }

    /// Whether cancellation was requested here or on the parent.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) || parent?.isCancelled ?? false }

    /// Requests cancellation.
    func cancel() {
        cancelled.store(true, ordering: .relaxed)
    }
}
