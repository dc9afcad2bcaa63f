import Agents
import ArgumentParser
import NoteTasks
import NoteText

struct ContextServerCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve notes to an agent over the Model Context Protocol.",
        discussion: """
            Examples:
              claude mcp add notes -- notesctl mcp
              codex mcp add notes -- notesctl mcp

            Agents start this program and speak the protocol over its standard input and output, so \
            a command line has little use for it. The agent can search, list, read, create and \
            change notes. It cannot overwrite what it has not seen: each change is based on the \
            version that it read, and the daemon merges it with everything written since. The \
            history shows the agent as HOST/mcp/CLIENT, and `notesctl op undo` takes back all that \
            one run of this program wrote.

            The program connects to the daemon at the first call, reconnects when the daemon was \
            away, and ends when its input ends.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(name: .long, help: "Offer no tools that change notes.")
    var readOnly = false

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Also offer the tool to rename or delete a note, or to keep a file; can be repeated.",
            valueName: "rename|delete|files"))
    var allow: [Permission] = []

    @Option(name: .long, help: "Only notes whose name starts with this exist for the agent.")
    var prefix: String?

    @Option(name: .long, help: "Only notes with this tag exist for the agent.", completion: NoteCompletion.tags)
    var tag: String?

    @Option(name: .long, help: ArgumentHelp("Changes that the agent may make in a minute.", valueName: "count"))
    var rate = 60

    @Option(name: .long, help: ArgumentHelp("Bytes that the agent may write in all.", valueName: "bytes"))
    var volume = 1_048_576

    /// A tool that the server offers only if the user allows it.
    enum Permission: String, ExpressibleByArgument, CaseIterable {
        case rename, delete, files
    }

    func validate() throws {
        if readOnly && !allow.isEmpty { throw ValidationError("Give either --read-only or --allow, not both.") }
        if rate < 1 { throw ValidationError("--rate must be at least 1.") }
        if volume < 1 { throw ValidationError("--volume must be at least 1.") }
    }

    func perform() async throws {
        var driver = ContextDriver(
            options,
            tools: ContextTool.offered(
                isReadOnly: readOnly, renames: allow.contains(.rename), deletes: allow.contains(.delete),
                createsFiles: allow.contains(.files)),
            scope: ContextScope(prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName)),
            budget: ContextBudget(changesPerMinute: rate, bytesMax: volume), isReadOnly: readOnly)
        try await driver.run()
    }
}
