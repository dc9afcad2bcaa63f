import ArgumentParser
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

struct FilterCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Change a note's text with a command.",
        discussion: """
            Examples:
              notesctl filter work/inbox -- sort -u
              notesctl filter work/inbox -- sed 's/colour/color/g'
              notesctl filter work/inbox -- sh -c 'cat; date'

            Runs the command with the note's text as its standard input, and writes what its standard \
            output changes. The write is based on the version that notesctl read, so the daemon merges \
            changes by others in the meantime, also within a line; if they conflict, the exit code is 2. \
            If the command fails, notesctl writes nothing.
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
        let old = read.text ?? []
        let text = try filtered(old)
        // A new connection, since the command may have run for a long time.
        try await options.withClient { client in
            do {
                let outcome = try await client.change(read.head.id, base: read.head.version, from: old, to: text)
                try await SaveReport(note: read.head, options: options).report(outcome) {
                    try await client.note(.id(read.head.id))
                }
            } catch {
                throw explained(error, "cannot save \(SafeText.line(NoteLabel.of(read.head)))")
            }
        }
    }

    /// The output of the command for the text as its input.
    ///
    /// Both go through unnamed files rather than pipes, so that neither process can block the other.
    ///
    /// - Throws: `ExitFailure` if the command fails or its output cannot be a note's text.
    private func filtered(_ text: [UInt8]) throws -> [UInt8] {
        let input = try PrivateDirectory.scratch()
        let output = try PrivateDirectory.scratch()
        let name = SafeText.line(command.first ?? "")
        do {
            try input.writeAll(text)
        } catch {
            throw ExitFailure("cannot pass the note to \(name): \(error.text); nothing was saved")
        }
        input.rewind()
        let end = try Child.run(command, input: input.number, output: output.number)
        guard end.isSuccess else { throw ExitFailure("\(name) \(end.text); nothing was saved") }
        output.rewind()
        let bytes: [UInt8]
        do { bytes = try output.readAll() } catch { throw ExitFailure("cannot read the output of \(name): \(error.text)") }
        return try TextInput.checked(bytes, of: "the output of \(name)")
    }
}
