import ArgumentParser
import NotesClient
import NotesModel
import NotesWire

struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Tell how the daemon is configured.",
        subcommands: [Show.self])

    struct Show: NotesCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Tell the settings that hold in the running daemon.",
            discussion: """
                Examples:
                  notesctl config show
                  notesctl config show --origin
                  notesctl config show --origin limits.

                As a configuration file has them. Needs the right to administer the daemon.
                """)

        @OptionGroup var options: GlobalOptions

        @Flag(help: "Say where each was said: in a file, the environment, an option, or nowhere.")
        var origin = false

        @Argument(help: "Only those whose keys begin so.")
        var prefix: String?

        func perform() async throws {
            try await options.withClient { client in
                var config = try await client.config()
                if let prefix { config.settings.removeAll { !$0.key.description.hasPrefix(prefix) } }
                if options.isForPrograms {
                    for setting in config.settings { try options.emit(setting.json) }
                    return
                }
                try Output.lines(SettingTable(hasOrigins: origin, style: Terminal.style).lines(config.settings))
            }
        }
    }
}
