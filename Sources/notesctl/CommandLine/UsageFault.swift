import ArgumentParser
import Console
import Suggestions

/// The errors that notesctl reports for a wrong command line. Each is one line that names the wrong
/// word and gives the correct form, as all other errors do.
enum UsageFault {
    /// The error for a word that the parser would take apart into single-letter options; nil if no
    /// word is of that form.
    ///
    /// The parser reads `-dash` as `-d -a -s -h`, prints the help for the `-h` in it, and exits
    /// with 0, so that a script believes that `rm -dash` deleted a note.
    static func cluster(in words: [String]) -> ExitFailure? {
        let own = words.prefix { $0 != "--" }
        guard let word = own.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }) else { return nil }
        return unknownOption(word, CommandUsage(words))
    }

    /// The error for a command line that the parser rejects.
    ///
    /// - Parameter message: the parser's message.
    static func rejected(_ words: [String], _ message: String) -> ExitFailure {
        let usage = CommandUsage(words)
        return option(in: words, usage) ?? extraWords(words, usage)
            ?? ExitFailure("\(sentence(message)); `\(usage.help)` shows the usage", .usage)
    }

    /// The error for the first word that begins with a dash and is neither an option of the command
    /// nor the value of one; nil if there is none.
    private static func option(in words: [String], _ usage: CommandUsage) -> ExitFailure? {
        var before: String?
        for word in words.prefix(while: { $0 != "--" }) {
            defer { before = word }
            let name = word.prefix { $0 != "=" }
            guard name.hasPrefix("-"), name != "-", usage.options[String(name)] == nil else { continue }
            guard let before, usage.options[before] == true else { return unknownOption(word, usage) }
            let form = before.hasPrefix("--") ? "; for one that begins with -, write \(SafeText.quoted("\(before)=\(word)"))" : ""
            return ExitFailure("\(SafeText.quoted(before)) needs a value\(form)", .usage)
        }
        return nil
    }

    private static func unknownOption(_ word: String, _ usage: CommandUsage) -> ExitFailure {
        let what = usage.command.map { "\(SafeText.quoted($0)) has no option" } ?? "there is no option"
        let name = String(word.prefix { $0 != "=" })
        let near = name.hasPrefix("--") ? Suggestions.of(name, among: usage.options.keys.filter { $0.hasPrefix("--") }) : []
        let corrected = "notesctl \(usage.command ?? "help") -- \(Shell.quoted(word))"
        let hint =
            if let nearest = near.first {
                "did you mean \(SafeText.quoted(nearest))?"
            } else if usage.takesNote {
                "to name a note that begins with -, write \(SafeText.quoted(corrected))"
            } else if usage.takesArguments {
                "to give an argument that begins with -, write \(SafeText.quoted(corrected))"
            } else {
                "`\(usage.help)` lists the options"
            }
        return ExitFailure("\(what) \(SafeText.quoted(word)); \(hint)", .usage)
    }

    /// The error for `append NOTE` with words of a text where a file belongs; nil for other lines.
    private static func extraWords(_ words: [String], _ usage: CommandUsage) -> ExitFailure? {
        guard usage.command == "append", words.dropFirst().allSatisfy({ !$0.hasPrefix("-") }), words.count > 3 else {
            return nil
        }
        let text = words.dropFirst(2).joined(separator: " ")
        let corrected = "notesctl append \(Shell.quoted(words[1])) --text \(Shell.quoted(text))"
        return ExitFailure("`append` reads only one file; to add words, write \(SafeText.quoted(corrected))", .usage)
    }

    /// The parser's message in the form of all other messages: it begins in lower case, has
    /// backquotes, and ends without a full stop.
    static func sentence(_ message: String) -> String {
        var text = SafeText.line(message.split(separator: "\n").joined(separator: " "))
        text = text.replacing(/'([^']*)'/) { "`\($0.output.1)`" }
        if text.hasSuffix(".") { text.removeLast() }
        guard let second = text.dropFirst().first, second.isLowercase else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// The options and arguments of the command that a command line names, from the parser's
/// description. Only errors need them: preparing the description takes as long as running a command.
struct CommandUsage {
    /// The full name, such as `op undo`; nil if the words name no command.
    let command: String?
    /// Each option, such as `-n` or `--limit`, and whether it takes a value.
    let options: [String: Bool]
    /// Names of the arguments that are not options, such as `note`.
    private let arguments: [String]

    init(_ words: [String]) {
        let isNamed = words.first.map { first in CommandTable.all.contains { $0.name == first } } ?? false
        let name = isNamed ? Array(words.prefix(CommandTable.countOfName(in: words))) : []
        command = isNamed ? name.joined(separator: " ") : nil
        let standard = CommandTable.all.first { $0.name == name.first }?.type.configuration.defaultSubcommand?._commandName
        var facts = try? CommandFacts.root()
        for part in name.count == 1 ? name + (standard.map { [$0] } ?? []) : name {
            facts = facts?.subcommands.first { $0.name == part } ?? facts
        }
        var options = ["-h": false, "--help": false, "--version": false]
        for argument in facts?.arguments ?? [] {
            for name in argument.names { options[name] = argument.kind == "option" }
        }
        self.options = options
        arguments = facts?.shownArguments.filter { $0.kind == "positional" }.map(\.value) ?? []
    }

    /// The command that prints the help.
    var help: String { command.map { "notesctl \($0) --help" } ?? "notesctl help" }

    /// Whether the command takes the name of a note.
    var takesNote: Bool { arguments.contains { ["note", "notes", "name"].contains($0) } }

    /// Whether the command takes any argument that is not an option.
    var takesArguments: Bool { !arguments.isEmpty }
}
