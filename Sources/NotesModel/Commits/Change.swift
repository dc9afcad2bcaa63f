package import NoteText

/// A committed transition of one note from one state to the next. Watches and notifications start
/// from it.
///
/// It is a class for the same reason as `Commit`: it holds two heads.
package final class Change: Sendable {
    /// The commit sequence number in the store. It starts at 1 and increases by exactly 1.
    package let sequence: UInt64
    /// The sequence number of the note's previous commit; 0 when there is none.
    package let previous: UInt64
    /// The state before the commit; nil when the commit created the note.
    package let before: Head?
    /// The state after the commit.
    package let after: Head
    /// The connection that requested the write; nil when it is no longer registered.
    package let origin: Origin?

    package init(sequence: UInt64, previous: UInt64, before: Head?, after: Head, origin: Origin?) {
        self.sequence = sequence
        self.previous = previous
        self.before = before
        self.after = after
        self.origin = origin
    }

    /// The id of the changed note.
    package var note: NoteID { after.id }
}

/// The registered connection that caused a change.
package struct Origin: Hashable, Sendable {
    /// The connection's id.
    package let dependent: DependentID
    /// The label that the client gave in its hello; nil when it gave none.
    package let label: ByteString?

    package init(dependent: DependentID, label: ByteString?) {
        self.dependent = dependent
        self.label = label
    }
}

/// The id of a registered connection (a *dependent*). The daemon does not reuse it until it
/// restarts.
package struct DependentID: Hashable, Comparable, Sendable {
    /// The number, as the protocol reports it.
    package let number: UInt64

    /// Wraps a number that the daemon assigned.
    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: DependentID, right: DependentID) -> Bool {
        left.number < right.number
    }
}
