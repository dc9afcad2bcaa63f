import Causality
import Dependents
import NotesMethods
import NotesModel
import TextMerge

/// The revisions that one connection is sent: first those that its peer lacks, in commit order, then
/// each commit as it is made.
///
/// A pure state machine. The engine asks whether a page may be sent (`wantsPage`), reads the page after
/// `place` and reports it (`take`); the peer acknowledges pages (`proceed`).
///
/// Example: the peer lacks commits 1 and 3, and commit 4 is made later.
///
///     wantsPage(newest: 3)  → true
///     take(page 1, 3)       → number 1, remaining 0
///     wantsPage(newest: 3)  → false
///     wantsPage(newest: 4)  → true
///     take(page 4)          → number 2, remaining 0
///     proceed(through: 2)   → [dots of 1, 3, 4]
struct RevisionFeed {
    let watch: WatchID
    let peer: RevisionPeer
    /// The name of the peer's record; nil for none.
    private(set) var recordName: PeerName?
    /// The dots that are not sent: the peer holds them or refuses them.
    private(set) var skipped: DotSet
    /// The dots of `skipped` that the peer refused when the feed started.
    private let refused: DotSet
    /// The last commit that was examined.
    private(set) var place: UInt64 = 0
    /// The dots that the peer is known to hold.
    private(set) var held: DotSet
    /// Whether `held` changed since it was last written to the store.
    var isHeldUnwritten = true
    /// The newest commit when the feed started.
    private let startCommit: UInt64
    /// The number of revisions that the peer lacked then and that were not sent.
    private var lacks: Int
    /// Whether a page reported that everything that the peer lacked was sent.
    private var isSynced: Bool
    private var window = FeedWindow()
    /// The pages in `window`, oldest first: the revisions, and the floor and all dots of each beginning.
    private var unacknowledged: [(revisions: [Dot], beginnings: [(floor: Dot, dots: DotSet)])] = []

    /// Starts a feed.
    ///
    /// - Parameters:
    ///   - here: the dots of the store, which are those up to `newest`.
    ///   - newest: the newest commit of the store.
    init(_ watch: WatchID, to request: WatchRevisions, here: DotSet, newest: UInt64) {
        self.watch = watch
        peer = request.peer
        recordName = request.isRecorded ? PeerName(store: request.peer.store) : nil
        // No peer can make the daemon remember dots that the store does not have.
        func ours(_ dots: DotSet) -> DotSet { here.intersection(dots) }
        refused = ours(request.refuses)
        skipped = ours(request.known).union(refused)
        held = request.isRecorded ? ours(request.known) : DotSet()
        startCommit = newest
        lacks = here.subtracting(skipped).count
        isSynced = lacks == 0
        // The commits up to the newest are all known, and none has to be looked for.
        if isSynced { place = newest }
    }

    /// The number of revisions that the peer lacked when the feed started and that were not sent yet.
    var remaining: Int { isSynced ? 0 : max(1, lacks) }

    /// Records nothing about the peer from now on.
    mutating func forgetPeer() {
        recordName = nil
        held = DotSet()
    }

    /// Whether to read a page.
    func wantsPage(newest: UInt64) -> Bool {
        place < newest && window.isOpen
    }

    /// The commits of a page that was read after `place` were examined.
    ///
    /// - Returns: the number of the page that has to be sent; nil if it would say nothing.
    mutating func take(_ page: RevisionPage) -> UInt64? {
        place = page.through
        lacks -= page.revisions.count + page.gone.count
        for beginning in page.beginnings {
            lacks -= beginning.dots.subtracting(skipped).count
            skipped.formUnion(beginning.dots)
        }
        let completes = !isSynced && place >= startCommit
        if completes { isSynced = true }
        guard completes || !page.revisions.isEmpty || !page.gone.isEmpty || !page.beginnings.isEmpty else { return nil }
        unacknowledged.append((page.revisions.map(\.dot), page.beginnings.map { ($0.dot, $0.dots) }))
        let bytes = page.revisions.lazy.flatMap(\.content.edits).reduce(0) { $0 + $1.replacement.count }
        return window.send(bytes: page.beginnings.reduce(bytes) { $0 + $1.byteCount })
    }

    /// The peer sent revisions on the connection of the feed, so it holds them.
    mutating func receive(_ dots: DotSet) {
        skipped.formUnion(dots)
        hold(dots)
    }

    /// The peer holds revisions, with the bytes that they name.
    mutating func hold(_ dots: DotSet) {
        guard recordName != nil, !held.isSuperset(of: dots) else { return }
        held.formUnion(dots)
        isHeldUnwritten = true
    }

    /// The peer holds all revisions of the pages up to a number, except those in `lacking`. A number
    /// that was not sent changes nothing.
    mutating func proceed(through number: UInt64, lacking: Set<Dot>) {
        for _ in 0..<window.acknowledge(through: number) {
            let page = unacknowledged.removeFirst()
            hold(DotSet(page.revisions.filter { !lacking.contains($0) }))
            // A peer counts a floor that a purge erased there as known, and begins no note with it.
            for beginning in page.beginnings where !lacking.contains(beginning.floor) && !refused.contains(beginning.floor) {
                hold(beginning.dots)
            }
        }
    }
}
