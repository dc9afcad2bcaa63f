import ArgumentParser
import Console
import NoteText
import NotesModel
import NotesWire
import StrictJSON

/// A man page in `mdoc`, generated from the parser's description of a command, so that it agrees with
/// the help.
struct ManualPage {
    /// The file name, such as `notesctl-list.1`.
    let file: String
    let text: String

    /// All pages: notesctl(1), and one for each command and subcommand, such as notesctl-list(1).
    ///
    /// - Parameter topics: the help topics, which are a part of notesctl(1).
    static func all(_ root: CommandFacts, _ topics: [HelpTopic]) -> [ManualPage] {
        let shown = root.subcommands.filter { $0.isShown && $0.name != "help" }
        return [page(of: root, topics)]
            + shown.flatMap { command in
                [page(of: command)] + command.subcommands.filter { $0.isShown && $0.name != "help" }.map { page(of: $0) }
            }
    }

    private static func page(of command: CommandFacts, _ topics: [HelpTopic] = []) -> ManualPage {
        let title = command.path.joined(separator: "-")
        var page = Mdoc()
        page.macro("Dd", "November 21, 2026")
        page.macro("Dt", "\(title.uppercased()) 1")
        page.macro("Os", "notesd \(Program.version)")
        page.section("NAME")
        page.macro("Nm", title)
        page.macro("Nd", Mdoc.sentenceStart(command.abstract))
        page.section("SYNOPSIS")
        page.macro("Nm", command.path.joined(separator: " "))
        if !command.subcommands.filter(\.isShown).isEmpty { page.macro("Ar", "command") }
        for argument in command.shownArguments { page.synopsis(argument) }
        let (examples, rest) = command.parts
        page.section("DESCRIPTION")
        page.prose(command.abstract)
        page.paragraphs(rest)
        if !command.shownArguments.isEmpty {
            page.section("OPTIONS")
            page.list(command.shownArguments.map { ($0.mdocNames, $0.abstract) })
        }
        let below = command.subcommands.filter { $0.isShown && $0.name != "help" }
        if !below.isEmpty {
            page.section("COMMANDS")
            page.list(below.map { ("Xr \($0.path.joined(separator: "-")) 1", $0.abstract) })
        }
        for topic in topics {
            page.section(topic.name.uppercased())
            page.verbatim(topic.text)
        }
        if !examples.isEmpty {
            page.section("EXAMPLES")
            page.verbatim(examples)
        }
        page.section("SEE ALSO")
        page.macro("Xr", command.path.count == 1 ? "notesd 8" : "notesctl 1 ,")
        if command.path.count > 1 { page.macro("Xr", "notesd 8") }
        return ManualPage(file: "\(title).1", text: page.text)
    }
}

/// The parser's description of a command, from its JSON dump of the help.
struct CommandFacts {
    /// The words of the command, beginning with the program's name.
    let path: [String]
    let abstract: String
    let discussion: String
    let isShown: Bool
    let arguments: [Argument]
    let subcommands: [CommandFacts]

    var name: String { path.last ?? "" }

    /// The arguments that are not hidden.
    var shownArguments: [Argument] { arguments.filter(\.isShown) }

    /// An argument, option or flag.
    struct Argument {
        let kind: String
        let isShown: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let value: String
        let abstract: String
        /// The option names, with their dashes.
        let names: [String]
    }

    /// Reads the parser's dump of a command with all its subcommands.
    ///
    /// - Throws: `ExitFailure` if the dump cannot be parsed.
    init(dump: String) throws {
        do throws(JSONFault) {
            let document = try JSONDocument(parsing: Array(dump.utf8), depthMax: WireProtocol.serverDepthMax)
            guard let command = document.root["command"] else { throw JSONFault(offset: 0, reason: .unexpectedEnd) }
            self.init(command, below: [])
        } catch {
            throw ExitFailure("cannot parse the help: \(error)")
        }
    }

    private init(_ value: JSONValue, below: [String]) {
        func text(_ name: StaticString) -> String { value[name]?.string?.description ?? "" }
        path = below + [text("commandName")]
        abstract = text("abstract")
        discussion = text("discussion")
        isShown = value["shouldDisplay"]?.bool ?? true
        arguments = value["arguments"]?.elements.map(Argument.init) ?? []
        let path = path
        subcommands = value["subcommands"]?.elements.map { CommandFacts($0, below: path) } ?? []
    }

    /// The examples, and the other paragraphs, of the discussion.
    var parts: (examples: String, rest: [String]) {
        var paragraphs = discussion.split(separator: "\n\n").map(String.init)
        guard let first = paragraphs.first, first.hasPrefix("Examples:\n") else { return ("", paragraphs) }
        paragraphs.removeFirst()
        let lines = first.split(separator: "\n").dropFirst().map { $0.dropFirst(2) }
        return (lines.joined(separator: "\n"), paragraphs)
    }
}

extension CommandFacts.Argument {
    fileprivate init(_ value: JSONValue) {
        kind = value["kind"]?.string?.description ?? ""
        isShown = value["shouldDisplay"]?.bool ?? true
        isOptional = value["isOptional"]?.bool ?? true
        isRepeating = value["isRepeating"]?.bool ?? false
        self.value = value["valueName"]?.string?.description ?? ""
        abstract = value["abstract"]?.string?.description ?? ""
        names =
            value["names"]?.elements.map { name in
                (name["kind"]?.string == "short" ? "-" : "--") + (name["name"]?.string?.description ?? "")
            } ?? []
    }

    /// The names in `mdoc`, options without their first dash, which `Fl` adds.
    var mdocNames: String {
        guard kind != "positional" else { return "Ar \(Mdoc.escaped(value))" }
        let flags = names.map { "Fl \(Mdoc.escaped(String($0.dropFirst())))" }.joined(separator: " , ")
        return kind == "option" ? "\(flags) Ar \(Mdoc.escaped(value))" : flags
    }
}

/// Writes `mdoc`, the markup language of man pages.
struct Mdoc {
    /// The page so far.
    private(set) var text = ""

    /// Adds a macro with its arguments, which are escaped.
    mutating func macro(_ name: String, _ arguments: String) { text += ".\(name) \(Self.escaped(arguments))\n" }

    mutating func section(_ name: String) { text += ".Sh \(Self.escaped(name))\n" }

    mutating func prose(_ prose: String) {
        for line in prose.split(separator: "\n") { text += Self.line(String(line)) }
    }

    mutating func paragraphs(_ paragraphs: [String]) {
        for paragraph in paragraphs {
            text += ".Pp\n"
            prose(paragraph)
        }
    }

    /// Adds lines that are shown as they are.
    mutating func verbatim(_ lines: String) {
        text += ".Bd -literal -offset indent\n"
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            text += line.isEmpty ? "\n" : Self.line(String(line))
        }
        text += ".Ed\n"
    }

    /// - Parameter items: the tag of each item, in `mdoc`, and its text.
    mutating func list(_ items: [(tag: String, prose: String)]) {
        text += ".Bl -tag -width Ds\n"
        for item in items {
            text += ".It \(item.tag)\n"
            prose(item.prose)
        }
        text += ".El\n"
    }

    /// Adds one argument to the synopsis.
    mutating func synopsis(_ argument: CommandFacts.Argument) {
        let dots = argument.isRepeating ? " ..." : ""
        // The synopsis needs one name only: the first long one, if there is one.
        let long = argument.names.first { $0.hasPrefix("--") } ?? argument.names.first
        let flag = long.map { "Fl \(Self.escaped(String($0.dropFirst())))" } ?? ""
        let value = "Ar \(Self.escaped(argument.value))"
        let words = argument.kind == "positional" ? value : argument.kind == "flag" ? flag : "\(flag) \(value)"
        text += (argument.isOptional ? ".Op \(words)" : ".\(words)") + dots + "\n"
    }

    /// Escapes backslashes and hyphens, so that they can be copied and typed as shown.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }

    /// A line of text, escaped so that `mdoc` does not take it for a macro.
    private static func line(_ text: String) -> String {
        let safe = escaped(text)
        return (safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" : "") + safe + "\n"
    }

    /// A sentence without its full stop, as `Nd` requires.
    static func sentenceStart(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
