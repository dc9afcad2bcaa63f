import Console
import Glibc
package import NoteTasks
import NotesWire
import StrictJSON

/// Runs a session over standard input and output: reads lines, runs the tools and writes the
/// responses.
package struct ContextDriver {
    private let options: GlobalOptions
    private let tools: [ContextTool]
    private let scope: ContextScope
    private let budget: ContextBudget
    private let isReadOnly: Bool
    /// The connection to the daemon; nil until a request needs it.
    private var link: ContextLink?

    /// - Parameters:
    ///   - tools: the tools that the session offers.
    ///   - scope: the notes that exist for the agent.
    ///   - budget: the amount that the agent may write.
    ///   - isReadOnly: whether each connection gives up the right to write.
    package init(
        _ options: GlobalOptions, tools: [ContextTool], scope: ContextScope, budget: ContextBudget, isReadOnly: Bool
    ) {
        self.options = options
        self.tools = tools
        self.scope = scope
        self.budget = budget
        self.isReadOnly = isReadOnly
    }

    /// Serves the client until the input ends.
    ///
    /// - Throws: `ExitFailure` if the input cannot be read, or the error of a failed write.
    package mutating func run() async throws {
        var session = ContextSession(tools: tools)
        var framer = LineFramer(lineBytesMax: ContextProtocol.lineBytesMax)
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
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
                case .run(let call): try Output.write(await response(to: call, from: session.client))
                case .fetch(let fetch): try Output.write(await response(to: fetch, from: session.client))
                }
            }
        }
    }

    /// The connection of the session, which the first request makes.
    private mutating func link(_ client: String) -> ContextLink {
        if let link { return link }
        let link = ContextLink(
            options, client: client, host: ClientLabel.host, session: String(UInt64.random(in: .min ... .max), radix: 16),
            budget: budget, isReadOnly: isReadOnly)
        self.link = link
        return link
    }

    /// Seconds of a monotonic clock.
    private static var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    /// The response to a call. A failure is a result too, which the agent reads.
    private mutating func response(to call: ContextCall, from client: String) async -> [UInt8] {
        let link = link(client)
        if call.tool.definition.effect != .reads,
            let refusal = link.writes.budget.refusal(ofBytes: call.arguments.source.count, at: Self.seconds)
        {
            return ContextSession.response(to: call, .failure(refusal))
        }
        do {
            let result = try await link.with { try await ToolRunner(client: $0, writes: link.writes, scope: scope).run(call) }
            return ContextSession.response(to: call, result)
        } catch {
            return ContextSession.response(to: call, .failure(ToolRunner.reason(error, of: call.tool)))
        }
    }

    /// The response to a request for resources.
    private mutating func response(to fetch: ContextFetch, from client: String) async -> [UInt8] {
        let link = link(client)
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
