import ArgumentParser

/// All commands, in the order of the help, by what one wants to do.
enum CommandTable {
    struct Group {
        let name: String
        let commands: [(name: String, type: any ParsableCommand.Type)]
    }

    static let groups = [
        Group(
            name: "NOTE",
            commands: [
                ("new", New.self), ("list", List.self), ("search", Search.self), ("show", Show.self), ("edit", Edit.self),
                ("append", Append.self),
                ("save", Save.self), ("filter", FilterNote.self), ("mv", Move.self), ("rm", Remove.self), ("tags", Tags.self),
            ]),
        Group(
            name: "HISTORY",
            commands: [
                ("history", History.self), ("diff", Diff.self), ("log", Log.self), ("undo", Undo.self), ("revert", Revert.self),
                ("op", Operations.self),
            ]),
        Group(
            name: "SHARING",
            commands: [("watch", Watch.self), ("conflicts", Conflicts.self), ("resolve", Resolve.self)]),
        Group(name: "FILE", commands: [("import", Import.self), ("export", Export.self)]),
        Group(
            name: "DAEMON",
            commands: [
                ("status", Status.self), ("metrics", Metrics.self), ("audit", Audit.self), ("backup", Backup.self),
                ("config", Config.self), ("doctor", Doctor.self),
            ]),
    ]

    static var all: [(name: String, type: any ParsableCommand.Type)] { groups.flatMap(\.commands) }

    /// Not in the help: for those who build packages.
    private static let hidden: [any ParsableCommand.Type] = [Manual.self]

    /// What the parser has to know of: where the first word names a command, that one alone, since to ask each for its options
    /// takes as long as to run it.
    static func parsed(_ words: [String]) -> [CommandGroup] {
        if let first = words.first, let command = all.first(where: { $0.name == first }) {
            return [CommandGroup(name: "COMMANDS", subcommands: [command.type])]
        }
        return groups.map { CommandGroup(name: $0.name, subcommands: $0.commands.map(\.type)) }
            + [CommandGroup(name: "PACKAGING", subcommands: hidden)]
    }

    /// How many words say which command it is: two where the first has others below it.
    static func countOfName(in words: some Collection<String>) -> Int {
        guard let first = words.first, let command = all.first(where: { $0.name == first }),
            let second = words.dropFirst().first
        else { return min(1, words.count) }
        return command.type.configuration.subcommands.contains { $0._commandName == second } ? 2 : 1
    }

    /// Why the words name no command; nil where they do, or where the parser says it better.
    static func fault(in words: [String]) -> ExitFailure? {
        guard let first = words.first, !first.hasPrefix("-") else { return nil }
        let names = all.map(\.name)
        if first == "help" {
            guard let subject = words.dropFirst().first, !subject.hasPrefix("-") else { return nil }
            let subjects = names + HelpTopic.all.map(\.name)
            guard !subjects.contains(subject), subject != "help" else { return nil }
            let question = NearWords.question(subject, among: subjects)
            return ExitFailure(
                "there is no help topic \(SafeText.quoted(subject))\(question) see `notesctl help`", .usage)
        }
        guard !names.contains(first), !hidden.contains(where: { $0._commandName == first }) else { return nil }
        let question = NearWords.question(first, among: names + ["help"])
        return ExitFailure(
            "there is no command \(SafeText.quoted(first))\(question) `notesctl help` lists the commands", .usage
        )
    }
}

/// A command of notesctl: what it writes for programs can be chosen by fields.
protocol NotesCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }
    /// What `--json` and `--format` have fields of; several where the arguments decide.
    static var records: [Record] { get }
    /// Does what it says, on the thread of who calls it until it waits for something; `run` of the parser's would begin on another.
    func perform() async throws
}

extension NotesCommand {
    func run() async throws { try await perform() }
}
