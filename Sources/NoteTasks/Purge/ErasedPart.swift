import Console
package import NotesModel
import NotesWire

/// A summary of the revisions that a purge erases, for the person who confirms it.
package struct ErasedPart {
    private let revisions: [RevisionSummary]

    /// Most authors that the summary lists.
    private static let authorsMax = 10

    /// - Parameter history: the whole history of the note, newest first.
    package init(_ history: [RevisionSummary]) {
        revisions = history
    }

    /// The summary, as sentences.
    ///
    /// - Parameter name: the name of the note in messages.
    package func lines(of name: String, local: (Timestamp) -> CalendarTime) -> [String] {
        guard let newest = revisions.map(\.time).max(), let oldest = revisions.map(\.time).min() else { return [] }
        let (first, last) = (local(oldest), local(newest))
        let authors = revisions.map { SafeText.line($0.author.forPeople) }.uniqued
        let listed = authors.prefix(Self.authorsMax).joined(separator: ", ")
        let more = authors.count > Self.authorsMax ? " and \(authors.count - Self.authorsMax) more" : ""
        let time =
            revisions.count == 1
            ? "of \(first.day) \(first.clock)" : "from \(first.day) \(first.clock) to \(last.day) \(last.clock)"
        return [
            "\(name): erases the texts of \(counted(revisions.count, "revision")) \(time), by \(listed)\(more)",
            "\(name): keeps what the note shows now",
        ]
    }
}
