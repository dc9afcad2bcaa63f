import ArgumentParser
import Console
import Glibc
import NoteTasks
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct ContextServer: NotesCommand {
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
        help: ArgumentHelp("Also offer the tool to rename or delete a note; can be repeated.", valueName: "rename|delete"))
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
        case rename, delete
    }

    func validate() throws {
        if readOnly && !allow.isEmpty { throw ValidationError("Give either --read-only or --allow, not both.") }
        if rate < 1 { throw ValidationError("--rate must be at least 1.") }
        if volume < 1 { throw ValidationError("--volume must be at least 1.") }
    }

    /// The tools that the options allow.
    private var tools: [ContextTool] {
        ContextTool.allCases.filter { tool in
            switch tool {
            case .renameNote: allow.contains(.rename)
            case .deleteNote: allow.contains(.delete)
            default: !readOnly || tool.definition.effect == .reads
            }
        }
    }

    func perform() async throws {
        var session = ContextSession(tools: tools)
        var link: ContextLink?
        let scope = ContextScope(prefix: prefix.map { ByteString($0) }, tag: tag.map(tagName))
        var framer = LineFramer(lineBytesMax: ContextProtocol.lineBytesMax)
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        func used(_ client: String) -> ContextLink {
            let used =
                link
                ?? ContextLink(
                    options, client: client, host: ContextLink.host, session: String(UInt64.random(in: .min ... .max), radix: 16),
                    budget: ContextBudget(changesPerMinute: rate, bytesMax: volume), isReadOnly: readOnly)
            link = used
            return used
        }
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ExitFailure("cannot read standard input: \(SystemError.text(errno))") }
            guard count > 0 else { return }
            framer.receive(Array(chunk[..<count]))
            while let event = framer.next() {
                switch session.receive(event) {
                case nil: continue
                case .respond(let line): try Output.write(line)
                case .run(let call):
                    let link = used(session.client)
                    if call.tool.definition.effect != .reads,
                        let refusal = link.writes.budget.refusal(ofBytes: call.arguments.source.count, at: Self.seconds)
                    {
                        try Output.write(ContextSession.response(to: call, .failure(refusal)))
                        continue
                    }
                    try Output.write(
                        ContextSession.response(to: call, await Self.result(of: call, over: link, scope)))
                case .fetch(let fetch): try Output.write(await Self.response(to: fetch, over: used(session.client), scope))
                }
            }
        }
    }

    /// Seconds of a monotonic clock.
    private static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    /// The result of a call. A failure is a result too, which the agent reads.
    private static func result(of call: ContextCall, over link: ContextLink, _ scope: ContextScope) async -> ToolResult {
        do {
            return try await link.with { try await ToolRunner(client: $0, writes: link.writes, scope: scope).run(call) }
        } catch {
            return .failure(ToolRunner.reason(error, of: call.tool))
        }
    }

    /// The response to a request for resources.
    private static func response(to fetch: ContextFetch, over link: ContextLink, _ scope: ContextScope) async -> [UInt8] {
        do {
            let body = try await link.with { try await ToolRunner(client: $0, writes: link.writes, scope: scope).fetch(fetch) }
            return ContextSession.response(to: fetch, body)
        } catch let fault as ContextFault {
            return ContextResponse.failure(fetch.id, fault)
        } catch {
            return ContextResponse.failure(fetch.id, ContextFault(.internalError, ToolRunner.reason(error, of: .readNote)))
        }
    }
}
