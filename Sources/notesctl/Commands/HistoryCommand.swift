import ArgumentParser
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

struct HistoryCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List a note's revisions, newest first.",
        discussion: """
            Examples:
              notesctl history work/inbox
              notesctl history work/inbox --limit 5
              notesctl history --json work/inbox | jq -r .version

            Prints one line per revision: its dot (for `show --at` and `save --base`), the time, \
            the author (user and program), the size, and what it did. `merged` names the revisions \
            that it joined; `resolved a conflict` marks a write that named the conflict, and `in \
            conflict` a side of one that is open.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its last name or by its id.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: ArgumentHelp("Show at most this many.", valueName: "count"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            let now = try await NoteReference(note).note(client, deleted: true)
            let revisions = Revisions(client, now.head.id)
            if options.isForPrograms {
                try await revisions.eachPage(limit: limit) { page in
                    for revision in page.received.content { try options.emit(Array(revision)) }
                }
            } else {
                let shown = try await revisions.all(limit: limit)
                let table = HistoryTable(
                    local: Clock.local, columns: Terminal.columns, style: Terminal.style,
                    hidden: try await UndoEffects.older(than: shown, of: now.head.id, client),
                    sides: Set(now.conflicts.flatMap(\.sides).map(\.dot)))
                try Output.lines(table.lines(shown))
            }
        }
    }
}
