import ArgumentParser

/// The options of `notesd` without a subcommand.
struct Options: ParsableArguments {
    @Option(help: ArgumentHelp("The Unix socket that clients connect to.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The directory of the store. Created if it does not exist.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Override one setting; may be repeated.", valueName: "key=value"))
    var set: [String] = []

    @Flag(help: "Check the configuration, report the result, and exit.")
    var checkConfig = false
}

/// The command `notesd` itself. Provides `--help` and `--version`.
struct Notesd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notesd",
        abstract: "Store plain-text notes and let many programs write them at once.",
        usage: """
            notesd [--socket <path>] [--data <dir>] [--config <file>] [--set <key=value>] ... [--check-config]
            notesd restore <file> --data <dir> [--quick]
            notesd audit --data <dir> [--quick]
            """,
        discussion: """
            Without a subcommand, notesd runs the daemon in the foreground until SIGTERM or SIGINT. It then answers the requests \
            that it has taken, notifies its clients, and exits. SIGHUP reloads the configuration. If a service manager passes a \
            socket, the daemon listens on that socket and ignores the one in its configuration.

            Options override environment variables (NOTESD_SOCKET, NOTESD_DATA, NOTESD_LOG_LEVEL and so on). Those override \
            the configuration file, which overrides the files conf.d/*.toml in the same directory. Defaults:
              socket   $XDG_RUNTIME_DIR/notesd/notesd.sock
              data     $XDG_DATA_HOME/notesd, or $HOME/.local/share/notesd
              config   $XDG_CONFIG_HOME/notesd/notesd.toml, or $HOME/.config/notesd/notesd.toml, if it exists

            Exit codes: 0 stopped on request, 64 invalid usage, 65 a store that this version cannot serve, 73 the socket or the \
            data directory cannot be created, 74 the store failed, 75 another process has the store or the socket open, \
            78 invalid configuration.
            """,
        version: "notesd \(Program.version)", subcommands: [RestoreCommand.self, AuditCommand.self])

    @OptionGroup var options: Options
}

/// Facts about this program.
enum Program {
    /// Version that `--version`, hello and the metrics report.
    static let version = "0.1.0"
}
