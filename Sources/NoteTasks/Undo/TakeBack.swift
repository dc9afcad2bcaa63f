package import Causality
import Console
import NoteText
package import NotesClient
package import NotesModel
package import NotesWire

/// Undoes a set of revisions of one note, and keeps all others.
package enum TakeBack {
    /// The messages about an undo.
    package struct Wording {
        /// Report of an undo, such as "undid what `rm` wrote".
        let done: String
        /// The beginning of the error message, such as "cannot undo what `rm` wrote".
        let failure: String
        /// The verb of a summary, such as "undid".
        let verb: String
        /// The participle, such as "undone".
        let participle: String
        /// Whose changes they are, in a summary, such as " of `rm`"; empty if nothing else was undone.
        let whose: String
        /// The command that takes back the undo; nil for none.
        let wayBack: String?

        /// The wording for writes, such as "what `rm` wrote".
        ///
        /// - Parameter whose: what a summary says instead, such as "of `rm`".
        package static func undo(_ what: String, _ whose: String) -> Wording {
            Wording(
                done: "undid \(what)", failure: "cannot undo \(what)", verb: "undid", participle: "undone",
                whose: " \(whose)", wayBack: "notesctl op redo")
        }

        /// The wording for an undo that is taken back.
        package static let redo = Wording(
            done: "brought back what `op undo` undid", failure: "cannot bring back what `op undo` undid",
            verb: "brought back", participle: "brought back", whose: "", wayBack: nil)
    }

    /// One write of an undo.
    enum Step: Equatable {
        /// Withdraws these revisions.
        case withdraw([RevisionSummary])
        /// Deletes the note, which has no other writes.
        case delete
        /// Removes the text or the bytes that this revision created the note with. The note stays for the other
        /// writes, unless it is a file that nobody gave other bytes.
        case clear(RevisionSummary)
    }

    /// The next write; nil if nothing is left to undo.
    ///
    /// An undo that belongs to the set, and that names only revisions of the set, stays: without it,
    /// what it undid would come back. An undo that also names others is withdrawn first, and what comes
    /// back of the set is withdrawn by a second step.
    ///
    /// - Parameters:
    ///   - dots: the revisions to undo.
    ///   - history: the note's revisions, newest first.
    ///   - isDeleted: whether the note is deleted now.
    static func step(undoing dots: Set<Dot>, in history: [RevisionSummary], isDeleted: Bool) -> Step? {
        let changes = changes(of: dots, in: history)
        let creation = changes.first(where: \.parents.isNothing)
        if creation != nil, !hasOthers(than: dots, in: history, isDeleted: isDeleted) { return isDeleted ? nil : .delete }
        let later = changes.filter { !$0.parents.isNothing }
        if !later.isEmpty { return .withdraw(Array(later.prefix(WireProtocol.undoneMax))) }
        guard let creation, !isDeleted, creation.bytes > 0 else { return nil }
        return history.contains { isClearing($0, of: creation) } ? nil : .clear(creation)
    }

    /// The revisions of the set whose withdrawal changes the note, newest first. A purge shows the text
    /// that the note had, so its withdrawal changes nothing, and the daemon refuses it.
    package static func changes(of dots: Set<Dot>, in history: [RevisionSummary]) -> [RevisionSummary] {
        history.filter { revision in
            guard dots.contains(revision.dot), !revision.isWithdrawn, !revision.isPurge else { return false }
            return revision.withdraws.isEmpty || !dots.isSuperset(of: revision.withdraws)
        }
    }

    /// Whether there are writes that are not in the set, and that stay or come back when it is undone.
    /// The deletion of a deleted note keeps no text.
    private static func hasOthers(than dots: Set<Dot>, in history: [RevisionSummary], isDeleted: Bool) -> Bool {
        // An undo comes after the revisions that it names, so its own fate is known when it is reached.
        var withdrawn = dots
        for revision in history where !withdrawn.contains(revision.dot) { withdrawn.formUnion(revision.withdraws) }
        return history.contains {
            !withdrawn.contains($0.dot) && $0.withdraws.isEmpty && !(isDeleted && $0.isDeleted)
        }
    }

    /// Whether a revision is the write of a `clear` step that is in effect.
    private static func isClearing(_ revision: RevisionSummary, of creation: RevisionSummary) -> Bool {
        revision.parents == Version(creation.dot) && revision.bytes == 0 && !revision.isDeleted && !revision.isWithdrawn
            && revision.withdraws.isEmpty
    }

    /// A note before an undo, and what the undo did.
    package struct Done {
        package let note: NoteObject
        let history: UndoHistory
        /// The revisions that the undo concerned, newest first.
        let changes: [RevisionSummary]
        package let isDeletion: Bool
        package let outcome: OutcomeResult
    }

    /// Undoes revisions of a note.
    ///
    /// - Returns: nil if nothing was left to undo.
    package static func undo(_ dots: Set<Dot>, in id: NoteID, _ client: any NotesAPI) async throws -> Done? {
        var done: Done?
        while true {
            let now = try await client.note(.id(id))
            let history = try await UndoHistory.read(of: now, client)
            guard let step = step(undoing: dots, in: history.revisions, isDeleted: now.head.isDeleted) else { return done }
            guard let (outcome, isDeletion) = try await make(step, of: now, history, client) else { return done }
            // A write that changes nothing, such as the deletion of a note that was just deleted, would
            // be made again and again.
            guard outcome.outcome != .unchanged else { return done }
            let changes = history.revisions.filter { dots.contains($0.dot) && !$0.isWithdrawn }
            done = Done(
                note: done?.note ?? now, history: done?.history ?? history, changes: done?.changes ?? changes,
                isDeletion: isDeletion, outcome: outcome)
            if isLast(step, undoing: dots, in: history.revisions) { return done }
        }
    }

    /// Whether no other step can follow a step, so that the note need not be read again.
    private static func isLast(_ step: Step, undoing dots: Set<Dot>, in history: [RevisionSummary]) -> Bool {
        guard case .withdraw(let changes) = step else { return true }
        return changes.count < WireProtocol.undoneMax
            && !history.contains { dots.contains($0.dot) && ($0.parents.isNothing || !$0.withdraws.isEmpty) }
    }

    /// - Returns: nil if there is nothing to write.
    private static func make(
        _ step: Step, of note: NoteObject, _ history: UndoHistory, _ client: any NotesAPI
    ) async throws -> (OutcomeResult, isDeletion: Bool)? {
        let (id, version) = (note.head.id, note.head.version)
        switch step {
        case .withdraw(let changes):
            let dots = changes.map(\.dot)
            let undo = UndoNote(id: id, base: version, revisions: dots, times: history.times(withdrawing: dots))
            return (try await client.undo(undo), false)
        case .delete: return (try await client.delete(id, base: version), true)
        case .clear(let creation) where !FileContent.isFile(note.text ?? []):
            return (try await client.save(SaveNote(id: id, base: Version(creation.dot), text: [])), false)
        case .clear(let creation):
            let shown = FileContent.all(of: note.text ?? [])
            let created = FileContent.all(of: try await client.note(.id(id), at: Version(creation.dot)).text ?? [])
            let rest = shown.filter { !created.contains($0) }
            if rest == shown { return nil }
            if rest.isEmpty { return (try await client.delete(id, base: version), true) }
            guard rest.count == 1 else {
                throw ExitFailure(
                    "the file has \(shown.count) contents; choose one with `notesctl resolve \(NoteLabel.reference(note.head)) --take "
                        + "NUMBER`", .badData)
            }
            return (try await client.save(SaveNote(id: id, base: version, file: rest[0])), false)
        }
    }

    /// Undoes revisions of many notes, note by note, and prints what became of them: one summary if there
    /// are several.
    ///
    /// - Parameters:
    ///   - revisions: the revisions to undo in each note, in the order in which the notes are changed.
    ///   - target: what the running command undoes, for the record of commands.
    /// - Throws: an error that would also affect every other note: no daemon, or no permission.
    package static func run(
        _ revisions: [(note: NoteID, dots: Set<Dot>)], undoing target: UndoTarget, wording: Wording, options: GlobalOptions
    ) async throws -> UndoSummary {
        try await options.withClient(undoing: target) { client in
            var summary = UndoSummary(options: options, wording: wording, total: revisions.count)
            do {
                for (note, dots) in revisions { try await undo(dots, in: note, client, &summary) }
            } catch {
                summary.report()
                throw error
            }
            summary.report()
            return summary
        }
    }

    /// Undoes revisions of a note, and adds what became of it to a summary.
    private static func undo(
        _ dots: Set<Dot>, in id: NoteID, _ client: any NotesAPI, _ summary: inout UndoSummary
    ) async throws {
        do {
            guard let done = try await undo(dots, in: id, client) else { return }
            let note = UndoneNote(
                options: summary.options, note: done.note, history: done.history,
                reference: done.note.head.name?.description ?? id.description)
            var effect = try await note.effect(
                of: done.outcome, names: note.names(before: done.changes), wayBack: done.isDeletion ? "undo" : "redo",
                over: client)
            if !effect.opened.isEmpty {
                let former = effect.opened.intersection(try await note.conflicts(before: done.changes, client))
                effect.opened.subtract(former)
                effect.isReopened = !former.isEmpty
            }
            try summary.add(done, note, effect)
        } catch {
            let name = await name(of: id, client)
            guard let failure = explained(error, "\(summary.wording.failure) in \(name)") as? ExitFailure,
                ![.noDaemon, .notAllowed].contains(failure.code)
            else { throw error }
            summary.add(failure)
        }
    }

    /// The name of a note in an error message, or the last name of a deleted note; the id if there is none.
    static func name(of id: NoteID, _ client: any NotesAPI) async -> String {
        guard let note = try? await client.note(.id(id)), let head = try? await DeletedNotes.named(note.head, client),
            let name = head.name
        else { return id.description }
        return SafeText.line(name.description)
    }
}
