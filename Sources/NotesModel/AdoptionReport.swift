package import Causality

/// What became of revisions that were offered, and of those that had waited for them.
package struct AdoptionReport: Hashable, Sendable {
    package struct Unfit: Hashable, Sendable {
        package let dot: Dot
        package let reason: QuarantineReason
    }

    /// One that there was no room for where it had to be kept. Nothing was changed: offered again once there is room, it is kept.
    package struct Refused: Hashable, Sendable {
        package let dot: Dot
        /// The one that is full (`HoldingLimits`).
        package let shelf: HoldingArea

        package init(dot: Dot, shelf: HoldingArea) {
            self.dot = dot
            self.shelf = shelf
        }
    }

    /// In the order of their commits.
    package var committed: [Dot] = []
    /// How many were here already.
    package var known = 0
    package var waiting: [Dot] = []
    package var quarantined: [Unfit] = []
    package var refused: [Refused] = []
    /// How many are no revisions at all, and were dropped: their edits overlap.
    package var unreadable = 0

    package init() {}

    init(committed: [Dot], known: Int, waiting: [Dot], quarantined: [Unfit], refused: [Refused], unreadable: Int) {
        self.committed = committed
        self.known = known
        self.waiting = waiting
        self.quarantined = quarantined
        self.refused = refused
        self.unreadable = unreadable
    }
}

extension AdoptionReport {
    /// This one followed by the next.
    package func joined(_ next: AdoptionReport) -> AdoptionReport {
        let committed = Set(next.committed)
        return AdoptionReport(
            committed: self.committed + next.committed, known: known + next.known,
            waiting: waiting.filter { !committed.contains($0) } + next.waiting,
            quarantined: quarantined + next.quarantined, refused: refused + next.refused,
            unreadable: unreadable + next.unreadable)
    }
}
