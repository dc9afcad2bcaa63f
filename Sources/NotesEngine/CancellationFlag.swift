import Synchronization

/// Asks a search, or a look through the index, to end early, since nobody waits for it. From any thread.
final class CancellationFlag: Sendable {
    private let asked = Atomic(false)
    private let parent: CancellationFlag?

    /// - Parameter parent: one that stops this one too.
    init(within parent: CancellationFlag? = nil) {
        self.parent = parent
    }

    var isAsked: Bool { asked.load(ordering: .relaxed) || parent?.isAsked ?? false }

    func ask() {
        asked.store(true, ordering: .relaxed)
    }
}
