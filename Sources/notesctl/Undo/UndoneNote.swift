import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

/// A note before an undo or a redo, and the request that makes it.
struct UndoneNote {
    let options: GlobalOptions
    /// The note as it was read before.
    let note: NoteObject
    /// The name of the note in messages.
    let name: String

    /// - Parameter reference: what the user called the note; a deleted note has no name of its own.
    init(options: GlobalOptions, note: NoteObject, reference: String) {
        self.options = options
        self.note = note
        name = SafeText.line(note.head.isDeleted ? reference : NoteLabel.of(note.head))
    }

    /// Withdraws revisions of the note.
    ///
    /// - Parameters:
    ///   - operation: the command that this one undoes, for the record of commands.
    ///   - purpose: the beginning of the error message, for example "cannot undo".
    func withdraw(_ dots: [Dot], undoing operation: String? = nil, purpose: String) async throws -> OutcomeResult {
        do {
            return try await options.withClient(undoing: operation) {
                try await $0.undo(UndoParams(id: note.head.id, base: note.head.version, revisions: dots))
            }
        } catch {
            throw explained(error, "\(purpose) in \(name)")
        }
    }

    /// Prints what was undone or redone, and the conflicts that are open now.
    ///
    /// - Throws: `ExitStatus.inConflict` as an exit code if the undo put text in conflict.
    func report(_ outcome: OutcomeResult, _ what: String) async throws {
        let before = Set(note.conflicts.map(\.id))
        let after = outcome.note.map { Set($0.conflicts.map(\.id)) } ?? before
        let isNewlyInConflict = !after.isSubset(of: before)
        var isSeen = outcome.note?.edits?.isEmpty != true || after != before
        if !isSeen {
            let now = try await options.withClient { try await $0.note(.id(note.head.id)).head }
            isSeen = now.name != note.head.name || now.isDeleted != note.head.isDeleted
        }
        Output.note("\(name): \(what)" + (isSeen ? "" : "; the note stays the same, since nothing of that is left in it"))
        if options.isForPrograms {
            try SaveReport.report(outcome, options)
        } else {
            try SaveReport.reportSaved(name, outcome.note?.version ?? outcome.version)
        }
        guard isNewlyInConflict else { return }
        try await SaveReport.reportConflicts(of: note.head, outcome) {
            try await options.withClient { try await $0.note(.id(note.head.id)) }
        }
        throw ExitCode(ExitStatus.inConflict.rawValue)
    }
}

extension RevisionSummary {
    /// The change in a phrase: dot, writer and local time.
    var described: String {
        let time = Clock.local(time)
        return "\(dot), written by \(SafeText.line(author.forPeople)) on \(time.day) at \(time.clock)"
    }
}
