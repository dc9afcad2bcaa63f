package import Causality
package import NoteText
package import NotesModel
package import StrictJSON

/// Result of `revisions.known`: the revisions of a store.
package struct KnownRevisionsResult: WireResult {
    /// The dots of the committed revisions.
    package var known: DotSet
    /// The dots of the revisions that were not accepted.
    package var quarantined: DotSet
    /// The number of revisions that wait for their parents.
    package var waiting: Int
    /// The forms of revisions that the daemon reads.
    package var forms: [Int]
    /// The number of the rules by which the daemon shows texts and conflicts. Daemons with different
    /// numbers may show the same revisions differently.
    package var view: Int
    /// The digests that were asked for.
    package var digests: [RevisionDigest]

    package init(
        known: DotSet, quarantined: DotSet, waiting: Int, forms: [Int], view: Int, digests: [RevisionDigest] = []
    ) {
        self.known = known
        self.quarantined = quarantined
        self.waiting = waiting
        self.forms = forms
        self.view = view
        self.digests = digests
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("known", known)
            result.member("quarantined", quarantined)
            result.member("waiting", waiting)
            result.name("forms")
            result.array(of: forms) { $0.integer($1) }
            result.member("view", view)
            guard !digests.isEmpty else { return }
            result.name("digests")
            result.array(of: digests) { array, digest in
                array.object {
                    $0.member("dot", digest.dot)
                    $0.member("note", digest.note)
                    if let hash = digest.hash { $0.member("hash", ReplicaID(bits: hash.bits)) }
                }
            }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        known = try value.required("known", Param.dots)
        quarantined = try value.required("quarantined", Param.dots)
        waiting = try value.required("waiting", Param.count)
        forms = try value.required("forms", Param.array(Param.count))
        view = try value.required("view", Param.count)
        digests = try value.optional("digests", Param.array(Self.digest)) ?? []
    }
}

extension KnownRevisionsResult {
    private static func digest(_ entry: JSONValue) throws(ParamFault) -> RevisionDigest {
        RevisionDigest(
            dot: try entry.required("dot", Param.dot), note: try entry.required("note", Param.noteID),
            hash: try entry.optional("hash", Param.replica).map { RevisionHash(bits: $0.bits) })
    }
}

/// Result of `revisions.watch`.
package struct WatchRevisionsResult: WireResult {
    /// The number of the watch.
    package var watch: UInt64
    /// The number of revisions that the peer lacks.
    package var lacks: Int

    package init(watch: UInt64, lacks: Int) {
        self.watch = watch
        self.lacks = lacks
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("watch", watch)
            result.member("lacks", lacks)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        watch = try value.required("watch", Param.number)
        lacks = try value.required("lacks", Param.count)
    }
}

/// Result of `revisions.adopt`: what happened to the offered revisions, and to those that waited for
/// them.
package struct AdoptResult: WireResult {
    /// The number of revisions that are now part of their notes.
    package var committed: Int
    /// The number of revisions that the store held already.
    package var known: Int
    /// The revisions that now wait for a parent.
    package var waiting: [Dot]
    /// The revisions that were not accepted. They are kept for an administrator.
    package var quarantined: [Reason]
    /// The revisions for which the store has no room; they may be offered again later.
    package var refused: [Dot]
    /// The indexes in the request of the revisions that could not be decoded. They were dropped.
    package var unreadable: [Int]
    /// The floors of the notes whose beginnings were not accepted. Nothing of them is kept.
    package var notBegun: [Reason]
    /// Whether the sender has to start again with what the store now says that it knows.
    package var restart: Bool

    /// A revision that was not accepted.
    package struct Reason: Hashable, Sendable {
        /// The revision.
        package var dot: Dot
        /// The reason, as a clause for people.
        package var reason: ByteString

        package init(dot: Dot, reason: ByteString) {
            self.dot = dot
            self.reason = reason
        }
    }

    package init(_ report: AdoptionReport, unreadable: [Int]) {
        committed = report.committed.count
        known = report.known
        waiting = report.waiting
        quarantined = report.quarantined.map { Reason(dot: $0.dot, reason: ByteString("\($0.reason)")) }
        refused = report.refused.map(\.dot)
        self.unreadable = unreadable
        notBegun = report.notBegun.map { Reason(dot: $0.dot, reason: ByteString("\($0.reason)")) }
        restart = report.changesKnown
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("committed", committed)
            result.member("known", known)
            result.name("waiting")
            result.array(of: waiting) { $0.string($1) }
            result.name("quarantined")
            Self.write(quarantined, to: &result)
            result.name("refused")
            result.array(of: refused) { $0.string($1) }
            result.name("unreadable")
            result.array(of: unreadable) { $0.integer($1) }
            if !notBegun.isEmpty {
                result.name("not_begun")
                Self.write(notBegun, to: &result)
            }
            if restart { result.member("restart", restart) }
        }
    }

    private static func write(_ reasons: [Reason], to result: inout JSONWriter) {
        result.array(of: reasons) { array, entry in
            array.object {
                $0.member("dot", entry.dot)
                $0.member("reason", entry.reason)
            }
        }
    }

    private static func reason(_ entry: JSONValue) throws(ParamFault) -> Reason {
        Reason(dot: try entry.required("dot", Param.dot), reason: try entry.required("reason", Param.string))
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        committed = try value.required("committed", Param.count)
        known = try value.required("known", Param.count)
        waiting = try value.required("waiting", Param.array(Param.dot))
        quarantined = try value.required("quarantined", Param.array(Self.reason))
        notBegun = try value.optional("not_begun", Param.array(Self.reason)) ?? []
        restart = try value.optional("restart", Param.bool) ?? false
        refused = try value.required("refused", Param.array(Param.dot))
        unreadable = try value.required("unreadable", Param.array(Param.count))
    }
}

/// Result of `peers.list`: the stores that exchange revisions with this one.
package struct PeersResult: WireResult {
    /// The peers, by store.
    package var peers: [Peer]

    /// A peer, as far as this store knows.
    package struct Peer: Hashable, Sendable {
        /// The id of its store.
        package var store: ReplicaID
        /// Whether a connection sends it revisions.
        package var isConnected: Bool
        /// The number of revisions of this store that the peer does not hold.
        package var lacks: Int

        package init(store: ReplicaID, isConnected: Bool, lacks: Int) {
            self.store = store
            self.isConnected = isConnected
            self.lacks = lacks
        }
    }

    package init(peers: [Peer]) {
        self.peers = peers
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("peers")
            result.array(of: peers) { array, peer in
                array.object {
                    $0.member("store", peer.store)
                    $0.member("connected", peer.isConnected)
                    $0.member("lacks", peer.lacks)
                }
            }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        peers = try value.required(
            "peers",
            Param.array { (peer) throws(ParamFault) in
                Peer(
                    store: try peer.required("store", Param.replica), isConnected: try peer.required("connected", Param.bool),
                    lacks: try peer.required("lacks", Param.count))
            })
    }
}
