package import Causality
package import NotesModel

/// A row of either shelf as an audit reads it: all that can be read of it.
package struct HeldRow: Sendable {
    package enum Content: Sendable {
        case waiting(Revision)
        case quarantined(Quarantined)
        /// Why it cannot be read, or is not what was kept.
        case unreadable(String)
    }

    /// Rises from 1; a page goes on after one.
    package let number: UInt64
    /// Nil where not even that can be read.
    package let dot: Dot?
    package let content: Content

    package init(number: UInt64, dot: Dot?, content: Content) {
        self.number = number
        self.dot = dot
        self.content = content
    }
}
