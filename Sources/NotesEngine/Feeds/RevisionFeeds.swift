import Causality
import Dependents
import NotesMethods
import NotesModel
import NotesStore

/// The feeds by connection, and the dots of the store.
struct RevisionFeeds {
    var byDependent: [DependentID: RevisionFeed] = [:]
    /// For each offer that waits for a long walk: the report so far, and the note being loaded.
    var partlyAdopted: [DependentID: (report: AdoptionReport, walked: NoteID?)] = [:]
    /// The rest of an offer that was too much work for this turn. The next turn continues with it.
    var rest: Request?
    /// The connection that was served last; the next turn starts with the one after it.
    var lastServed = DependentID(0)
    /// When the records of peers were last written, in seconds of the ticks.
    var recordedAt: UInt64 = 0
    /// The dots of the commits up to `through`.
    var dots = DotSet()
    var through: UInt64 = 0

    /// Whether a feed waits for a page.
    func hasWork(newest: UInt64) -> Bool { byDependent.values.contains { $0.wantsPage(newest: newest) } }

    /// Makes the feeds to earlier runs of a peer record nothing. The peer may have been put back to an
    /// older state before its present run, and a connection to an earlier run may end later than the
    /// present one begins.
    mutating func forgetEarlierRuns(of feed: RevisionFeed) {
        guard let name = feed.recordName else { return }
        for (dependent, other) in byDependent where other.recordName == name && other.peer.replica != feed.peer.replica {
            byDependent[dependent]?.forgetPeer()
        }
    }
}
