import Causality
import Console
import NoteTasks
import NoteText
import NotesModel

/// Says what revisions of a note did, in words without dots.
struct ChangeWords {
    private let revisions: [Dot: RevisionSummary]
    private let effects: UndoEffects

    /// - Parameter revisions: revisions of one note, with those before them as far as known.
    init(_ revisions: [RevisionSummary]) {
        self.revisions = Dictionary(revisions.map { ($0.dot, $0) }) { first, _ in first }
        effects = UndoEffects(revisions)
    }

    /// What a revision did, as a noun: `the deletion`.
    ///
    /// - Parameter note: the note's name for display, to add: `the deletion of a`.
    func noun(_ revision: RevisionSummary, of note: String? = nil) -> String {
        let (of, inside) = (note.map { " of \($0)" } ?? "", note.map { " in \($0)" } ?? "")
        if revision.isDeleted { return "the deletion\(of)" }
        if revision.parents.isNothing { return "the creation\(of)" }
        if let name = newName(of: revision) {
            return name.map { "the renaming to \(Self.line($0))" } ?? "the removal of the name"
        }
        if !revision.resolves.isEmpty { return "the resolution of \(Self.conflicts(revision))\(inside)" }
        return "the edit\(of)" + (growth(of: revision).map { " (\($0))" } ?? "")
    }

    /// What a revision did, as a list of verbs: `renamed to b, +4 bytes`.
    func verbs(_ revision: RevisionSummary, isInConflict: Bool = false) -> String {
        var words: [String] = []
        if !revision.withdraws.isEmpty {
            let (undone, redone) = effects.effect(of: revision)
            if !undone.isEmpty { words.append("undid \(nouns(undone))") }
            if !redone.isEmpty { words.append("brought back \(nouns(redone))") }
        } else if revision.isDeleted {
            words.append("deleted")
        } else if revision.parents.isNothing {
            words.append("created")
            if let name = revision.name { words.append("as \(Self.line(name))") }
        } else {
            if revision.isPurge { words.append("purged") }
            if let name = newName(of: revision) {
                words.append(name.map { "renamed to \(Self.line($0))" } ?? "lost its name")
            }
            if revision.parents.dots.count > 1 { words.append("merged") }
            if !revision.resolves.isEmpty { words.append("resolved \(Self.conflicts(revision))") }
            if let growth = growth(of: revision) { words.append(growth) }
            if words.isEmpty { words.append("edited") }
        }
        if revision.isWithdrawn { words.append("undone") }
        if isInConflict { words.append("in conflict") }
        if revision.isCompacted { words.append("text compacted") }
        return words.joined(separator: ", ")
    }

    private func parent(of revision: RevisionSummary) -> RevisionSummary? {
        revision.parents.single.flatMap { revisions[$0] }
    }

    /// The name that a revision gave the note, or nil for none; nil if it did not change the name.
    private func newName(of revision: RevisionSummary) -> NoteName?? {
        guard let parent = parent(of: revision), !parent.isDeleted, !revision.isDeleted, parent.name != revision.name else {
            return nil
        }
        return .some(revision.name)
    }

    /// By how much the text grew or shrank; nil if unknown or by nothing.
    private func growth(of revision: RevisionSummary) -> String? {
        guard let parent = parent(of: revision), !parent.isDeleted, !revision.isDeleted, parent.bytes != revision.bytes else {
            return nil
        }
        let count = revision.bytes - parent.bytes
        return "\(count > 0 ? "+" : "−")\(counted(abs(count), "byte"))"
    }

    private func nouns(_ dots: [Dot]) -> String {
        if dots.count > 1 { return counted(dots.count, "change") }
        return dots.first.flatMap { revisions[$0] }.map { noun($0) } ?? "a change"
    }

    private static func conflicts(_ revision: RevisionSummary) -> String {
        revision.resolves.count == 1 ? "a conflict" : counted(revision.resolves.count, "conflict")
    }

    private static func line(_ name: NoteName) -> String { SafeText.line(name.description) }
}
