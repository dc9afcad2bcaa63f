import ArgumentParser
import Dispatch
import NotesClient

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@main
@MainActor
enum Main {
    /// A command that asks once begins and ends on this thread: a main of Swift's own kind, which is `async`, begins on another, and
    /// making threads takes a tenth of such a command's time. What waits for something else goes on on threads of Dispatch.
    static func main() {
        // It may not raise its threads' priority for ordinary users, and would say so in the system's log each time.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        Task.immediate { @MainActor in
            await Notesctl.run()
            exit(0)
        }
        dispatchMain()
    }
}

struct Notesctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notesctl",
        abstract: "Read and write the notes that notesd holds.",
        discussion: """
            Examples:
              date | notesctl new diary/today
              notesctl edit diary/today
              notesctl list --tag todo
              notesctl filter diary/today -- sort -u
              notesctl undo diary/today
              notesctl watch --prefix diary/

            NOTE is a note's id, its name, or the beginning of its id (four digits or more, as long as it is the only one). \
            A version is named by its dots, as `history` and `show --json` print them; a dot may be shortened.

            Many may write one note at once. Everything is written on a base, the version that its writer had seen, and the \
            daemon merges what others wrote since; nothing is overwritten that was not seen.

            Where two change the same place, both are in the note until somebody settles it: `conflicts` shows where, `resolve` \
            settles it.

            More help: `notesctl help COMMAND`, and `notesctl help` with \(HelpTopic.list).
            """,
        version: Program.version,
        groupedSubcommands: CommandTable.parsed(Arguments.rewritten(Array(CommandLine.arguments.dropFirst()))))

    static func run() async {
        let words = Arguments.rewritten(Array(CommandLine.arguments.dropFirst()))
        do {
            if let show = Show.plain(words) {
                try await show.perform()
                return Pager.finish()
            }
            if let topic = HelpTopic.asked(words) { return try Output.line(topic.text) }
            if let fault = CommandTable.fault(in: words) { throw fault }
            var command = try parseAsRoot(words)
            if let command = command as? any NotesCommand {
                try command.options.check(type(of: command))
                try await command.perform()
            } else if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            Pager.finish()
        } catch {
            Pager.finish()
            end(with: error)
        }
    }

    private static func end(with error: any Error) -> Never {
        guard let failure = error as? ExitFailure ?? (error as? ClientError).map({ ExitFailure($0) }) else { exit(withError: error) }
        Output.note(failure.message)
        exit(withError: ExitCode(failure.code.rawValue))
    }
}

enum Program {
    static let name = "notesctl"
    static let version = "0.1.0"
}
