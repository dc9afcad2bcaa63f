import ArgumentParser
import NotesModel
import NotesWire

/// A man page in `mdoc`, made of what the parser knows of a command, so that help and page say the same.
struct ManualPage {
    let file: String
    let text: String

    /// notesctl(1), and one page a command: notesctl-list(1).
    static func all() throws -> [ManualPage] {
        let root = try CommandFacts.root()
        let shown = root.subcommands.filter { $0.isShown && $0.name != "help" }
        return [page(of: root)]
            + shown.flatMap { command in
                [page(of: command)] + command.subcommands.filter { $0.isShown && $0.name != "help" }.map(page)
            }
    }

    private static func page(of command: CommandFacts) -> ManualPage {
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
        if command.path.count == 1 {
            for topic in HelpTopic.all {
                page.section(topic.name.uppercased())
                page.verbatim(topic.text)
            }
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

/// What the parser knows of a command, by its own account.
struct CommandFacts {
    /// With the program's name before it.
    let path: [String]
    let abstract: String
    let discussion: String
    let isShown: Bool
    let arguments: [Argument]
    let subcommands: [CommandFacts]

    var name: String { path.last ?? "" }

    var shownArguments: [Argument] { arguments.filter(\.isShown) }

    struct Argument {
        let kind: String
        let isShown: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let value: String
        let abstract: String
        /// With their dashes.
        let names: [String]
    }

    static func root() throws -> CommandFacts {
        do throws(JSONFault) {
            let document = try JSONDocument(parsing: Array(Notesctl._dumpHelp().utf8), depthMax: WireProtocol.serverDepthMax)
            guard let command = document.root["command"] else { throw JSONFault(offset: 0, reason: .unexpectedEnd) }
            return CommandFacts(command, below: [])
        } catch {
            throw ExitFailure("the help cannot be taken apart: \(error)")
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

    /// The examples, and what else is said.
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

    /// As `mdoc` has it: options without their first dash, which `Fl` writes.
    var mdocNames: String {
        guard kind != "positional" else { return "Ar \(Mdoc.escaped(value))" }
        let flags = names.map { "Fl \(Mdoc.escaped(String($0.dropFirst())))" }.joined(separator: " , ")
        return kind == "option" ? "\(flags) Ar \(Mdoc.escaped(value))" : flags
    }
}

/// Writes `mdoc`, the language of man pages.
struct Mdoc {
    private(set) var text = ""

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

    mutating func verbatim(_ lines: String) {
        text += ".Bd -literal -offset indent\n"
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            text += line.isEmpty ? "\n" : Self.line(String(line))
        }
        text += ".Ed\n"
    }

    /// - Parameter items: what stands before each, in `mdoc`, and what is said of it.
    mutating func list(_ items: [(tag: String, prose: String)]) {
        text += ".Bl -tag -width Ds\n"
        for item in items {
            text += ".It \(item.tag)\n"
            prose(item.prose)
        }
        text += ".El\n"
    }

    mutating func synopsis(_ argument: CommandFacts.Argument) {
        let dots = argument.isRepeating ? " ..." : ""
        // The first name is enough here.
        let long = argument.names.first { $0.hasPrefix("--") } ?? argument.names.first
        let flag = long.map { "Fl \(Self.escaped(String($0.dropFirst())))" } ?? ""
        let value = "Ar \(Self.escaped(argument.value))"
        let words = argument.kind == "positional" ? value : argument.kind == "flag" ? flag : "\(flag) \(value)"
        text += (argument.isOptional ? ".Op \(words)" : ".\(words)") + dots + "\n"
    }

    /// Backslashes and hyphens that are to be typed as they stand.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }

    /// A line that is no request, whatever it begins with.
    private static func line(_ text: String) -> String {
        let safe = escaped(text)
        return (safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" : "") + safe + "\n"
    }

    /// As `Nd` wants it: without a full stop.
    static func sentenceStart(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
