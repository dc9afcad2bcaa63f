import ArgumentParser
import Causality
import Console
import Glibc
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct AppendCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Add to the end of a note.",
        discussion: """
            Examples:
              echo 'Call Ada' | notesctl append work/inbox
              notesctl append log/today --create < report.txt
              notesctl append work/inbox -t 'Call Ada'

            Reads the text from FILE, from standard input, or from -t. The text starts on a new \
            line and ends with a line feed. Your own concurrent `append` commands wait for each \
            other, so they never conflict. If others change the end of the note at the \
            same time, the note keeps both changes, and the exit code is 2.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Argument(help: "The file to read; - or none means standard input.", completion: .file())
    var file: String?

    // `.unconditional` accepts text that starts with a dash, such as a list item.
    @Option(name: .shortAndLong, parsing: .unconditional, help: "The text to add.")
    var text: String?

    @Flag(name: .long, help: "Create the note, under this name, if it does not exist.")
    var create = false

    func validate() throws {
        if text != nil && file != nil { throw ValidationError("Give either FILE or --text, not both.") }
    }

    func perform() async throws {
        if let file, file != "-", access(file, F_OK) != 0 {
            let command = "notesctl append \(Shell.quoted(note)) --text \(Shell.quoted(file))"
            throw ExitFailure(
                "cannot read \(SafeText.line(file)): \(SystemError.text(errno)); to add words, write \(SafeText.quoted(command))")
        }
        var added = try text.map { try TextInput.checked(Array($0.utf8), of: "--text") } ?? TextInput.read(file)
        guard !added.isEmpty else { return Output.note("nothing to add, so nothing was saved") }
        if added.last != UInt8(ascii: "\n") { added.append(UInt8(ascii: "\n")) }
        try await options.withClient { client in
            // One command at a time, so that each adds to the result of the previous one. The lock ends
            // with the process.
            let turn = FileLock.taken(by: "append")
            try await add(added, client)
            _ = consume turn
        }
    }

    /// Appends to an existing note, or to a new one with `--create`.
    private func add(_ added: [UInt8], _ client: any NotesAPI) async throws {
        let head: NoteObject
        if create {
            guard let found = try await NoteReference(note).noteIfAny(client) else { return try await make(added, client) }
            head = found
        } else {
            do {
                head = try await NoteReference(note).note(client)
            } catch let failure as ExitFailure where failure.code == .noNote {
                throw ExitFailure("\(failure.message); `notesctl append --create` creates it", .noNote)
            }
        }
        let old = head.text ?? []
        let isOpen = old.last.map { $0 != UInt8(ascii: "\n") } ?? false
        let text = old + LineEnds(of: old).adapted((isOpen ? [UInt8(ascii: "\n")] : []) + added)
        let outcome: OutcomeResult
        do {
            outcome = try await client.save(head.head.id, base: head.head.version, text: text)
        } catch {
            throw explained(error, "cannot add to \(SafeText.line(NoteLabel.of(head.head)))")
        }
        try await SaveReport(note: head.head, options: options).report(outcome) { try await client.note(.id(head.head.id)) }
    }

    /// Creates the note.
    ///
    /// - Parameter text: the whole text.
    private func make(_ text: [UInt8], _ client: any NotesAPI) async throws {
        do {
            let made = try await client.begin(text: text, name: ByteString(note), at: Clock.now()).note
            let outcome = OutcomeResult(
                outcome: .saved, dot: made.head.version.single, version: made.head.version, note: nil)
            if options.isForPrograms {
                try SaveReport.report(outcome, options)
            } else {
                try SaveReport.reportSaved(note, made.head.version)
            }
        } catch {
            throw explained(error, "cannot create \(SafeText.line(note))")
        }
    }
}
