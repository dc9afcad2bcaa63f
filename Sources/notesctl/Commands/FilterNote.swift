import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct FilterNote: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Change a note's text with a command.",
        discussion: """
            Examples:
              notesctl filter work/inbox -- sort -u
              notesctl filter work/inbox -- sed 's/colour/color/g'
              notesctl filter work/inbox -- sh -c 'cat; date'

            The command reads the text from its standard input and writes the new text to its standard output. That is saved on \
            what was read, so others' changes meanwhile are merged (exit code 2 where they are in conflict). If the command \
            fails, nothing is saved.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Give the command after --, as in: notesctl filter work/inbox -- sort -u") }
    }

    func perform() async throws {
        let read = try await options.withClient { try await NoteReference(note).note($0) }
        let text = try filtered(read.text ?? [])
        // A new connection: the command may have taken its time.
        try await options.withClient { client in
            do {
                let outcome = try await client.save(read.head.id, base: read.head.version, text: text)
                try await SaveReport(note: read.head, options: options).tell(outcome) {
                    try await client.note(.id(read.head.id))
                }
            } catch {
                throw explained(error, "cannot save \(SafeText.line(NoteLabel.of(read.head)))")
            }
        }
    }

    /// Through files without a name, so that neither side waits for the other.
    private func filtered(_ text: [UInt8]) throws -> [UInt8] {
        let input = try PrivateDirectory.scratch()
        let output = try PrivateDirectory.scratch()
        let name = SafeText.line(command.first ?? "")
        do {
            try input.writeAll(text)
        } catch {
            throw ExitFailure("cannot hand the note to \(name): \(error.text); nothing was saved")
        }
        input.rewind()
        let end = try Child.run(command, input: input.number, output: output.number)
        guard end.isSuccess else { throw ExitFailure("\(name) \(end.text); nothing was saved") }
        output.rewind()
        let bytes: [UInt8]
        do { bytes = try output.readAll() } catch { throw ExitFailure("cannot read what \(name) wrote: \(error.text)") }
        return try TextInput.checked(bytes, of: "what \(name) wrote")
    }
}
