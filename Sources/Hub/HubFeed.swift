import Causality
import NotesModel
import NotesWire

/// The revisions of a space that one client is sent, in the order of positions.
///
/// A pure state machine. The gateway asks whether rows are needed (`wantsRows`), hands over what it read
/// (`take`), and removes pages that may be sent (`nextPage`); the client acknowledges pages (`proceed`).
struct HubFeed {
    /// The number of ranges of `skipped` at which it remembers no more of the client's own revisions. The
    /// client then gets them back, which changes nothing.
    static let skippedRangesMax = 2 * DotSet.rangesMax

    let watch: UInt64
    /// The last row that was examined.
    private(set) var place: HubPlace
    /// The dots that are not sent: the client holds or refuses them.
    private(set) var skipped: DotSet
    /// The newest place when the feed started.
    private let started: HubPlace
    /// The number of revisions that the client lacked then and that were not sent.
    private var lacks: Int
    private var isSynced: Bool
    /// Whether there may be rows after `place`.
    private var mayHaveRows = true
    /// Sizes are bytes of bodies.
    private var window = FeedWindow()
    /// The entries of the next pages: what one read returned, less what is skipped.
    private var buffer: [Entry] = []
    /// Whether a page has to report that everything was sent, even if it is empty.
    private var owesSynced = false

    private enum Entry {
        case revision(WireRevision)
        case gone(Dot)

        var bytes: Int {
            guard case .revision(let revision) = self else { return 0 }
            return revision.byteCount
        }
    }

    /// A fault that a new connection corrects: the log is not the one that this feed began to read.
    enum Fault: Error, Hashable {
        case logChanged(at: UInt64)
        case disorder(after: UInt64)
    }

    /// Starts a feed.
    ///
    /// - Parameters:
    ///   - place: the row before the first one that the client lacks; `newest` if it lacks none.
    ///   - lacks: the number of rows up to `newest` that the client lacks.
    init(_ watch: UInt64, after place: HubPlace, skipped: DotSet, newest: HubPlace, lacks: Int) {
        self.watch = watch
        self.place = place
        self.skipped = skipped
        self.lacks = lacks
        started = newest
        isSynced = lacks == 0
    }

    /// The number of revisions that the client lacked at the start and that were not sent yet.
    var remaining: Int { isSynced ? 0 : max(1, lacks) }

    /// Whether to read rows after `place`.
    var wantsRows: Bool { mayHaveRows && buffer.isEmpty && !owesSynced && window.isOpen }

    /// There may be new rows.
    mutating func wake() { mayHaveRows = true }

    /// Takes in what was read after `place`.
    ///
    /// - Returns: the rows that no page carries, with the reasons.
    /// - Throws: `Fault`; the feed must then end.
    mutating func take(anchor: Dot?, _ rows: [HubRow]) throws(Fault) -> [(place: HubPlace, reason: String)] {
        if let dot = place.dot, anchor != dot { throw .logChanged(at: place.position) }
        var faults: [(HubPlace, String)] = []
        for row in rows {
            guard row.place.position > place.position, let dot = row.place.dot else { throw .disorder(after: place.position) }
            try pass(row.place)
            place = row.place
            guard !skipped.contains(dot) else { continue }
            switch HubCheck.stored(row) {
            case .revision(let wire): buffer.append(.revision(wire))
            case .skipped(let reason):
                buffer.append(.gone(dot))
                faults.append((row.place, reason))
            }
        }
        if rows.isEmpty {
            // The row that was the newest at the start has to be found on the way.
            guard isSynced || owesSynced || place.position >= started.position else { throw .logChanged(at: started.position) }
            mayHaveRows = false
        }
        if !isSynced, place.position >= started.position { owesSynced = true }
        return faults
    }

    /// The row that was the newest at the start has the same dot as then.
    private func pass(_ next: HubPlace) throws(Fault) {
        guard !isSynced, place.position < started.position, next.position >= started.position else { return }
        guard next == started else { throw .logChanged(at: started.position) }
    }

    /// Removes the next page; nil if none may be sent.
    mutating func nextPage() -> RevisionsPage? {
        guard window.isOpen, !buffer.isEmpty || owesSynced else { return nil }
        var (count, bytes) = (0, 0)
        while count < buffer.count, count < FeedWindow.pageRevisionsMax {
            let next = buffer[count].bytes
            guard count == 0 || bytes + next <= FeedWindow.pageBytesMax else { break }
            bytes += next
            count += 1
        }
        var (revisions, gone): ([WireRevision], [Dot]) = ([], [])
        for entry in buffer.prefix(count) {
            switch entry {
            case .revision(let revision): revisions.append(revision)
            case .gone(let dot): gone.append(dot)
            }
        }
        buffer.removeFirst(count)
        if !isSynced { lacks -= count }
        if buffer.isEmpty, owesSynced { (isSynced, owesSynced) = (true, false) }
        return RevisionsPage(watch: watch, seq: window.send(bytes: bytes), left: remaining, revisions: revisions, gone: gone)
    }

    /// The client holds the pages up to a number. A number that was not sent changes nothing.
    mutating func proceed(through number: UInt64) {
        _ = window.acknowledge(through: number)
    }

    /// The client appended revisions, the last `committed` of which are the newest rows.
    mutating func receive(_ dots: [Dot], committed: Int, newest: HubPlace?) {
        for dot in dots where skipped.rangeCount < Self.skippedRangesMax { skipped.insert(dot) }
        // Only the client's own rows follow the place, so they need not be read back.
        if let newest, isSynced, buffer.isEmpty, place.dot != nil || place.position == 0,
            place.position + UInt64(committed) == newest.position
        {
            place = newest
        }
    }
}
