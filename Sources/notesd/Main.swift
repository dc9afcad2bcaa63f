import ArgumentParser
import Glibc
import Logging
import NotesServer

/// Entry point: parses the command line, runs the command, and reports a failure with its exit
/// code.
@main
enum Main {
    static func main() async {
        let environment = Environment.ofThisProcess()
        let log = DaemonLog(environment: environment, level: .info)
        do {
            switch try command() {
            case let command as AuditCommand: try command.carryOut()
            case let command as RestoreCommand: try command.carryOut()
            case let command as Notesd: try await run(command.options, environment, log)
            // A command of the parser itself, such as `help`.
            case var command: try Self.runParsers(&command)
            }
        } catch {
            if log.isJournal {
                log.logger.critical("\(error.message)", metadata: ["event": "failed", "exit-code": "\(error.code.rawValue)"])
            } else {
                Output.say("notesd: \(error.message)", to: STDERR_FILENO)
            }
            exit(error.code.rawValue)
        }
    }

    /// Parses the command line. Exits the process for `--help` and `--version`.
    private static func command() throws(ExitFailure) -> any ParsableCommand {
        // A subcommand is parsed separately: `Notesd` also has an option `--data` and would take
        // that of the subcommand.
        let arguments = Array(CommandLine.arguments.dropFirst())
        let asked = Notesd.configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        guard let asked else { return try parsed(Notesd.self, "notesd --help") { try Notesd.parseAsRoot(arguments) } }
        let name = "notesd \(asked.configuration.commandName ?? "") --help"
        return try parsed(asked, name) { try asked.parse(Array(arguments.dropFirst())) }
    }

    private static func parsed(
        _ command: any ParsableCommand.Type, _ help: String, _ parse: () throws -> any ParsableCommand
    ) throws(ExitFailure) -> any ParsableCommand {
        do {
            return try parse()
        } catch {
            guard command.exitCode(for: error) != .success else { command.exit(withError: error) }
            throw ExitFailure("\(command.message(for: error)); see `\(help)`", .usage)
        }
    }

    private static func run(_ options: Options, _ environment: Environment, _ log: DaemonLog) async throws(ExitFailure) {
        if options.checkConfig {
            try checkConfig(options, environment, log)
        } else {
            try await Daemon(options: options, environment: environment, log: log).run()
        }
    }

    private static func checkConfig(_ options: Options, _ environment: Environment, _ log: DaemonLog) throws(ExitFailure) {
        let resolution = try Resolution(options: options, environment: environment, reading: .files)
        _ = resolution.accessRules(PrincipalCache(), log.logger)
        let read = resolution.dropIns + [resolution.config].compactMap(\.self)
        let verdict =
            read.isEmpty
            ? "no configuration file; the defaults apply"
            : "\(read.joined(separator: ", ")) \(read.count == 1 ? "is" : "are") valid"
        Output.say(verdict, to: STDOUT_FILENO)
    }

    private static func runParsers(_ command: inout any ParsableCommand) throws(ExitFailure) {
        do { try command.run() } catch { Notesd.exit(withError: error) }
    }
}
