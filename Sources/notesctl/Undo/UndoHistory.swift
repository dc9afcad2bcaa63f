import Causality
import NotesModel

/// Finds in a note's history the changes that a user can undo.
///
/// A revision that undoes another is labelled with it: `notesctl undo 9f86d081884c7d65:12`.
/// `history` shows this label, and the next `undo` skips both revisions and continues with the
/// change before. There is no other record of an undo: a user who writes an old text again makes an
/// ordinary change.
struct UndoHistory {
    /// The note's revisions, newest first.
    let revisions: [RevisionSummary]
    let user: ByteString
    /// Restricts undo to changes with this author label; nil for all of the user's changes.
    let label: ByteString?

    private static let labelPrefix = "notesctl undo "

    static func label(undoing dot: Dot) -> String { labelPrefix + dot.description }

    /// The revision that this one undid; nil if this is not an undo.
    static func undone(by revision: RevisionSummary) -> Dot? {
        guard let label = revision.author.label, label.utf8.starts(with: labelPrefix.utf8) else { return nil }
        return Dot(parsing: label.utf8.dropFirst(labelPrefix.utf8.count))
    }

    private func isOwn(_ revision: RevisionSummary) -> Bool { revision.author.user == user }

    /// The user's changes that were not undone, newest first.
    var candidates: [RevisionSummary] {
        let own = revisions.filter(isOwn)
        let undone = Set(own.compactMap(Self.undone))
        return own.filter { revision in
            Self.undone(by: revision) == nil && !undone.contains(revision.dot)
                && (label == nil || revision.author.label == label)
        }
    }

    /// The version to base the undo of a change on: the change itself and the user's later undo
    /// revisions.
    ///
    /// Those must be included because an undo revision rewrites text that the undone one had
    /// removed; an undo based on the change alone would leave that text in place.
    func base(for change: RevisionSummary) -> Version {
        let since = revisions.prefix { $0.dot != change.dot }.filter { isOwn($0) && Self.undone(by: $0) != nil }
        return Version([change.dot] + since.map(\.dot))
    }
}
