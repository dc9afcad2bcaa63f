import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct SaveCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Write a note's whole text.",
        discussion: """
            Examples:
              v=$(notesctl show --json work/inbox | jq -r .version)
              notesctl save work/inbox --base "$v" inbox.md
              date | notesctl save clock --replace

            Name the version that the text is based on: --base VERSION (the daemon merges changes \
            by others since then), or --replace for the current version. Prints the new version \
            (nothing else, if the output is not a terminal), and reports a merge on standard error. \
            Restores a deleted note; if NOTE is its last name, it gets that name again.

            If others changed the same place, the note keeps both texts, notesctl reports where the \
            conflict is and how to resolve it, and the exit code is 2. The text is saved in that \
            case too.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The file to read; - or none means standard input.", completion: .file())
    var file: String?

    @Option(name: .long, help: ArgumentHelp("The version that the text is based on.", valueName: "version"))
    var base: String?

    @Flag(name: .long, help: "Replace the current text.")
    var replace = false

    @Option(name: .long, help: "Also rename the note.")
    var name: String?

    func validate() throws {
        if (base == nil) == !replace {
            throw ValidationError(
                "Give the version that the text is based on: --base VERSION (see `notesctl history`), or --replace.")
        }
    }

    func perform() async throws {
        let text = try TextInput.read(file)
        try await options.withClient { client in
            let (current, lastName) = try await NoteReference(note).noteToRestore(client)
            var version = current.head.version
            if let base { version = try await VersionReference(text: base).version(of: current.head.id, client) }
            if let name { try await NameCheck.refuseBeginningOfID(name, of: current.head.id, client) }
            let name = (name.map { ByteString($0) } ?? lastName).map { NameRequest.set($0) } ?? .leave
            do {
                let outcome = try await client.save(SaveNote(id: current.head.id, base: version, text: text, name: name))
                try await SaveReport(note: current.head, options: options).report(outcome) {
                    try await client.note(.id(current.head.id))
                }
            } catch {
                throw explained(error, "cannot save \(SafeText.line(NoteLabel.of(current.head)))")
            }
        }
    }
}
