/// How much may wait, and for how long a watch may be silent.
package struct DependentLimits: Hashable, Sendable {
    /// What may wait for one dependent, in bytes. Its watches share it evenly, and a watch that goes over its share drops its
    /// entries (`watch.reset`), so that one dependent costs no more than this however many watches it has.
    package var outboxBytesMax: Int
    /// How often a waiting note may move to a newer commit before it keeps its place.
    package var movesMax: Int
    /// Watches of one dependent; one more is refused. A watch counts once more for each `idsPerWatch` ids that its filter names.
    /// Without this a connection could hold any memory.
    package var watchesMax: Int
    /// Notes in one page of a catch-up.
    package var pageNotesMax: Int
    /// Lines that are told as one (`ChangeBatch`), and bytes of what they show.
    package var changeBatchNotesMax: Int
    package var changeBatchBytesMax: Int
    /// Seconds without a line after which a synced watch gets `watch.bookmark`.
    package var idleSecondsMax: UInt64
    /// How many who left a note are remembered for those who have not been told yet.
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

    package static let idsPerWatch = 1_000

    /// What one waiting note is counted as, in bytes: an `OutboxEntry` (80), twice over for the room that a growing deque takes and again
    /// for holes. A note of a page (`CatchUp.Item`) is counted alike.
    package static let entryBytes = 320

    /// What the share of a watch has to have room for: a page of one note, and three that are committed while it is sent.
    package static let shareBytesMin = 4 * entryBytes

    /// - Parameter presenceBytes: what waits for all of them together.
    func quota(of watches: Int, besides presenceBytes: Int = 0) -> Quota {
        Quota(bytes: max(0, outboxBytesMax - presenceBytes) / max(1, watches), pageNotesMax: pageNotesMax)
    }

    /// Of what may wait for a dependent, what may be about who is where, in bytes; one line always may.
    var presenceBytesMax: Int { max(Self.entryBytes, outboxBytesMax / 4) }
}

/// One watch's part of what may wait for its dependent.
struct Quota: Hashable, Sendable {
    let bytes: Int
    /// Notes in a page: a quarter of the share at most, the rest is for what is committed while it is sent; but one at least.
    let pageNotes: Int

    init(bytes: Int, pageNotesMax: Int) {
        self.bytes = bytes
        pageNotes = max(1, min(pageNotesMax, bytes / DependentLimits.shareBytesMin))
    }

    var pageBytes: Int { pageNotes * DependentLimits.entryBytes }
}
