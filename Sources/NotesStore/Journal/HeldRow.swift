package import Causality
package import NotesModel

/// A row of either holding area, with everything that an audit can read of it.
package struct HeldRow: Sendable {
    /// The content of a row.
    package enum Content: Sendable {
        /// A revision that waits for its parents.
        case waiting(LinkedRevision)
        /// A quarantined revision and its reason.
        case quarantined(Quarantined)
        /// The reason why the content cannot be read or does not match its row.
        case unreadable(String)
    }

    /// Number of the row, ascending from 1 in order of arrival; pages continue after it.
    package let number: UInt64
    /// Dot of the revision; nil if it cannot be read.
    package let dot: Dot?
    /// What the row contains.
    package let content: Content

    package init(number: UInt64, dot: Dot?, content: Content) {
        self.number = number
        self.dot = dot
        self.content = content
    }
}
