package import Causality
import NoteText
package import NotesModel

extension PeerName {
    /// The name of the record of a store.
    init?(store: ReplicaID) {
        self.init(ByteString("\(store)"))
    }
}

/// A page of revisions for a peer.
package struct NumberedRevisionPage: Sendable {
    /// The beginnings of notes whose earlier texts are gone. Revisions of the page may be based on them.
    package let beginnings: [NoteBeginning]
    /// The revisions in commit order.
    package let revisions: [LinkedRevision]
    /// The revisions that cannot be sent, because their texts were compacted.
    package let gone: [Dot]
    /// The number of revisions that the peer lacked at the start of the feed and that follow.
    package let remaining: Int
}

/// The revisions that a connection offers.
package struct OfferedRevisions: Sendable {
    /// The revisions that could be decoded, in the order of the request.
    package let revisions: [LinkedRevision]
    /// The indexes in the request of those that could not.
    package let unreadable: [Int]
    /// The beginnings of notes; they are taken in first.
    package let beginnings: [NoteBeginning]
    /// Whether the connection's user may erase what the store has of a note.
    package let mayPurge: Bool

    package init(
        revisions: [LinkedRevision], unreadable: [Int], beginnings: [NoteBeginning] = [], mayPurge: Bool = false
    ) {
        self.revisions = revisions
        self.unreadable = unreadable
        self.beginnings = beginnings
        self.mayPurge = mayPurge
    }
}

/// The revisions of a store.
package struct KnownRevisions: Sendable {
    /// The dots of the committed revisions.
    package let dots: DotSet
    /// The dots of the revisions that were not accepted.
    package let quarantined: DotSet
    /// The number of revisions that wait for their parents.
    package let waiting: Int
    /// The digests of the revisions that were asked for, as far as they are committed.
    package let digests: [RevisionDigest]

    /// The number of ranges of both sets.
    package var rangeCount: Int { dots.rangeCount + quarantined.rangeCount }
}

/// A store that exchanges revisions with this one, as far as is known.
package struct PeerDescription: Sendable {
    /// The id of the store.
    package let store: ReplicaID
    /// Whether a connection sends it revisions.
    package let isConnected: Bool
    /// The number of revisions of this store that it does not hold.
    package let lacks: Int
}
