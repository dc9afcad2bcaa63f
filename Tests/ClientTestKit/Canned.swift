package import Causality
import NoteText
import NotesMethods
package import NotesModel
package import NotesWire

/// Typical lines of a daemon.
package enum Canned {
    /// The replica of the daemon.
    package static let replica = ReplicaID(bits: 0x9F86_D081_884C_7D65)

    /// The result of a hello with these limits.
    package static func hello(limits: WireLimits = WireLimits()) -> HelloResult {
        HelloResult(
            server: ClientInfo(name: "peer", version: "1"), store: ReplicaID(bits: 7), replica: replica,
            dependent: DependentID(1), user: UserInfo(uid: 1_000, name: "ada"), access: .write, positionEncoding: .utf8,
            limits: limits, cursor: cursor(0))
    }

    /// The cursor after a commit.
    package static func cursor(_ sequence: UInt64) -> Cursor {
        Cursor(CommitPosition(sequence: sequence, replica: replica))
    }

    /// The version made by the replica's revision with this counter.
    package static func version(_ counter: UInt64) -> Version {
        Version(Dot(replica, counter))
    }

    /// A note id that depends only on `number`.
    package static func id(_ number: UInt64) -> NoteID {
        NoteID(at: Timestamp(milliseconds: 1_700_000_000_000), random: (0, number))
    }

    /// A note with its text.
    package static func note(_ number: UInt64, text: String = "", name: String? = nil) -> NoteObject {
        let head = Head(
            id: id(number), name: name.flatMap { try? NoteName(ByteString($0)) }, version: version(number),
            vector: VersionVector(),
            title: Title.of(Array(text.utf8)), tags: [], created: Timestamp(milliseconds: 0),
            modified: Timestamp(milliseconds: 0),
            author: Author(user: "ada", label: nil), bytes: text.utf8.count, isDeleted: false)
        return NoteObject(head, body: .text(Array(text.utf8)), conflicts: [])
    }

    /// The line of a `note.changed`.
    package static func changed(watch: UInt64, seq: UInt64, cursor sequence: UInt64, text: String = "x") -> [UInt8] {
        EncodedChange(change: .edited, note: EncodedNote(note(sequence, text: text)), changes: 1, origin: nil)
            .line(watch: watch, seq: seq, cursor: cursor(sequence))
    }

    /// The result of a write that made the revision with this counter.
    package static func saved(_ counter: UInt64) -> OutcomeResult {
        OutcomeResult(outcome: .saved, dot: Dot(replica, counter), version: version(counter), note: nil)
    }
}
