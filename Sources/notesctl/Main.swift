import ArgumentParser
import NotesClient

@main
struct Notesctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notesctl",
        abstract: "Read and write the notes that notesd holds.",
        discussion: """
            NOTE is a note's id, its name, or the beginning of its id (four digits or more, as long as it is the only one). \
            A version is named by its dots, as `history` and `show --json` print them; a dot may be shortened.

            Many may write one note at once. Everything is written on a base, the version that its writer had seen, and the \
            daemon merges what others wrote since; nothing is overwritten that was not seen.

            Where two change the same place, both are in the note until somebody settles it: `conflicts` shows where, `resolve` \
            settles it.

            Exit codes: 0 done, 1 failed, 2 saved and in conflict with what others wrote, 64 wrong usage, 65 bad data, 66 no such \
            note, 69 no daemon, 77 not allowed.

            Examples:
              date | notesctl new diary/today
              notesctl edit diary/today
              notesctl filter diary/today -- sort -u
              notesctl watch --prefix diary/
            """,
        version: Program.version,
        subcommands: [
            New.self, List.self, Show.self, Save.self, FilterNote.self, Edit.self, Remove.self, History.self, Diff.self,
            Undo.self, Revert.self, Conflicts.self, Resolve.self, Log.self, Watch.self, Import.self, Export.self, Status.self,
            Audit.self, Backup.self, Metrics.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as Failure {
            Output.complain(error.message)
            exit(withError: ExitCode(error.code.rawValue))
        } catch let error as ClientError {
            let failure = Failure(error)
            Output.complain(failure.message)
            exit(withError: ExitCode(failure.code.rawValue))
        } catch {
            exit(withError: error)
        }
    }
}

enum Program {
    static let name = "notesctl"
    static let version = "0.1.0"
}
