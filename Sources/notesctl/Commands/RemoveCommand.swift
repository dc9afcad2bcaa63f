import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct RemoveCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete notes.",
        discussion: """
            Examples:
              notesctl rm work/old
              notesctl rm --prefix work/2025/
              notesctl list --deleted

            A deleted note keeps its history. `undo` brings back a note that you deleted; give its last \
            name or its id. `history` and `show --at` read a deleted note. If others change a note \
            while it is being deleted, the change is not lost: the note stays, in conflict, and the \
            exit code is 2.

            --prefix deletes all notes whose names start with PREFIX, without asking, and reports their \
            number; `notesctl list --prefix` lists them first. End PREFIX with a slash to delete the \
            notes of a folder and no others. `notesctl op undo` brings all of them back.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The notes.", completion: NoteCompletion.notes)
    var notes: [String] = []

    @Option(name: .long, help: "Delete all notes whose names start with this.", completion: NoteCompletion.names)
    var prefix: String?

    func validate() throws {
        if notes.isEmpty == (prefix == nil) { throw ValidationError("Give either notes or --prefix PREFIX.") }
        if prefix == "" { throw ValidationError("--prefix must not be empty.") }
    }

    func perform() async throws {
        var isInConflict = false
        try await options.withClient { client in
            if let prefix {
                let heads = try await client.listAll(Filter(prefix: ByteString(prefix), kind: nil)).map(\.head)
                guard !heads.isEmpty else { throw Folder.isEmpty(prefix) }
                var deleted = 0
                defer {
                    if deleted > 0 {
                        let them = deleted == 1 ? "it" : "them"
                        Output.note("deleted \(counted(deleted, "note")); `notesctl op undo` brings \(them) back")
                    }
                }
                for head in heads {
                    let outcome = try await delete(head, client)
                    if outcome == .conflicted { isInConflict = true } else { deleted += 1 }
                }
                return
            }
            for reference in notes {
                let outcome = try await delete(try await found(reference, client), client)
                if outcome == .conflicted { isInConflict = true }
            }
        }
        if isInConflict { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }

    /// The note to delete.
    ///
    /// - Throws: `ExitFailure` if there is none, with the command that deletes a folder if the word is
    ///   one.
    private func found(_ reference: String, _ client: any NotesAPI) async throws -> Head {
        do {
            return try await NoteReference(reference).note(client).head
        } catch let failure as ExitFailure where failure.code == .noNote {
            let name = reference.hasSuffix("/") ? String(reference.dropLast()) : reference
            guard let count = try await Folder(name).count(client) else { throw failure }
            let command = "notesctl rm --prefix \(Shell.quoted(name + "/"))"
            throw ExitFailure(
                "there is no note \(SafeText.quoted(reference)), but a folder with \(counted(count, "note")); to delete all of "
                    + "them, write \(SafeText.quoted(command))", .noNote)
        }
    }

    /// Deletes one note, and prints the outcome.
    ///
    /// - Parameter note: the note as it was shown.
    func delete(_ note: Head, _ client: any NotesAPI) async throws -> Outcome.Kind {
        do {
            let outcome = try await client.delete(note.id, base: note.version)
            try await report(outcome, of: note, client)
            return outcome.outcome
        } catch {
            throw explained(error, "cannot delete \(SafeText.line(NoteLabel.of(note)))")
        }
    }

    /// Prints the outcome of one deletion.
    private func report(_ outcome: OutcomeResult, of note: Head, _ client: any NotesAPI) async throws {
        let label = SafeText.line(NoteLabel.of(note))
        if options.isForPrograms { try SaveReport.report(outcome, options) }
        if let merged = outcome.note, !merged.isDeleted, outcome.outcome != .saved {
            Output.note("\(label): not deleted, because it was changed meanwhile")
            guard outcome.outcome == .conflicted else { return }
            try await SaveReport.reportConflicts(of: note, outcome) { try await client.note(.id(note.id)) }
        } else if prefix == nil && Terminal.isOutput && !options.isForPrograms {
            try Output.line("deleted \(label) (\(note.id)); `notesctl undo \(NoteLabel.reference(note))` brings it back")
        }
    }
}
