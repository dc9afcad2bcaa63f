import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the daemon's configuration.",
        subcommands: [Show.self])

    struct Show: NotesCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the settings of the running daemon.",
            discussion: """
                Examples:
                  notesctl config show
                  notesctl config show --source
                  notesctl config show --source limits.

                Prints the settings in the format of the configuration file. Requires admin access \
                to the daemon.
                """)

        @OptionGroup var options: GlobalOptions

        @Flag(help: "Also show where each setting comes from: a file, the environment, an option, or the default.")
        var source = false

        @Argument(help: "Only settings whose key starts with this.")
        var prefix: String?

        func perform() async throws {
            try await options.withClient { client in
                var config = try await client.config()
                if let prefix { config.settings.removeAll { !$0.key.description.hasPrefix(prefix) } }
                if options.isForPrograms {
                    for setting in config.settings { try options.emit(setting.json) }
                    return
                }
                try Output.lines(SettingTable(hasSources: source, style: Terminal.style).lines(config.settings))
            }
        }
    }
}
