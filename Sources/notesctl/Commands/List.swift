import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct List: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notes: id, when modified, size, name, title and tags.",
        discussion: """
            Examples:
              notesctl list --prefix work/
              notesctl list --tag todo
              notesctl list --json | jq -r .id
              notesctl list --format '{name}' --tag todo

            Ordered by name; notes without one come last. On a terminal it is a table, in which ids are cut to what tells them \
            apart. Into a pipe: id, time in UTC, bytes, name, title, tags, and whether it is in conflict, with tabs \
            between.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only notes whose name begins so.", completion: NoteCompletion.names)
    var prefix: String?

    @Option(name: .long, help: "Only notes with this tag, with or without its #.", completion: NoteCompletion.tags)
    var tag: String?

    @Flag(name: .long, help: "Only notes that are in conflict.")
    var conflicted = false

    @Flag(name: .long, help: "Deleted notes, and only those.")
    var deleted = false

    func perform() async throws {
        let filter = Filter(
            prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName), conflicted: conflicted ? true : nil, deleted: deleted)
        options.page()
        var printer = try ListPrinter(options)
        try await options.withClient { client in
            try await client.eachPage(filter) { notes in
                try printer.print(notes)
                return true
            }
        }
        if printer.isEmpty && Terminal.isOutput && !options.isForPrograms {
            Output.note(conflicted ? "no note is in conflict" : "no notes; `notesctl new NAME` makes one")
        }
    }
}

/// Prints pages of notes as they come, so that a list of a million takes no more room than one of a thousand.
struct ListPrinter {
    private let options: GlobalOptions
    private let recordWriter: RecordWriter
    private var table = NoteTable(now: Clock.now(), local: Clock.local, columns: Terminal.columns, style: Terminal.style)
    private(set) var isEmpty = true

    init(_ options: GlobalOptions) throws {
        self.options = options
        recordWriter = try options.recordWriter()
    }

    mutating func print(_ notes: [NoteObject]) throws {
        if !notes.isEmpty { isEmpty = false }
        if options.isForPrograms {
            try Output.write(try notes.flatMap { try recordWriter.text(of: $0.json) })
        } else if Terminal.isOutput {
            let inConflict = Set(notes.filter { !$0.conflicts.isEmpty }.map(\.head.id))
            try Output.lines(table.lines(notes.map(\.head), inConflict: inConflict))
        } else {
            try Output.lines(notes.map(Self.line))
        }
    }

    /// For a pipe: what a table has, whole, with tabs between.
    static func line(_ note: NoteObject) -> String {
        let head = note.head
        return [
            head.id.description, TimestampText.text(head.modified), "\(head.bytes)", head.name?.description ?? "",
            SafeText.line(head.title.description), head.tags.map { "#\($0)" }.joined(separator: " "),
            note.conflicts.isEmpty ? "" : "in conflict",
        ].joined(separator: "\t")
    }
}

/// Tags are kept in lower case, without `#`.
func tagName(_ argument: String) -> ByteString {
    ByteString((argument.hasPrefix("#") ? String(argument.dropFirst()) : argument).lowercased())
}
