import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete notes.",
        discussion: """
            A deleted note keeps its history: `history` and `show --at` read it by its id, `save` restores it. What somebody \
            writes into a note while it is being deleted is not lost; the note stays then.

            Examples:
              notesctl rm work/old
              notesctl list --deleted
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The notes.")
    var notes: [String]

    func run() async throws {
        try await options.withClient { client in
            for reference in notes {
                let note = try await NoteReference(reference).note(client)
                let label = NoteLabel.of(note.head)
                do {
                    let outcome = try await client.delete(note.head.id, base: note.head.version)
                    if options.json {
                        var writer = JSONWriter()
                        outcome.write(to: &writer)
                        try Output.json(writer.bytes)
                    }
                    if outcome.note != nil && outcome.outcome != .saved {
                        Output.complain("\(SafeText.line(label)): somebody wrote in it meanwhile, so it stays")
                    } else if Terminal.isOutput && !options.json {
                        try Output.line("deleted \(SafeText.line(label)) (\(note.head.id))")
                    }
                } catch {
                    throw explained(error, "cannot delete \(SafeText.line(label))")
                }
            }
        }
    }
}
