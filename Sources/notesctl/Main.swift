import ArgumentParser
import Console
import Dispatch
import Glibc
import NoteTasks
import NotesClient

@main
@MainActor
enum Main {
    /// Runs the command on the main thread.
    ///
    /// A command that sends one request starts and ends on this thread. An `async` main would start on
    /// another one, and creating threads takes a tenth of such a command's time. Tasks that wait for
    /// anything else continue on Dispatch's threads.
    static func main() {
        // Dispatch may not raise thread priorities for ordinary users, and would log that on every start.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        Task.immediate { @MainActor in
            await Notesctl.run()
            exit(0)
        }
        dispatchMain()
    }
}

/// The root command.
struct Notesctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notesctl",
        abstract: "Read and write notes through the notesd daemon.",
        discussion: """
            Examples:
              date | notesctl new diary/today
              notesctl edit diary/today
              notesctl list --tag todo
              notesctl filter diary/today -- sort -u
              notesctl undo diary/today
              notesctl watch --prefix diary/

            NOTE is a note's id, its name, or the start of its id, if at least four digits long \
            and unique. A dot, such as 9f86d0:12, names one revision. A version is one dot or \
            several, as `history` and `show --json` print them; dots can be shortened.

            Many clients can write a note at the same time. Every write has a base, the version \
            that its writer had seen, and the daemon merges the write with everything written \
            since. No write overwrites a change that its writer had not seen.

            If two writers change the same place, the note keeps both until the conflict is \
            resolved: `conflicts` shows where it is, `resolve` resolves it.

            More help: `notesctl help COMMAND`, and `notesctl help` with \(HelpTopic.list).
            """,
        version: Program.version,
        groupedSubcommands: CommandTable.parsed(Arguments.rewritten(Array(CommandLine.arguments.dropFirst()))))

    /// Runs the command that the arguments name, and exits if it fails.
    static func run() async {
        let words = Arguments.rewritten(Array(CommandLine.arguments.dropFirst()))
        do {
            if let topic = HelpTopic.requested(words) { return try Output.line(topic.text) }
            if let fault = CommandTable.fault(in: words) ?? UsageFault.cluster(in: words) { throw fault }
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
            end(with: error, words)
        }
    }

    /// Prints the message of an error, and exits with its code. Help is an error of the parser with
    /// the code 0.
    private static func end(with error: any Error, _ words: [String]) -> Never {
        var failure = error as? ExitFailure ?? (error as? ClientError).map { ExitFailure($0) }
        if failure == nil, exitCode(for: error) == .validationFailure {
            failure = UsageFault.rejected(words, message(for: error))
        }
        guard let failure else { exit(withError: error) }
        Output.note(failure.message)
        exit(withError: ExitCode(failure.code.rawValue))
    }
}
