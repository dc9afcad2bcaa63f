package import Causality

/// The results for the revisions that a peer sent, and for the waiting revisions that they
/// released.
package struct AdoptionReport: Hashable, Sendable {
    /// A quarantined revision.
    package struct Unfit: Hashable, Sendable {
        /// The revision's dot.
        package let dot: Dot
        /// The reason for the quarantine.
        package let reason: QuarantineReason
    }

    /// A revision for which its holding area had no room. The store did not change; the peer may
    /// send the revision again later.
    package struct Refused: Hashable, Sendable {
        /// The revision's dot.
        package let dot: Dot
        /// The holding area that is full (`HoldingLimits`).
        package let area: HoldingArea

        package init(dot: Dot, area: HoldingArea) {
            self.dot = dot
            self.area = area
        }
    }

    /// A note whose beginning was not accepted. The store did not change.
    package struct NotBegun: Hashable, Sendable {
        /// The dot of the floor.
        package let dot: Dot
        /// The reason.
        package let reason: BeginningFault

        package init(dot: Dot, reason: BeginningFault) {
            self.dot = dot
            self.reason = reason
        }
    }

    /// The committed revisions, in commit order.
    package var committed: [Dot] = []
    /// The number of revisions that the store already held.
    package var known = 0
    /// The revisions that now wait for a parent.
    package var waiting: [Dot] = []
    /// The revisions that are now in quarantine.
    package var quarantined: [Unfit] = []
    /// The revisions that were refused because a holding area is full.
    package var refused: [Refused] = []
    /// The number of malformed revisions, which were dropped: their edits overlap.
    package var unreadable = 0
    /// The notes whose beginnings were not accepted.
    package var notBegun: [NotBegun] = []
    /// Whether the store needs texts again that it compacted, or has them again. What it knows has changed, and
    /// the peer has to start again.
    package var changesKnown = false

    /// Creates an empty report.
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
    /// Combines this report with that of the adoption that followed it.
    package func joined(_ next: AdoptionReport) -> AdoptionReport {
        let committed = Set(next.committed)
        var joined = AdoptionReport(
            committed: self.committed + next.committed, known: known + next.known,
            waiting: waiting.filter { !committed.contains($0) } + next.waiting,
            quarantined: quarantined + next.quarantined, refused: refused + next.refused,
            unreadable: unreadable + next.unreadable)
        joined.notBegun = notBegun + next.notBegun
        joined.changesKnown = changesKnown || next.changesKnown
        return joined
    }
}
