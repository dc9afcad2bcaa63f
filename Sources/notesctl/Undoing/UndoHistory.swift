import Causality
import NotesModel

/// What a user may take back of a note, by its history.
///
/// A revision that takes another back says so in its label, `notesctl undo 9f86d081884c7d65:12`: people see it in `history`, and
/// the next `undo` knows that both are dealt with and goes on to the change before. Nothing else marks one: whoever writes an
/// old text again makes a change like any other.
struct UndoHistory {
    /// The note's, newest first.
    let revisions: [RevisionSummary]
    let user: ByteString
    /// Only changes with this label, where it is given.
    let label: ByteString?

    private static let labelPrefix = "notesctl undo "

    static func label(undoing dot: Dot) -> String { labelPrefix + dot.description }

    /// What an undoing revision took back; nil for any other.
    static func undone(by revision: RevisionSummary) -> Dot? {
        guard let label = revision.author.label, label.utf8.starts(with: labelPrefix.utf8) else { return nil }
        return Dot(parsing: label.utf8.dropFirst(labelPrefix.utf8.count))
    }

    private func isOwn(_ revision: RevisionSummary) -> Bool { revision.author.user == user }

    /// The changes that were not taken back, newest first.
    var candidates: [RevisionSummary] {
        let own = revisions.filter(isOwn)
        let undone = Set(own.compactMap(Self.undone))
        return own.filter { revision in
            Self.undone(by: revision) == nil && !undone.contains(revision.dot)
                && (label == nil || revision.author.label == label)
        }
    }

    /// The version on which a change is to be taken back: the one that it made, and what was taken back since.
    ///
    /// An undoing revision writes anew what the one before it removed. To go on from the change alone would leave that standing.
    func base(for change: RevisionSummary) -> Version {
        let since = revisions.prefix { $0.dot != change.dot }.filter { isOwn($0) && Self.undone(by: $0) != nil }
        return Version([change.dot] + since.map(\.dot))
    }
}
