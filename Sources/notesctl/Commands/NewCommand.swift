import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct NewCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a note.",
        discussion: """
            Examples:
              notesctl new work/inbox < draft.md
              notesctl new recipes/bread bread.md
              echo "Call Ada" | notesctl new
              notesctl new --editor diary/today
              notesctl new --template templates/meeting --editor work/meeting

            Reads the text from FILE or standard input; with --editor, you write it in $VISUAL, \
            $EDITOR or vi. Prints the new note's id.

            --template starts with the text of another note, and fills in {{name}}, {{title}} (the \
            last part of the name), {{date}}, {{time}} and {{user}}; it leaves other braces as they \
            are.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note's name, such as work/inbox. Default: none.", completion: NoteCompletion.names)
    var name: String?

    @Argument(help: ArgumentHelp("The file to read; - or none means standard input.", valueName: "file"), completion: .file())
    var file: String?

    @Flag(name: .shortAndLong, help: "Write the text in your editor.")
    var editor = false

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Start with this note's text.", valueName: "note"),
        completion: NoteCompletion.notes)
    var template: String?

    func validate() throws {
        if template != nil && file != nil { throw ValidationError("Give --template or FILE, not both.") }
    }

    func perform() async throws {
        if let name {
            do { _ = try NoteName(ByteString(name)) } catch { throw ExitFailure("\(SafeText.quoted(name)): \(error)", .badData) }
        }
        guard editor else { return try await make(of: try await begun()) }
        let begun = template == nil && file == nil ? [] : try await begun()
        let draft = try Draft(text: begun, name: name ?? "note")
        guard let text = try draft.worked(onBy: Draft.editor(draft.path)) else {
            return Output.note("nothing was written, so no note was created")
        }
        try await draft.keptUnless(saved: "cannot create the note") {
            try await make(of: try TextInput.checked(text, of: "your text"))
        }
    }

    /// The text from the template, the file or standard input.
    private func begun() async throws -> [UInt8] {
        guard let template else { return try TextInput.read(file) }
        return try await options.withClient { client in
            let note = try await NoteReference(template).note(client)
            let filled = NoteTemplate(name: name, now: Clock.local(Clock.now()), user: "\(await client.hello?.user.name ?? "")")
            return filled.text(of: note.text ?? [])
        }
    }

    /// Creates the note, and prints its id.
    private func make(of text: [UInt8]) async throws {
        try await options.withClient { client in
            if let name { try await NameCheck.refuseBeginningOfID(name, client) }
            do {
                let name = name.map { ByteString($0) }
                let note = try await client.begin(text: text, name: name, at: Clock.now()).note
                if options.isForPrograms { try options.emit(note.json) } else { try Output.line(note.head.id.description) }
            } catch {
                throw explained(error, "cannot create the note")
            }
        }
    }
}

/// Fills in the placeholders of a template.
struct NoteTemplate {
    /// The new note's name; nil for none.
    let name: String?
    let now: CalendarTime
    /// The user's name, as the daemon knows it.
    let user: String

    /// The value of a placeholder; nil if there is none of that name.
    private func value(of word: String) -> String? {
        switch word {
        case "name": name ?? ""
        case "title": name?.split(separator: "/").last.map(String.init) ?? ""
        case "date": now.day
        case "time": String(now.clock.prefix(5))
        case "user": user
        default: nil
        }
    }

    /// The template with its placeholders filled in. Unknown ones stay.
    func text(of template: [UInt8]) -> [UInt8] {
        let text = String(decoding: template, as: UTF8.self)
        let filled = text.replacing(/\{\{ *([a-z]+) *\}\}/) { match in
            value(of: String(match.output.1)) ?? String(match.output.0)
        }
        return Array(filled.utf8)
    }
}
