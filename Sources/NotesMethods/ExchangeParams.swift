package import Causality
package import NotesModel

/// The store at the other end of a feed.
package struct RevisionPeer: Hashable, Sendable {
    /// The id of the store.
    package let store: ReplicaID
    /// The replica of the run of the daemon that serves it.
    package let replica: ReplicaID

    package init(store: ReplicaID, replica: ReplicaID) {
        self.store = store
        self.replica = replica
    }
}

/// Params of `revisions.watch`, which starts a feed.
package struct WatchRevisions: Hashable, Sendable {
    /// The receiver.
    package var peer: RevisionPeer
    /// The dots that its store holds.
    package var known: DotSet
    /// The dots that its store does not accept.
    package var refuses: DotSet
    /// Whether to record what the peer holds. Compaction keeps what a recorded peer does not hold, so the
    /// session permits it only to a user with the access `sync`.
    package var isRecorded: Bool

    package init(peer: RevisionPeer, known: DotSet, refuses: DotSet = DotSet(), isRecorded: Bool = false) {
        self.peer = peer
        self.known = known
        self.refuses = refuses
        self.isRecorded = isRecorded
    }
}

/// Params of `revisions.proceed`.
package struct ProceedParams: Hashable, Sendable {
    /// The watch of revisions.
    package var watch: WatchID
    /// The number of the last page that the peer's store holds.
    package var seq: UInt64
    /// The revisions of these pages that the peer's store does not hold.
    package var lacking: [Dot]

    package init(watch: WatchID, seq: UInt64, lacking: [Dot] = []) {
        self.watch = watch
        self.seq = seq
        self.lacking = lacking
    }
}

/// Params of `revisions.adopt`.
package struct AdoptParams: Hashable, Sendable {
    /// The offered revisions.
    package var revisions: [WireRevision]
    /// The offered beginnings of notes; they are taken in before the revisions.
    package var beginnings: [WireBeginning]

    package init(revisions: [WireRevision], beginnings: [WireBeginning] = []) {
        self.revisions = revisions
        self.beginnings = beginnings
    }
}
