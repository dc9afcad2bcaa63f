import ArgumentParser
import Console
import NoteTasks
import NotesClient

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

extension CommandFacts {
    /// The root command with all subcommands.
    ///
    /// - Throws: `ExitFailure` if the parser's dump of them cannot be read.
    static func root() throws -> CommandFacts { try CommandFacts(dump: Notesctl._dumpHelp()) }
}
