import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON
import Suggestions

struct OperationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "op",
        abstract: "List what your last commands wrote, and undo what a command or an author wrote.",
        discussion: """
            Examples:
              notesctl op
              notesctl op undo
              notesctl op undo lk2m9x4c1d
              notesctl op undo --by laptop/mcp
              notesctl op redo

            `op undo` undoes a whole command, even one that wrote many notes, such as `import` or \
            `rm`. notesctl records each of your commands that wrote something, without any text, in \
            $XDG_STATE_HOME/notesctl/operations (default: ~/.local/state/notesctl/operations). It \
            does not record writes by other programs; `log --by` shows those, and `op undo --by` undoes \
            them.
            """,
        subcommands: [OperationLogCommand.self, OperationUndoCommand.self, OperationRedoCommand.self],
        defaultSubcommand: OperationLogCommand.self)
}

struct OperationLogCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List what your last commands wrote, newest first.",
        discussion: """
            Examples:
              notesctl op
              notesctl op log -n 5
              notesctl op log --json=op,command

            Prints one line per command: its id, the time, the command, and the notes it wrote.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(name: [.customShort("n"), .customLong("limit")], help: ArgumentHelp("Show at most this many.", valueName: "count"))
    var limit = 20

    func validate() throws {
        if limit < 1 { throw ValidationError("-n must be at least 1.") }
    }

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            let entries = OperationLog.entries(store: try await client.store())
            let undone = OperationLog.undone(entries)
            for entry in entries.prefix(limit) {
                if options.isForPrograms {
                    try options.emit(Self.json(entry))
                } else {
                    let labels = try await Self.labels(entry, client)
                    let mark =
                        undone.wholly.contains(entry.operation)
                        ? "undone" : undone.partly.contains(entry.operation) ? "undone in part" : ""
                    try Output.line(Self.line(entry, labels, mark))
                }
            }
            if entries.isEmpty && Terminal.isOutput { Output.note("none of your commands has written to this store yet") }
        }
    }

    /// Maximum number of notes named on one line.
    private static let notesMax = 3

    /// Names of the first notes that a command wrote; the end of the id for a note that the store does
    /// not have.
    private static func labels(_ entry: OperationLog.Entry, _ client: any NotesAPI) async throws -> [String] {
        var labels: [String] = []
        for id in entry.notes.prefix(notesMax) {
            do {
                let head = try await DeletedNotes.named(try await client.note(.id(id)).head, client)
                labels.append(NoteLabel.of(head))
            } catch ClientError.refused {
                labels.append(ShortID.text(id))
            }
        }
        return labels
    }

    private static func line(_ entry: OperationLog.Entry, _ labels: [String], _ mark: String) -> String {
        let style = Terminal.style
        let time = Clock.local(entry.time)
        let more = entry.notes.count - labels.count
        let notes = labels.map { style.bold(SafeText.line($0)) }.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return [
            style.yellow(entry.operation), "\(time.day) \(time.clock)", DisplayWidth.fit(entry.command, columns: 7), notes,
            (entry.undoes ?? entry.author.map { "writes by \(SafeText.line($0))" }).map { style.dim("undid \($0)") } ?? "",
            mark.isEmpty ? "" : style.red(mark),
        ].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func json(_ entry: OperationLog.Entry) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("op", entry.operation)
            line.member("time", TimestampText.text(entry.time))
            line.member("command", entry.command)
            line.member("undoes", entry.undoes.map { ByteString($0) })
            line.member("author", entry.author.map { ByteString($0) })
            line.name("changes")
            line.array(of: entry.changes) { array, change in
                array.object { object in
                    object.member("note", change.note.description)
                    object.member("dot", change.dot.description)
                }
            }
        }
        return writer.bytes
    }
}
