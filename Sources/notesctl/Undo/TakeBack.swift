import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

/// Undoes a set of revisions of one note, and keeps all others.
struct TakeBack {
    let options: GlobalOptions
    /// The revisions to undo.
    let dots: Set<Dot>
    let wording: Wording

    /// The messages about an undo.
    struct Wording {
        /// Report of an undo, such as "undid what `rm` wrote".
        let done: String
        /// The beginning of the error message, such as "cannot undo what `rm` wrote".
        let failure: String

        /// The wording for writes, such as "what `rm` wrote".
        static func undo(_ what: String) -> Wording { Wording(done: "undid \(what)", failure: "cannot undo \(what)") }

        /// The wording for an undo that is taken back.
        static let redo = Wording(done: "brought back what `op undo` undid", failure: "cannot bring back what `op undo` undid")
    }

    /// One write of an undo.
    enum Step: Equatable {
        /// Withdraws these revisions.
        case withdraw([RevisionSummary])
        /// Deletes the note, which has no other writes.
        case delete
        /// Removes the text that this revision created the note with. The note stays for the other
        /// writes.
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

    /// The revisions of the set whose withdrawal changes the note, newest first.
    static func changes(of dots: Set<Dot>, in history: [RevisionSummary]) -> [RevisionSummary] {
        history.filter { revision in
            guard dots.contains(revision.dot), !revision.isWithdrawn else { return false }
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
    struct Done {
        let note: NoteObject
        let history: UndoHistory
        /// The revisions that the undo concerned, newest first.
        let changes: [RevisionSummary]
        let isDeletion: Bool
        let outcome: OutcomeResult
    }

    /// Undoes revisions of a note.
    ///
    /// - Returns: nil if nothing was left to undo.
    static func undo(_ dots: Set<Dot>, in id: NoteID, _ client: any NotesAPI) async throws -> Done? {
        var done: Done?
        while true {
            let now = try await client.note(.id(id))
            let history = try await UndoHistory.read(of: now, client)
            guard let step = step(undoing: dots, in: history.revisions, isDeleted: now.head.isDeleted) else { return done }
            let outcome = try await make(step, of: now, history, client)
            // A write that changes nothing, such as the deletion of a note that was just deleted, would
            // be made again and again.
            guard outcome.outcome != .unchanged else { return done }
            let changes = history.revisions.filter { dots.contains($0.dot) && !$0.isWithdrawn }
            done = Done(
                note: done?.note ?? now, history: done?.history ?? history, changes: done?.changes ?? changes,
                isDeletion: step == .delete, outcome: outcome)
            if isLast(step, undoing: dots, in: history.revisions) { return done }
        }
    }

    /// Whether no other step can follow a step, so that the note need not be read again.
    private static func isLast(_ step: Step, undoing dots: Set<Dot>, in history: [RevisionSummary]) -> Bool {
        guard case .withdraw(let changes) = step else { return true }
        return changes.count < WireProtocol.undoneMax
            && !history.contains { dots.contains($0.dot) && ($0.parents.isNothing || !$0.withdraws.isEmpty) }
    }

    private static func make(
        _ step: Step, of note: NoteObject, _ history: UndoHistory, _ client: any NotesAPI
    ) async throws -> OutcomeResult {
        let (id, version) = (note.head.id, note.head.version)
        switch step {
        case .withdraw(let changes):
            let dots = changes.map(\.dot)
            return try await client.undo(
                UndoNote(id: id, base: version, revisions: dots, times: history.times(withdrawing: dots)))
        case .delete: return try await client.delete(id, base: version)
        case .clear(let creation): return try await client.save(SaveNote(id: id, base: Version(creation.dot), text: []))
        }
    }

    /// Undoes the revisions, and reports what became of the note.
    ///
    /// - Returns: the outcome of the last write; nil if nothing was left to undo.
    /// - Throws: `ExitStatus.inConflict` as an exit code if the undo put text in conflict.
    private func run(in id: NoteID, _ client: any NotesAPI) async throws -> Outcome.Kind? {
        guard let done = try await Self.undo(dots, in: id, client) else { return nil }
        let note = UndoneNote(
            options: options, note: done.note, history: done.history,
            reference: done.note.head.name?.description ?? id.description)
        try await note.report(
            done.outcome, wording.done, names: note.names(before: done.changes), wayBack: done.isDeletion ? "undo" : "redo",
            over: client)
        return done.outcome.outcome
    }

    /// Undoes revisions of many notes, note by note.
    ///
    /// - Parameters:
    ///   - revisions: the revisions to undo in each note, in the order in which the notes are changed.
    ///   - target: what the running command undoes, for the record of commands.
    /// - Returns: the outcomes for the notes that had something left to undo, whether a note is newly
    ///   in conflict, and the ids of the notes that failed.
    /// - Throws: an error that would also affect every other note: no daemon, or no permission.
    static func run(
        _ revisions: [(note: NoteID, dots: Set<Dot>)], undoing target: UndoTarget, wording: Wording, options: GlobalOptions
    ) async throws -> (outcomes: [Outcome.Kind], isInConflict: Bool, failed: [String]) {
        try await options.withClient(undoing: target) { client in
            var outcomes: [Outcome.Kind] = []
            var isInConflict = false
            var failed: [String] = []
            for (note, dots) in revisions {
                do {
                    let takeBack = TakeBack(options: options, dots: dots, wording: wording)
                    if let outcome = try await takeBack.run(in: note, client) { outcomes.append(outcome) }
                } catch let code as ExitCode where code.rawValue == ExitStatus.inConflict.rawValue {
                    outcomes.append(.conflicted)
                    isInConflict = true
                } catch {
                    guard let failure = explained(error, "\(wording.failure) in \(note)") as? ExitFailure,
                        ![.noDaemon, .notAllowed].contains(failure.code)
                    else { throw error }
                    Output.note(failure.message)
                    failed.append(note.description)
                }
            }
            return (outcomes, isInConflict, failed)
        }
    }
}
