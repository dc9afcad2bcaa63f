import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct Remove: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete notes.",
        discussion: """
            Examples:
              notesctl rm work/old
              notesctl list --deleted

            A deleted note keeps its history. `undo` brings back a note that you deleted; give its last \
            name or its id. `history` and `show --at` read a deleted note by its id. If others change a note while it is being deleted, the change \
            is not lost: the note stays, in conflict, and the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The notes.", completion: NoteCompletion.notes)
    var notes: [String]

    func perform() async throws {
        var isInConflict = false
        try await options.withClient { client in
            for reference in notes {
                let note = try await NoteReference(reference).note(client).head
                do {
                    let outcome = try await client.delete(note.id, base: note.version)
                    try await report(outcome, of: note, client)
                    if outcome.outcome == .conflicted { isInConflict = true }
                } catch {
                    throw explained(error, "cannot delete \(SafeText.line(NoteLabel.of(note)))")
                }
            }
        }
        if isInConflict { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }

    /// Prints the outcome of one deletion.
    private func report(_ outcome: OutcomeResult, of note: Head, _ client: any NotesAPI) async throws {
        let label = SafeText.line(NoteLabel.of(note))
        if options.isForPrograms { try SaveReport.report(outcome, options) }
        if outcome.note != nil && outcome.outcome != .saved {
            Output.note("\(label): not deleted, because it was changed meanwhile")
            guard outcome.outcome == .conflicted else { return }
            try await SaveReport.reportConflicts(of: note, outcome) { try await client.note(.id(note.id)) }
        } else if Terminal.isOutput && !options.isForPrograms {
            try Output.line("deleted \(label) (\(note.id)); `notesctl undo \(NoteLabel.reference(note))` brings it back")
        }
    }
}
