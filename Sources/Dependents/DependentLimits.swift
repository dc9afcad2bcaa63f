/// The limits on what is pending for a dependent, and on how long a watch may be silent.
package struct DependentLimits: Hashable, Sendable {
    /// Bytes pending for one dependent. Its watches share them evenly, and a watch that exceeds its
    /// share drops its entries (`watch.reset`). So a dependent costs no more than this, however
    /// many watches it has.
    package var outboxBytesMax: Int
    /// How often a pending note may move to a newer commit before its entry keeps its place.
    package var movesMax: Int
    /// Watches of one dependent. A watch weighs one more for each `idsPerWatch` ids that its filter
    /// names, since ids take memory.
    package var watchesMax: Int
    /// Notes in one page of a catch-up.
    package var pageNotesMax: Int
    /// Notes of a shared `ChangeBatch`.
    package var changeBatchNotesMax: Int
    /// Bytes of text in a shared `ChangeBatch`.
    package var changeBatchBytesMax: Int
    /// Seconds without a line after which a synced watch gets `watch.bookmark`.
    package var idleSecondsMax: UInt64
    /// Departures that `PresenceTable` keeps for receivers that were not sent them.
    package var departuresMax: Int

    package init(
        outboxBytesMax: Int = 1 << 20, movesMax: Int = 1_000, watchesMax: Int = 256, pageNotesMax: Int = 64,
        changeBatchNotesMax: Int = 256, changeBatchBytesMax: Int = 256 << 10, idleSecondsMax: UInt64 = 30,
        departuresMax: Int = 4_096
    ) {
        self.outboxBytesMax = outboxBytesMax
        self.movesMax = movesMax
        self.watchesMax = watchesMax
        self.pageNotesMax = pageNotesMax
        self.changeBatchNotesMax = changeBatchNotesMax
        self.changeBatchBytesMax = changeBatchBytesMax
        self.idleSecondsMax = idleSecondsMax
        self.departuresMax = departuresMax
    }

    /// Ids of a filter that count as one more watch.
    package static let idsPerWatch = 1_000

    /// What one pending note counts as, in bytes: an `OutboxEntry` (80), doubled for the spare
    /// capacity of a growing deque, and doubled again for holes. A note of a page (`CatchUp.Item`)
    /// counts the same.
    package static let entryBytes = 320

    /// The smallest useful share of a watch, in bytes: a page of one note, and three notes that are
    /// committed while it is sent.
    package static let shareBytesMin = 4 * entryBytes

    /// The share of each watch of a dependent.
    ///
    /// - Parameter presenceBytes: bytes of presence pending for the dependent.
    func quota(of watches: Int, besides presenceBytes: Int = 0) -> Quota {
        Quota(bytes: max(0, outboxBytesMax - presenceBytes) / max(1, watches), pageNotesMax: pageNotesMax)
    }

    /// Bytes of presence that may be pending for a dependent: a quarter of `outboxBytesMax`, and at
    /// least one line.
    var presenceBytesMax: Int { max(Self.entryBytes, outboxBytesMax / 4) }
}

/// One watch's share of the bytes pending for its dependent.
struct Quota: Hashable, Sendable {
    let bytes: Int
    /// Notes in a page: at most a quarter of the share, so that the rest has room for commits
    /// during the page; at least one.
    let pageNotes: Int

    init(bytes: Int, pageNotesMax: Int) {
        self.bytes = bytes
        pageNotes = max(1, min(pageNotesMax, bytes / DependentLimits.shareBytesMin))
    }

    var pageBytes: Int { pageNotes * DependentLimits.entryBytes }
}
