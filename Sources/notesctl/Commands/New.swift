import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct New: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a note.",
        discussion: """
            The text is read from FILE, or from standard input. The new note's id is printed.

            Examples:
              notesctl new work/inbox < draft.md
              notesctl new recipes/bread bread.md
              echo "Call Ada" | notesctl new
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note's name, such as work/inbox. Without it the note has none.")
    var name: String?

    @Argument(help: ArgumentHelp("Where the text is; - is standard input.", valueName: "file"))
    var file: String?

    func run() async throws {
        let text = try TextInput.read(file)
        let name = name.map { ByteString($0) }
        try await options.withClient { client in
            do {
                let note = try await client.create(text: text, name: name, id: client.noteID(at: Clock.now())).note
                if options.json { try Output.json(note.json) } else { try Output.line(note.head.id.description) }
            } catch {
                throw explained(error, "cannot make the note")
            }
        }
    }
}
