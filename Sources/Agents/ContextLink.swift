import NoteTasks
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

/// The connection of one session to the daemon. The first call that needs it opens it, and a call
/// after a lost connection opens a new one.
final class ContextLink {
    private let options: GlobalOptions
    private let label: String
    private let isReadOnly: Bool
    /// The writes of this session.
    let writes: SessionWrites
    private var held: (any NotesAPI)?

    /// - Parameters:
    ///   - client: the name of the agent's program, which becomes part of the label.
    ///   - host: the name of this machine.
    ///   - session: random digits that distinguish this session from all others.
    ///   - budget: the amount that the agent may write.
    ///   - isReadOnly: whether each connection gives up the right to write.
    init(
        _ options: GlobalOptions, client: String, host: String, session: String, budget: ContextBudget, isReadOnly: Bool = false
    ) {
        (self.options, self.isReadOnly) = (options, isReadOnly)
        writes = SessionWrites(session: session, budget: budget)
        label = Self.label(client: client, host: host)
    }

    /// The label `HOST/mcp/CLIENT`, which the history shows.
    static func label(client: String, host: String) -> String {
        "\(host)/mcp/\(ClientLabel.name(client, unnamed: "agent"))"
    }

    /// Runs a closure with the connection.
    ///
    /// - Throws: what the closure throws, or `ClientError` if there is no connection.
    func with<Result>(_ body: (any NotesAPI) async throws -> Result) async throws -> Result {
        let client = try held ?? opened()
        held = client
        do {
            return try await body(client)
        } catch let error as ClientError {
            if case .refused = error { throw error }
            // The next call opens a new connection, perhaps to another run of the daemon.
            held = nil
            await client.close()
            throw error
        }
    }

    private func opened() throws -> any NotesAPI {
        var clientOptions = try options.clientOptions(label)
        if isReadOnly { clientOptions.limits = SessionLimits(access: .read) }
        let connection = try BlockingClient.connect(clientOptions)
        return OperationLog.running.map { RecordingClient(client: connection, log: $0) } ?? connection
    }
}
