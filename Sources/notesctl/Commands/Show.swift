import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a note's text.",
        discussion: """
            Into a file or a pipe the text goes byte for byte. On a terminal, control characters in it are shown, not sent.

            Examples:
              notesctl show work/inbox
              notesctl show work/inbox --at 9f86d0:12
              notesctl show --json work/inbox | jq -r .version
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note.")
    var note: String

    @Option(name: .long, help: "As it was at this version; `history` lists them.")
    var at: String?

    func run() async throws {
        try await options.withClient { client in
            var shown = try await NoteReference(note).note(client, deleted: at != nil)
            if let at {
                let version = try await VersionReference(text: at).version(of: shown.head.id, client)
                shown = try await client.note(.id(shown.head.id), at: version)
            }
            if options.json { return try Output.json(shown.json) }
            let text = shown.text ?? []
            guard Terminal.isOutput else { return try Output.write(text) }
            let safe = SafeText.text(String(decoding: text, as: UTF8.self))
            try Output.write(Array(safe.utf8) + (text.isEmpty || text.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]))
            guard !shown.conflicts.isEmpty, at == nil else { return }
            let places = shown.conflicts.map { ConflictReport.place($0, in: text) }.joined(separator: "; ")
            Output.complain("in conflict: \(places); see `notesctl conflicts \(NoteLabel.reference(shown.head))`")
        }
    }
}
