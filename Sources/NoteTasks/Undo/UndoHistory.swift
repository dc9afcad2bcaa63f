import Causality
import NoteText
package import NotesClient
package import NotesModel
package import NotesWire

/// Finds in a note's history what a user can undo and redo.
package struct UndoHistory {
    /// The note's revisions, newest first.
    package let revisions: [RevisionSummary]
    let user: ByteString
    /// Restricts undo to changes with this author label; nil for all of the user's changes.
    let label: ByteString?

    init(_ revisions: [RevisionSummary], user: ByteString, label: ByteString? = nil) {
        self.revisions = revisions
        self.user = user
        self.label = label
    }

    /// Reads the history of a note for the user of the connection.
    package static func read(of note: NoteObject, _ client: any NotesAPI, label: String? = nil) async throws -> UndoHistory {
        let user = await client.hello?.user.name ?? ""
        return UndoHistory(try await Revisions(client, note.head.id).all(), user: user, label: label.map { ByteString($0) })
    }

    private func isOwn(_ revision: RevisionSummary) -> Bool { revision.author.user == user }

    /// The user's changes that count, newest first. A purge changes nothing that an undo brings back.
    package var candidates: [RevisionSummary] {
        revisions.filter {
            isOwn($0) && $0.withdraws.isEmpty && !$0.isWithdrawn && !$0.isPurge && (label == nil || $0.author.label == label)
        }
    }

    /// The withdrawals to withdraw in order to redo what the user undid last: the user's newest
    /// effective one that undid a change, and all others that undid the same changes. Empty if there
    /// is none, or if the user has changed the note since.
    package var redo: [RevisionSummary] {
        let writes = Set(revisions.filter(\.withdraws.isEmpty).map(\.dot))
        let effective = revisions.filter { !$0.withdraws.isEmpty && !$0.isWithdrawn }
        for revision in revisions where isOwn(revision) && !revision.isWithdrawn {
            guard !revision.withdraws.isEmpty else { return [] }
            let undone = writes.intersection(revision.withdraws)
            guard !undone.isEmpty else { continue }
            return effective.filter { !undone.isDisjoint(with: $0.withdraws) }
        }
        return []
    }

    /// The times that an undo or a redo states: the time of the newest write that stays in effect. An
    /// undo of an import thus brings back the time that the note showed before. Nil if no revision of
    /// the note states times; the undo then shows its own time.
    ///
    /// - Parameter dots: the revisions to withdraw.
    func times(withdrawing dots: [Dot]) -> FileTimes? {
        guard revisions.contains(where: { $0.times != nil }) else { return nil }
        var withdrawn = Set(dots)
        // A withdrawal comes after what it withdraws, so its own fate is known when it is reached.
        for revision in revisions where !withdrawn.contains(revision.dot) { withdrawn.formUnion(revision.withdraws) }
        let newest = revisions.first { $0.withdraws.isEmpty && !withdrawn.contains($0.dot) }
        return newest.map { FileTimes(modified: $0.times?.modified ?? $0.time) }
    }

    /// The changes that a redo brings back.
    package func changes(redoneBy withdrawals: [RevisionSummary]) -> [RevisionSummary] {
        let names = Set(withdrawals.flatMap(\.withdraws))
        return revisions.filter { names.contains($0.dot) }
    }
}
