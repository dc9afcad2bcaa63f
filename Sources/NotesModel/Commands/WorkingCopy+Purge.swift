import Causality
import TextMerge

extension WorkingCopy {
    /// Purges a note: a revision that keeps the text and the name, and below which nothing is read any
    /// more.
    ///
    /// The note's newest state suffices; the journal erases the history without loading it.
    ///
    /// - Throws: `cannotPurge` if the base is not the current version or a conflict is open.
    mutating func purge(_ command: PurgeNote, _ write: WriteContext) throws(Interruption) -> Step {
        let base = try base(command.base, of: command.id)
        guard base.version == base.head.version else {
            throw .refused(.cannotPurge(.baseIsNotShown, version: base.head.version))
        }
        // A deleted note has no open conflict. Those that a restored one would have are erased.
        guard base.head.conflicts.isEmpty else {
            throw .refused(.cannotPurge(.isConflicted, version: base.head.version))
        }
        let revision = write.revision(
            of: command.id, parents: base.version, edits: [], origin: .stated, name: .set(base.name),
            isTombstone: base.isDeleted, mark: Mark(.purge, covers: []))
        append(revision)
        guard let note = note(command.id) else { preconditionFailure("a note with a base is loaded") }
        return .accepted(
            Accepted(
                revision: revision, coversAll: true, text: base.isDeleted ? [] : base.text, name: base.name, conflicts: [],
                lastLine: note.lastLineFeed, isDeleted: base.isDeleted, isPurge: true, textEdits: [], shown: nil,
                before: base.head, after: note.head,
                outcome: Outcome(kind: .saved, dot: revision.dot, version: Version(revision.dot), shown: nil)))
    }
}
