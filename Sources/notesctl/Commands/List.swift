import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct List: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notes: id, time of the last change, size, name, title and tags.",
        discussion: """
            Examples:
              notesctl list --prefix work/
              notesctl list --tag todo
              notesctl list --json | jq -r .id
              notesctl list --format '{name}' --tag todo

            Sorted by name; notes without a name come last. On a terminal, prints a table in which \
            ids are cut to unique prefixes. Otherwise, prints tab-separated fields: id, time in \
            UTC, bytes, name, title, tags, and whether the note is in conflict.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only notes whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    @Option(name: .long, help: "Only notes with this tag, given with or without #.", completion: NoteCompletion.tags)
    var tag: String?

    @Flag(name: .long, help: "Only notes that are in conflict.")
    var conflicted = false

    @Flag(name: .long, help: "Only deleted notes.")
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
            Output.note(Self.emptiness(prefix: prefix, tag: tag, conflicted: conflicted, deleted: deleted))
        }
    }

    /// What an empty list means: names each condition, so that nobody takes it for an empty store.
    static func emptiness(prefix: String?, tag: String?, conflicted: Bool, deleted: Bool) -> String {
        let conditions = [
            prefix.map { "has a name that starts with \(SafeText.quoted($0))" },
            tag.map { "has the tag \(SafeText.quoted("#\(tagName($0))"))" }, conflicted ? "is in conflict" : nil,
            deleted ? "is deleted" : nil,
        ].compactMap { $0 }
        guard !conditions.isEmpty else { return "no notes; `notesctl new NAME` creates one" }
        return "no note " + conditions.joined(separator: " and ")
    }
}

/// Prints pages of notes as they arrive, so that memory use does not grow with the number of notes.
struct ListPrinter {
    private let options: GlobalOptions
    private let recordWriter: RecordWriter
    private var table = NoteTable(now: Clock.now(), local: Clock.local, columns: Terminal.columns, style: Terminal.style)
    /// Whether nothing was printed so far.
    private(set) var isEmpty = true

    init(_ options: GlobalOptions) throws {
        self.options = options
        recordWriter = try options.recordWriter()
    }

    /// Prints one page.
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

    /// The tab-separated line for a pipe: the columns of the table, none of them cut.
    static func line(_ note: NoteObject) -> String {
        let head = note.head
        return [
            head.id.description, TimestampText.text(head.modified), "\(head.bytes)", head.name?.description ?? "",
            SafeText.line(head.title.description), head.tags.map { "#\($0)" }.joined(separator: " "),
            note.conflicts.isEmpty ? "" : "in conflict",
        ].joined(separator: "\t")
    }
}

/// The tag as the daemon stores it: in lower case, without `#`.
func tagName(_ argument: String) -> ByteString {
    ByteString((argument.hasPrefix("#") ? String(argument.dropFirst()) : argument).lowercased())
}
