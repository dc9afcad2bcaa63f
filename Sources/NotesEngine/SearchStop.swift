import Synchronization

/// Asks a search, or a look through the index, to end early, since nobody waits for it. From any thread.
final class SearchStop: Sendable {
    private let asked = Atomic(false)
    private let parent: SearchStop?

    /// - Parameter parent: one that stops this one too.
    init(within parent: SearchStop? = nil) {
        self.parent = parent
    }

    var isAsked: Bool { asked.load(ordering: .relaxed) || parent?.isAsked ?? false }

    func ask() {
        asked.store(true, ordering: .relaxed)
    }
}
