package import Causality
package import NoteText

/// An event of a flow.
package enum FlowEvent: Hashable, Sendable {
    /// The flow began; the destination lacks this many revisions.
    case began(lacks: Int)
    /// The destination committed revisions; `remaining` of those that it lacked at the start follow. `gone` of
    /// the page cannot be sent any more, and `lacking` are not part of the destination's notes.
    case carried(committed: Int, remaining: Int, gone: Int, lacking: Int)
    /// The destination does not accept a revision.
    case notAccepted(Dot, String)
    /// The destination did not accept this many revisions of the source in earlier exchanges.
    case refused(Int)
    /// Both stores hold this dot, and not the same revision under it: a clause about the revision.
    case differs(Dot, String)
    /// The destination takes nothing at present, and is asked again.
    case waits(String)
    /// Revisions of the destination name this many files whose bytes it lacks.
    case files(lacking: Int)
    /// The bytes of a file arrived, or could not be carried for a reason.
    case file(FileHash, failure: String?)
}

/// A reason for the end of a flow or a replicator, other than an error of a connection.
package enum ReplicationFault: Error, Hashable, Sendable {
    /// The source left out pages.
    case gap(after: UInt64, UInt64)
    /// The source ended its stream.
    case ended
    /// Both connections lead to the same daemon.
    case sameDaemon
    /// The other daemon serves another store than the one that was agreed on.
    case otherStore(expected: ReplicaID, found: ReplicaID)
    /// The daemon here, at this socket, serves another store than the one that the peer was set up with.
    case otherOwnStore(expected: ReplicaID, found: ReplicaID, socket: String)
    /// A store takes nothing at present, for this reason, and the exchange was to end.
    case takesNothing(String)
    /// The two daemons would show the same revisions differently, or one cannot read those of the other.
    case otherRules(isHereOlder: Bool)

    /// Whether only a person can correct it.
    package var isLasting: Bool {
        switch self {
        // An update of the older machine corrects other rules.
        case .gap, .ended, .otherRules, .takesNothing: false
        case .sameDaemon, .otherStore, .otherOwnStore: true
        }
    }
}

extension ReplicationFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .gap(let last, let next): "page \(next) of revisions followed page \(last)"
        case .ended: "the stream of revisions ended"
        case .takesNothing(let reason): "a store takes no revisions at present: \(reason)"
        case .sameDaemon: "both ends are the same daemon; give the address of another one"
        case .otherStore(let expected, let found):
            "the address leads to store \(found), but this peer was set up with store \(expected); nothing was exchanged"
        case .otherOwnStore(let expected, let found, let socket):
            "the daemon at \(socket) has store \(found), but this peer was set up with store \(expected); nothing was exchanged. "
                + "Name the socket of that store with --socket; if `notesd restore --new-store` gave the store a new id, remove "
                + "the peer with `notesctl peer remove` and add it again"
        case .otherRules(isHereOlder: true):
            "this machine's notesd is older and would show some notes differently; update it. Nothing was exchanged"
        case .otherRules(isHereOlder: false):
            "the other machine's notesd is older and would show some notes differently; update it. Nothing was exchanged"
        }
    }
}
