package import Causality
package import NotesModel
import NotesSQL

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

    /// The SQL condition for a row whose canonical bytes begin as those of a note do
    /// (`RevisionCodec.start(of:)`, the parameter).
    static let isOfNote = "substr(revision, 1, \(RevisionCodec.startSize)) = ?"

    /// The part of a SQL condition that selects the rows with a dot; empty for nil.
    static func hasDot(_ dot: Dot?) -> String { dot == nil ? "" : "AND replica = ? AND counter = ?" }

    /// The parameters of a page of rows: a number, those of `hasDot`, and a limit.
    static func values(after number: UInt64, of dot: Dot?, limit: Int) -> [SQLValue] {
        let key: [SQLValue] = dot.map { [.number($0.replica.bits), .number($0.counter)] } ?? []
        return [.number(min(number, UInt64(Int64.max)))] + key + [.number(max(0, limit))]
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
