import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notes: id, when modified, size, name, title and tags.",
        discussion: """
            Ordered by name; notes without one come last. Ids are cut to what tells them apart.

            Examples:
              notesctl list --prefix work/
              notesctl list --tag todo
              notesctl list --json | jq -r .id
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only notes whose name begins so.")
    var prefix: String?

    @Option(name: .long, help: "Only notes with this tag, with or without its #.")
    var tag: String?

    @Flag(name: .long, help: "Only notes that are in conflict.")
    var conflicted = false

    @Flag(name: .long, help: "Deleted notes, and only those.")
    var deleted = false

    func run() async throws {
        let filter = Filter(
            prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName), conflicted: conflicted ? true : nil, deleted: deleted)
        try await options.withClient { client in
            let notes = try await client.listAll(filter)
            if options.json {
                for note in notes { try Output.json(note.json) }
            } else {
                let table = NoteTable(now: Clock.now(), local: Clock.local, columns: Terminal.columns, style: Terminal.style)
                let inConflict = Set(notes.filter { !$0.conflicts.isEmpty }.map(\.head.id))
                try Output.lines(table.lines(notes.map(\.head), inConflict: inConflict))
                if notes.isEmpty && Terminal.isOutput {
                    Output.complain(conflicted ? "no note is in conflict" : "no notes; `notesctl new NAME` makes one")
                }
            }
        }
    }
}

/// Tags are kept in lower case, without `#`.
func tagName(_ argument: String) -> ByteString {
    ByteString((argument.hasPrefix("#") ? String(argument.dropFirst()) : argument).lowercased())
}
