/// A fact that the model accepted: at this commit the note went from one state to another.
///
/// A class for the same reason as `Commit`: it holds two heads.
package final class Change: Sendable {
    /// The commit's place in the store's order: rises by exactly 1, from 1.
    package let sequence: UInt64
    /// The commit of this note before this one; 0 where there is none.
    package let previous: UInt64
    /// Nil where the commit made the note.
    package let before: Head?
    package let after: Head
    /// Who asked for it; nil where nobody is connected any more.
    package let origin: Origin?

    package init(sequence: UInt64, previous: UInt64, before: Head?, after: Head, origin: Origin?) {
        self.sequence = sequence
        self.previous = previous
        self.before = before
        self.after = after
        self.origin = origin
    }

    package var note: NoteID { after.id }
}

/// The connection that a change came from, as it was registered.
package struct Origin: Hashable, Sendable {
    package let dependent: DependentID
    package let label: ByteString?

    package init(dependent: DependentID, label: ByteString?) {
        self.dependent = dependent
        self.label = label
    }
}

/// The number of a registered connection; never used again within a run of the daemon.
package struct DependentID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: DependentID, right: DependentID) -> Bool {
        left.number < right.number
    }
}
