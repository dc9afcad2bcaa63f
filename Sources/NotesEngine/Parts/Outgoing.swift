import Dependents
import NotesModel

/// Changes and lines for the dependents that the engine has not sent.
struct Outgoing {
    /// The shared lines that were sent most recently.
    var renderedChanges: GenerationCache<RenderedChangesKey, RenderedChanges>
    /// Commits that are broadcast immediately, and not sent yet.
    var broadcasts: [Broadcast] = []
    /// The total weight of the broadcasts that the event loops have not written yet, in bytes.
    var broadcastsWeight = 0
    /// Dependents that may have something pending.
    var unsynced: Set<DependentID> = []
    /// Unsynced dependents that wait for a read, longest first.
    var awaitingRead: [DependentID] = []

    init(renderedBytesMax: Int) {
        renderedChanges = GenerationCache(bytesMax: renderedBytesMax) { $0.weight }
    }

    /// The dependents to serve in this turn: those that wait for a read first.
    mutating func takeWaiting() -> [DependentID] {
        let first = awaitingRead.filter(unsynced.contains)
        awaitingRead = []
        let served = Set(first)
        return first + unsynced.filter { !served.contains($0) }
    }

    mutating func takeBroadcasts() -> [Broadcast] {
        defer { broadcasts = [] }
        return broadcasts
    }
}
