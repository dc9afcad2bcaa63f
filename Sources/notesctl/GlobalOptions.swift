import ArgumentParser
import NotesClient
import NotesModel

/// Options that every subcommand has.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The daemon's socket. Default: $NOTESD_SOCKET, else $XDG_RUNTIME_DIR/notesd/notesd.sock.", valueName: "path"))
    var socket: String?

    @Flag(name: .long, help: "Write JSON, one object a line, as the protocol has it.")
    var json = false

    func socketPath() throws -> String {
        if let socket { return socket }
        if let path = Environment["NOTESD_SOCKET"] { return path }
        guard let directory = Environment["XDG_RUNTIME_DIR"] else {
            throw Failure(
                "no socket is named, and XDG_RUNTIME_DIR is not set; use --socket PATH or NOTESD_SOCKET", .usage)
        }
        return directory + "/notesd/notesd.sock"
    }

    /// - Parameters:
    ///   - reconnecting: whether the client outlives its connection.
    ///   - label: what others see beside the changes that it makes.
    func connect(reconnecting: Backoff? = nil, label: String = Program.name) async throws -> NotesClient {
        var options = ClientOptions(
            socketPath: try socketPath(), name: ByteString(Program.name), version: ByteString(Program.version),
            label: ByteString(label))
        options.reconnecting = reconnecting
        return try await NotesClient.connect(options)
    }

    /// Runs with a connection that is closed at the end.
    func withClient<Result>(
        label: String = Program.name, _ body: (NotesClient) async throws -> Result
    ) async throws -> Result {
        let client = try await connect(label: label)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }
}
