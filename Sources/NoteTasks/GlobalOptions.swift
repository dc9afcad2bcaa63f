package import ArgumentParser
import Console
import Glibc
import NoteText
package import NotesClient

/// Options common to all subcommands.
package struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The daemon's socket. Default: $NOTESD_SOCKET; else $XDG_RUNTIME_DIR/notesd/notesd.sock, \
            or \(Self.systemSocket) if that does not exist; see `notesctl help environment`.
            """, valueName: "path"),
        completion: .file())
    package var socket: String?

    @Flag(
        name: .long,
        help: "Print JSON, one object per line. --json=FIELD,... prints only these fields.")
    package var json = false

    @Option(name: .long, help: .hidden)
    package var fields: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print this for each record, such as '{name}\\t{title}'; see `notesctl help formats`.", valueName: "template"),
        completion: .list([]))
    package var format: String?

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each record of --json and --format with a zero byte.")
    package var null = false

    @Flag(name: .long, help: "Do not start a pager.")
    var noPager = false

    package init() {}

    /// Socket of the system service, used if the user's own service has none.
    package static let systemSocket = "/run/notesd/notesd.sock"

    /// The values if no options are given. `init()` leaves the properties unset, and the parser traps
    /// if they are read.
    package static var plain: GlobalOptions {
        var options = GlobalOptions()
        (options.socket, options.fields, options.format) = (nil, nil, nil)
        (options.json, options.null, options.noPager) = (false, false, false)
        return options
    }

    /// The daemon's socket, from the option, the environment or the default.
    ///
    /// - Throws: `ExitFailure` if none is given and there is no default.
    package func socketPath() throws -> String {
        if let socket { return socket }
        if let path = Environment["NOTESD_SOCKET"] { return path }
        guard let path = Self.defaultSocket else {
            throw ExitFailure("\(Self.noSocket); use --socket PATH or NOTESD_SOCKET, or start the service", .usage)
        }
        return path
    }

    /// These options, with the socket in a peer's file unless the option or the environment names one.
    package func with(socketOf file: PeerFile) -> GlobalOptions {
        var options = self
        options.socket = socket ?? Environment["NOTESD_SOCKET"] ?? file.socket
        return options
    }

    /// The socket without options and variables that name one; nil if there is none.
    package static var defaultSocket: String? {
        defaultSocket(runtime: Environment["XDG_RUNTIME_DIR"], state: Environment.state, isThere: isThere)
    }

    /// Why there is no default socket.
    package static let noSocket =
        "no socket given: XDG_RUNTIME_DIR is not set, and neither ~/.local/state/notesd/notesd.sock nor \(systemSocket) exists"

    /// The default socket: the user's own, or the system's if only that exists. Without a runtime
    /// directory, as in a container, the user's own is the one that `make run` makes in the state
    /// directory.
    ///
    /// - Parameters:
    ///   - runtime: the user's runtime directory; nil if unknown.
    ///   - state: the user's state directory; nil if unknown.
    ///   - isThere: whether a file exists; for a socket in the state directory, whether nobody else
    ///     can have put it there.
    /// - Returns: nil if there is no runtime directory and no socket exists.
    static func defaultSocket(runtime: String?, state: String?, isThere: (_ path: String, _ isPrivate: Bool) -> Bool) -> String? {
        let own = runtime.map { $0 + socketName }
        if let own, isThere(own, false) { return own }
        if own == nil, let path = state.map({ $0 + socketName }), isThere(path, true) { return path }
        return isThere(systemSocket, false) ? systemSocket : own
    }

    /// The socket below a runtime or state directory.
    static let socketName = "/notesd/notesd.sock"

    /// Whether a file exists.
    ///
    /// - Parameter isPrivate: whether its directory must also belong to this user and be closed to all
    ///   others.
    private static func isThere(_ path: String, isPrivate: Bool) -> Bool {
        guard access(path, F_OK) == 0 else { return false }
        guard isPrivate else { return true }
        guard let folder = SystemFacts.file(SystemFacts.folder(of: path)) else { return false }
        return folder.owner == getuid() && folder.mode & 0o077 == 0
    }

    /// Opens a connection that concurrent calls can share and that can watch.
    ///
    /// - Parameters:
    ///   - reconnecting: how to reconnect after the connection is lost; nil to fail instead.
    ///   - label: the label of the connection, which others see with its changes.
    package func connect(reconnecting: Backoff? = nil, label: String = Program.name) async throws -> NotesClient {
        var options = try clientOptions(label)
        options.reconnecting = reconnecting
        return try await NotesClient.connect(options)
    }

    /// The options of a connection.
    ///
    /// - Throws: `ExitFailure` if there is no socket.
    package func clientOptions(_ label: String = Program.name) throws -> ClientOptions {
        ClientOptions(
            socketPath: try socketPath(), name: ByteString(Program.name), version: ByteString(Program.version),
            label: ByteString(label))
    }

    /// The options of the connections of an exchange with a peer, to this daemon and to the peer's.
    ///
    /// - Throws: `ExitFailure` if there is no socket.
    package func exchangeOptions(_ peer: String) throws -> ClientOptions {
        var options = try clientOptions("sync/\(peer)")
        options.silence = .exchange
        return options
    }

    /// Runs a closure with a connection for one call at a time, and closes the connection afterwards.
    /// Writes are recorded for `op`.
    ///
    /// - Parameters:
    ///   - undoing: the writes that the writes of the closure undo; nil for none.
    ///   - helloTimeout: longest wait for the response to hello; nil for the default.
    package func withClient<Result>(
        label: String = Program.name, undoing: UndoTarget? = nil, helloTimeout: Duration? = nil,
        _ body: (any NotesAPI) async throws -> Result
    ) async throws -> Result {
        var options = try clientOptions(label)
        if let helloTimeout { options.helloTimeout = helloTimeout }
        return try await Self.closing(try BlockingClient.connect(options), undoing, body)
    }

    /// Runs a closure with a connection for concurrent calls, and closes the connection afterwards.
    package func withPipeline<Result>(_ body: (any NotesAPI) async throws -> Result) async throws -> Result {
        try await Self.closing(try await connect(), nil, body)
    }

    private static func closing<Result>(
        _ connection: any NotesAPI, _ undoing: UndoTarget?, _ body: (any NotesAPI) async throws -> Result
    ) async throws -> Result {
        let client = Self.operationLog(undoing).map { RecordingClient(client: connection, log: $0) } ?? connection
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    /// The operation log of the running command, shared by all its connections; a separate one for an undo,
    /// and for each command of a full-screen program.
    private static func operationLog(_ undoing: UndoTarget?) -> OperationLog? {
        undoing.map { OperationLog.undoing($0) } ?? OperationLog.part ?? OperationLog.running
    }
}

/// The common options before the name of a command.
extension GlobalOptions {
    /// Number of leading words that are common options or their values.
    package static func countBeforeCommand(_ words: ArraySlice<String>) -> Int {
        var rest = words
        while let word = rest.first {
            let name = word.prefix { $0 != "=" }
            if ["--json", "--null", "-0", "--no-pager"].contains(name) {
                rest.removeFirst()
            } else if ["--socket", "--format"].contains(name) {
                rest = rest.dropFirst(name.count == word.count ? 2 : 1)
            } else {
                break
            }
        }
        return words.count - rest.count
    }

    /// The first word of the running command's name, such as `op`; empty if the command line names no command.
    fileprivate static var runningCommand: String {
        let words = CommandLine.arguments.dropFirst()
        return words.dropFirst(countBeforeCommand(words)).first ?? ""
    }
}

extension OperationLog {
    /// The log of the running command.
    package static let running = OperationLog(command: GlobalOptions.runningCommand)
}

/// Output for programs.
extension GlobalOptions {
    /// Whether the output is for a program rather than a person.
    package var isForPrograms: Bool { json || format != nil }

    /// The writer for `--json`, `--format` and `-0`.
    ///
    /// - Throws: `ExitFailure` for an invalid field or template.
    package func recordWriter() throws -> RecordWriter {
        var form = RecordWriter.Form.json
        if let fields { form = .fields(try FieldPath.list(fields)) }
        if let format { form = .template(try Template(format)) }
        return RecordWriter(form: form, terminator: null ? 0 : UInt8(ascii: "\n"), isForTerminal: Terminal.isOutput)
    }

    /// Prints one record.
    ///
    /// - Parameter json: a JSON object, on one line.
    package func emit(_ json: [UInt8]) throws {
        try Output.write(try recordWriter().text(of: json))
    }

    /// Starts a pager, which shows output only if it is longer than the screen.
    package func page() {
        if !isForPrograms && !noPager { Pager.start() }
    }
}

extension [String] {
    /// The elements without duplicates, in the order of their first occurrence.
    package var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
