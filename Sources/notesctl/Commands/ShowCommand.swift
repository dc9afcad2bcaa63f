import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct ShowCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a note's text.",
        discussion: """
            Examples:
              notesctl show work/inbox
              notesctl show work/inbox --at 9f86d0:12
              notesctl show --rendered work/inbox
              notesctl show --json work/inbox | jq -r .version

            If the output is a file or a pipe, writes the text byte for byte. On a terminal, \
            escapes control characters. --rendered formats Markdown: headings, lists, quotes, code \
            and links, wrapped to the width of the terminal. Front matter stays as it is.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: "Show the note at this version; `history` lists versions.")
    var at: String?

    @Flag(name: .shortAndLong, help: "Format Markdown.")
    var rendered = false

    func perform() async throws {
        let shown = try await options.withClient { client in
            let shown = try await NoteReference(note).note(client, deleted: at != nil)
            guard let at else { return shown }
            let version = try await VersionReference(text: at).version(of: shown.head.id, client)
            return try await client.note(.id(shown.head.id), at: version)
        }
        if options.isForPrograms { return try options.emit(shown.json) }
        let text = shown.text ?? []
        if let file = shown.head.file, rendered || Terminal.isOutput {
            let label = SafeText.line(NoteLabel.of(shown.head))
            return try Output.line(
                "\(label): \(FileType.of(shown.head.name)), \(ByteCount.text(file.bytes)); "
                    + "`notesctl file get \(NoteLabel.reference(shown.head))` writes the bytes")
        }
        if rendered {
            options.page()
            let columns = Terminal.columns ?? Environment["COLUMNS"].flatMap { Int($0) } ?? RenderedText.columnsDefault
            try Output.lines(RenderedText(columns: columns, style: Terminal.style).lines(String(decoding: text, as: UTF8.self)))
        } else if Terminal.isOutput {
            options.page()
            let safe = SafeText.text(String(decoding: text, as: UTF8.self))
            try Output.write(Array(safe.utf8) + (text.isEmpty || text.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]))
        } else {
            return try Output.write(text)
        }
        guard Terminal.isOutput, !shown.conflicts.isEmpty, at == nil else { return }
        let places = shown.conflicts.map { ConflictReport.place($0, in: text) }.joined(separator: "; ")
        Output.note("in conflict: \(places); see `notesctl conflicts \(NoteLabel.reference(shown.head))`")
    }
}
