import ArgumentParser

/// The command line.
struct Options: ParsableArguments {
    @Option(help: ArgumentHelp("The Unix socket that clients connect to.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The directory of the store. Made if it is not there.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("One setting of the configuration; may be repeated.", valueName: "key=value"))
    var set: [String] = []

    @Flag(help: "Read the configuration, say whether it is right, and end.")
    var checkConfig = false
}

/// `notesd`, for `--help` and `--version`.
struct Notesd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notesd",
        abstract: "Hold plain-text notes, and let many editors write them at once.",
        usage: """
            notesd [--socket <path>] [--data <dir>] [--config <file>] [--set <key=value>] ... [--check-config]
            notesd restore <file> --data <dir> [--quick]
            notesd verify --data <dir> [--quick]
            """,
        discussion: """
            Without a subcommand it serves: it runs in the foreground until SIGTERM or SIGINT, and then answers what it took, tells \
            its clients, and ends. SIGHUP has it read its configuration again. A socket that a service manager hands over is \
            served on, in place of its own.

            An option goes before the environment (NOTESD_SOCKET, NOTESD_DATA, NOTESD_LOG_LEVEL and so on), that before the \
            configuration file, that before conf.d/*.toml beside it, and all before the defaults:
              socket   $XDG_RUNTIME_DIR/notesd/notesd.sock
              data     $XDG_DATA_HOME/notesd, or $HOME/.local/share/notesd
              config   $XDG_CONFIG_HOME/notesd/notesd.toml, or $HOME/.config/notesd/notesd.toml, if it is there

            Exit codes: 0 stopped when asked to, 64 wrong usage, 65 not a store that this program can serve, 73 the socket or \
            the data directory cannot be made, 74 the store failed, 75 another daemon has the store or the socket, 78 wrong \
            configuration.
            """,
        version: "notesd \(Program.version)", subcommands: [Restore.self, Verify.self])

    @OptionGroup var options: Options
}

enum Program {
    static let version = "0.1.0"
}
