import ArgumentParser
import Console
import NoteTasks
import Suggestions

/// All commands, grouped by purpose, in the order of the help.
enum CommandTable {
    struct Group {
        let name: String
        let commands: [(name: String, type: any ParsableCommand.Type)]
    }

    static let groups = [
        Group(
            name: "NOTE",
            commands: [
                ("new", NewCommand.self), ("list", ListCommand.self), ("search", SearchCommand.self),
                ("browse", BrowseCommand.self),
                ("show", ShowCommand.self), ("edit", EditCommand.self),
                ("append", AppendCommand.self),
                ("save", SaveCommand.self), ("filter", FilterCommand.self), ("mv", MoveCommand.self), ("rm", RemoveCommand.self),
                ("tags", TagsCommand.self),
                ("links", LinksCommand.self), ("file", FileCommand.self),
            ]),
        Group(
            name: "HISTORY",
            commands: [
                ("history", HistoryCommand.self), ("diff", DiffCommand.self), ("log", LogCommand.self),
                ("undo", UndoCommand.self), ("redo", RedoCommand.self),
                ("revert", RevertCommand.self), ("purge", PurgeCommand.self), ("op", OperationsCommand.self),
            ]),
        Group(
            name: "SHARING",
            commands: [("watch", WatchCommand.self), ("conflicts", ConflictsCommand.self), ("resolve", ResolveCommand.self)]),
        Group(
            name: "FILE",
            commands: [("import", ImportCommand.self), ("export", ExportCommand.self), ("mirror", MirrorCommand.self)]),
        Group(
            name: "MACHINE",
            commands: [
                ("peer", PeerCommand.self), ("sync", SyncCommand.self), ("duplicates", DuplicatesCommand.self),
                ("held", HeldCommand.self), ("bridge", BridgeCommand.self),
            ]),
        Group(
            name: "PROGRAM",
            commands: [
                ("web", WebCommand.self), ("mcp", ContextServerCommand.self), ("attach", AttachCommand.self),
                ("lsp", LanguageServerCommand.self),
            ]),
        Group(
            name: "DAEMON",
            commands: [
                ("status", StatusCommand.self), ("metrics", MetricsCommand.self), ("audit", AuditCommand.self),
                ("backup", BackupCommand.self),
                ("config", ConfigCommand.self), ("doctor", DoctorCommand.self),
            ]),
    ]

    static var all: [(name: String, type: any ParsableCommand.Type)] { groups.flatMap(\.commands) }

    /// Commands that the help omits; they serve packagers.
    private static let hidden: [any ParsableCommand.Type] = [ManualCommand.self]

    /// The commands to declare to the parser. If the first word names a command, only that one:
    /// collecting the options of all commands takes as long as running one.
    static func parsed(_ words: [String]) -> [CommandGroup] {
        if let first = words.first, let command = all.first(where: { $0.name == first }) {
            return [CommandGroup(name: "COMMANDS", subcommands: [command.type])]
        }
        return groups.map { CommandGroup(name: $0.name, subcommands: $0.commands.map(\.type)) }
            + [CommandGroup(name: "PACKAGING", subcommands: hidden)]
    }

    /// Number of words that name the command: 2 for a subcommand such as `op undo`, otherwise 1.
    static func countOfName(in words: some Collection<String>) -> Int {
        guard let first = words.first, let command = all.first(where: { $0.name == first }),
            let second = words.dropFirst().first
        else { return min(1, words.count) }
        return command.type.configuration.subcommands.contains { $0._commandName == second } ? 2 : 1
    }

    /// The error to report if the words name no command or help topic. Nil if they do, or if the
    /// parser's own message is better.
    static func fault(in words: [String]) -> ExitFailure? {
        guard let first = words.first, !first.hasPrefix("-") else { return nil }
        let names = all.map(\.name)
        if first == "help" {
            guard let subject = words.dropFirst().first, !subject.hasPrefix("-") else { return nil }
            let subjects = names + HelpTopic.all.map(\.name)
            guard !subjects.contains(subject), subject != "help" else { return nil }
            let question = joint(subject, among: subjects)
            return ExitFailure(
                "there is no help topic \(SafeText.quoted(subject))\(question) see `notesctl help`", .usage)
        }
        guard !names.contains(first), !hidden.contains(where: { $0._commandName == first }) else { return nil }
        let question = joint(first, among: names + ["help"])
        return ExitFailure(
            "there is no command \(SafeText.quoted(first))\(question) `notesctl help` lists the commands", .usage
        )
    }
}

extension CommandTable {
    /// Names that other programs use for these commands.
    static let synonyms = [
        "ls": "list", "cat": "show", "delete": "rm", "remove": "rm", "rename": "mv", "move": "mv", "grep": "search",
        "find": "search", "restore": "undo", "add": "new", "create": "new", "blame": "history", "changes": "log",
    ]

    /// As `Suggestions.joint`, but names the command for which another program uses the word.
    fileprivate static func joint(_ word: String, among words: [String]) -> String {
        synonyms[word].map { "; did you mean \(SafeText.quoted($0))?" } ?? Suggestions.joint(word, among: words)
    }
}

extension CommandTable {
    /// Commands and subcommands that can be run, with their full names, such as `op undo`.
    static var leaves: [(name: String, type: any NotesCommand.Type)] {
        all.flatMap { command -> [(name: String, type: any NotesCommand.Type)] in
            let below = command.type.configuration.subcommands.compactMap { type in
                (type as? any NotesCommand.Type).map { ("\(command.name) \($0._commandName)", $0) }
            }
            return ((command.type as? any NotesCommand.Type).map { [(command.name, $0)] } ?? []) + below
        }
    }
}
