import ArgumentParser
import Causality
import NotesClient
import NotesModel
import NotesWire

struct Save: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Write a note's whole text.",
        discussion: """
            Examples:
              v=$(notesctl show --json work/inbox | jq -r .version)
              notesctl save work/inbox --base "$v" inbox.md
              date | notesctl save clock --replace

            Say what the text was written on: --base VERSION, the version that it began as (others' changes since then are \
            merged into it), or --replace, whatever the note shows now. The new version is printed (alone, into a pipe); a merge is told on standard \
            error. A deleted note is restored.

            Where others changed the same place, both are in the note, and it is told where and how to settle it; the exit \
            code is 2 then, and the text is saved all the same.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "Where the text is; - or nothing is standard input.", completion: .file())
    var file: String?

    @Option(name: .long, help: ArgumentHelp("The version that the text was written on.", valueName: "version"))
    var base: String?

    @Flag(name: .long, help: "Replace what the note shows now.")
    var replace = false

    @Option(name: .long, help: "Give the note this name too.")
    var name: String?

    func validate() throws {
        if (base == nil) == !replace {
            throw ValidationError(
                "Say what the text was written on: --base VERSION (see `notesctl history`), or --replace for what is there now.")
        }
    }

    func perform() async throws {
        let text = try TextInput.read(file)
        try await options.withClient { client in
            let current = try await NoteReference(note).note(client, deleted: true)
            var version = current.head.version
            if let base { version = try await VersionReference(text: base).version(of: current.head.id, client) }
            let name = name.map { NameRequest.set(ByteString($0)) } ?? .leave
            do {
                let outcome = try await client.save(SaveParams(id: current.head.id, base: version, text: text, name: name))
                try await SaveReport(note: current.head, options: options).tell(outcome) {
                    try await client.note(.id(current.head.id))
                }
            } catch {
                throw explained(error, "cannot save \(SafeText.line(NoteLabel.of(current.head)))")
            }
        }
    }
}
