import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct ListCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notes: name, time of the last change, size, id, title and tags.",
        discussion: """
            Examples:
              notesctl list --prefix work/
              notesctl list --sort modified --limit 10
              notesctl list --since yesterday
              notesctl list --json | jq -r .id
              notesctl list --format '{name}' --tag todo

            Sorted by name; notes without a name come last. --sort modified begins with the note \
            that this store changed last, whatever its time says; created, with the newest note; \
            size, with the largest. Deleted notes are listed with their last names and titles. \
            --since compares the times that the list shows, and takes an age (`30min`, `12h`, `3d`, \
            `2w`), `today`, `yesterday`, a day (2026-11-25), or a day and a time (2026-11-25T14:00). An \
            imported note shows the time of its file.

            On a terminal, prints a table in which ids are cut to their last digits, which other \
            commands accept. Otherwise, prints tab-separated fields: id, time in UTC, bytes, name, \
            title, tags, and whether the note is in conflict.
            """)

    /// The orders of `--sort`.
    enum Order: String, ExpressibleByArgument, CaseIterable {
        case name
        case modified
        case created
        case size
    }

    /// The kinds of `--kind`.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case text
        case file
        case any
    }

    @OptionGroup var options: GlobalOptions

    @Option(name: .long, help: "Only notes whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    @Option(
        name: .long, help: "Only notes with this tag, given with or without #; `notesctl search 'tag:TAG/*'` finds nested ones.",
        completion: NoteCompletion.tags)
    var tag: String?

    @Flag(name: .long, help: "Only notes that are in conflict.")
    var conflicted = false

    @Option(name: .long, help: "Kind of the notes: text, file or any.")
    var kind = Kind.text

    @Flag(name: .long, help: "Only deleted notes.")
    var deleted = false

    @Option(name: .long, help: "Order of the notes: name, modified, created or size.")
    var sort = Order.name

    @Option(name: [.customShort("n"), .customLong("limit")], help: ArgumentHelp("Show at most this many.", valueName: "count"))
    var limit: Int?

    @Option(name: .long, help: "Only notes changed since this time.")
    var since: String?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        _ = try TimeReference.since(since)
    }

    func perform() async throws {
        options.page()
        var printer = try ListPrinter(options)
        let since = try TimeReference.since(since)
        var hint: String?
        try await options.withClient { client in
            switch (sort, since) {
            case (.name, nil) where !deleted:
                try await printPages(client, &printer)
            case (.modified, _):
                try printer.print(
                    try await DeletedNotes.named(try await newest(client, since: since, limit: limit ?? .max), client))
            case (.name, _), (.created, _), (.size, _):
                let found =
                    since == nil ? try await client.listAll(filter) : try await newest(client, since: since, limit: .max)
                let named = try await DeletedNotes.named(found, client)
                try printer.print(Array(named.sorted(by: precedes).prefix(limit ?? .max)))
            }
            if printer.isEmpty, let tag, !options.isForPrograms {
                hint = NestedTags.hint(tagName(tag), among: try await client.tags(startingWith: tagName(tag)))
            }
        }
        if let hint {
            Output.note(hint)
        } else if printer.isEmpty && Terminal.isOutput && !options.isForPrograms {
            Output.note(Self.emptiness(prefix: prefix, tag: tag, conflicted: conflicted, deleted: deleted, since: self.since))
        }
    }

    private var filter: Filter {
        Filter(
            prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName), conflicted: conflicted ? true : nil, deleted: deleted,
            kind: NoteKind(rawValue: kind.rawValue))
    }

    /// Prints the notes by name, page by page.
    private func printPages(_ client: any NotesAPI, _ printer: inout ListPrinter) async throws {
        var rest = limit ?? .max
        try await client.eachPage(filter, limit: min(rest, WireProtocol.listLimits.upperBound)) { notes in
            let shown = Array(notes.prefix(rest))
            try printer.print(shown)
            rest -= shown.count
            return rest > 0
        }
    }

    /// The notes in the order of their newest commits, newest first.
    ///
    /// A note may show the time of a file, so the order says nothing about the times. With `since`, the
    /// function reads all notes, unless it finds enough of them before.
    private func newest(_ client: any NotesAPI, since: Timestamp?, limit: Int) async throws -> [NoteObject] {
        var notes: [NoteObject] = []
        let size = min(since == nil ? limit : .max, WireProtocol.listLimits.upperBound)
        try await client.eachPage(filter, order: .newest, limit: size) { page in
            notes += page.filter { note in since.map { note.head.modified >= $0 } ?? true }
            return notes.count < limit
        }
        return Array(notes.prefix(limit))
    }

    /// Whether a note comes before another in the order that the user asked for.
    private func precedes(_ left: NoteObject, _ right: NoteObject) -> Bool {
        let (one, other) = (left.head, right.head)
        switch sort {
        case .created where one.created != other.created: return one.created.milliseconds > other.created.milliseconds
        case .size where one.bytes != other.bytes: return one.bytes > other.bytes
        case .name, .modified, .created, .size:
            guard one.name != other.name else { return one.id < other.id }
            return (one.name?.bytes.utf8 ?? [0xFF]).lexicographicallyPrecedes(other.name?.bytes.utf8 ?? [0xFF])
        }
    }

    /// What an empty list means: names each condition, so that nobody takes it for an empty store.
    static func emptiness(prefix: String?, tag: String?, conflicted: Bool, deleted: Bool, since: String? = nil) -> String {
        let conditions = [
            prefix.map { "has a name that starts with \(SafeText.quoted($0))" },
            tag.map { "has the tag \(SafeText.quoted("#\(tagName($0))"))" }, conflicted ? "is in conflict" : nil,
            deleted ? "is deleted" : nil, since.map { "has changed since \(SafeText.quoted($0))" },
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

    /// Prints one page. On a terminal, the first page begins with a heading.
    mutating func print(_ notes: [NoteObject]) throws {
        if options.isForPrograms {
            try Output.write(try notes.flatMap { try recordWriter.text(of: $0.json) })
        } else if Terminal.isOutput {
            let inConflict = Set(notes.filter { !$0.conflicts.isEmpty }.map(\.head.id))
            try Output.lines(table.lines(notes.map(\.head), inConflict: inConflict, hasHeading: isEmpty))
        } else {
            try Output.lines(notes.map(Self.line))
        }
        if !notes.isEmpty { isEmpty = false }
    }

    /// The tab-separated line for a pipe: the columns of the table, none of them cut.
    static func line(_ note: NoteObject) -> String {
        let head = note.head
        return [
            head.id.description, TimestampText.text(head.modified), "\(head.file?.bytes ?? head.bytes)",
            head.name?.description ?? "", head.file == nil ? SafeText.line(head.title.description) : FileType.of(head.name),
            head.tags.map { "#\($0)" }.joined(separator: " "),
            note.conflicts.isEmpty ? "" : "in conflict",
        ].joined(separator: "\t")
    }
}

/// The tag as the daemon stores it: in lower case, without `#`.
func tagName(_ argument: String) -> ByteString {
    ByteString((argument.hasPrefix("#") ? String(argument.dropFirst()) : argument).lowercased())
}
