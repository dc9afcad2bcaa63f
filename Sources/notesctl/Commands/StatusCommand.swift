import ArgumentParser
import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

struct StatusCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the daemon's status.",
        discussion: """
            Examples:
              notesctl status
              notesctl status --json | jq .notes
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        try await options.withClient { client in
            let status = try await client.status()
            if options.isForPrograms {
                return try options.emit(status.json)
            }
            let socket = try options.socketPath()
            let now = Clock.now()
            try Output.lines(StatusTable(socket: socket, now: now, local: Clock.local, style: Terminal.style).lines(status))
        }
    }
}
