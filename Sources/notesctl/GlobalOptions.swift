import ArgumentParser
import NotesClient
import NotesModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Options that every subcommand has.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The daemon's socket. Default: $NOTESD_SOCKET, else $XDG_RUNTIME_DIR/notesd/notesd.sock, else, where there is none, \
            \(Self.systemSocket).
            """, valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(
        name: .long,
        help: "Write JSON, one object a line, as the protocol has it; --json=FIELD,... only these fields of it.")
    var json = false

    @Option(name: .long, help: .hidden)
    var fields: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Write this for each, as '{name}\\t{title}'; see `notesctl help formats`.", valueName: "template"),
        completion: .list([]))
    var format: String?

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End what --json and --format write with a zero byte.")
    var null = false

    @Flag(name: .long, help: "Never start a pager.")
    var noPager = false

    /// Of the system's service, where a user has none of his own.
    static let systemSocket = "/run/notesd/notesd.sock"

    /// As where none is given.
    static var plain: GlobalOptions {
        var options = GlobalOptions()
        (options.socket, options.fields, options.format) = (nil, nil, nil)
        (options.json, options.null, options.noPager) = (false, false, false)
        return options
    }

    func socketPath() throws -> String {
        if let socket { return socket }
        if let path = Environment["NOTESD_SOCKET"] { return path }
        let own = Environment["XDG_RUNTIME_DIR"].map { $0 + "/notesd/notesd.sock" }
        guard let path = Self.defaultSocket(own: own, isThere: { access($0, F_OK) == 0 }) else {
            throw ExitFailure(
                "no socket is named, XDG_RUNTIME_DIR is not set, and there is no \(Self.systemSocket); use --socket PATH or "
                    + "NOTESD_SOCKET, or start the service: `notesctl doctor --socket PATH` says how", .usage)
        }
        return path
    }

    /// The user's own, unless there is none and there is the system's; nil where there can be no own one either.
    static func defaultSocket(own: String?, isThere: (String) -> Bool) -> String? {
        if let own, isThere(own) { return own }
        return isThere(systemSocket) ? systemSocket : own
    }

    /// A connection that many calls share at once, and that can watch.
    ///
    /// - Parameters:
    ///   - reconnecting: whether the client outlives its connection.
    ///   - label: what others see beside the changes that it makes.
    func connect(reconnecting: Backoff? = nil, label: String = Program.name) async throws -> NotesClient {
        var options = try clientOptions(label)
        options.reconnecting = reconnecting
        return try await NotesClient.connect(options)
    }

    func clientOptions(_ label: String = Program.name) throws -> ClientOptions {
        ClientOptions(
            socketPath: try socketPath(), name: ByteString(Program.name), version: ByteString(Program.version),
            label: ByteString(label))
    }

    /// Runs with a connection for one call after the other, which is closed at the end. What is written is noted down for `op`.
    ///
    /// - Parameter undoing: the command that is taken back.
    func withClient<Result>(
        label: String = Program.name, undoing: String? = nil, _ body: (any NotesAPI) async throws -> Result
    ) async throws -> Result {
        try await Self.closing(try BlockingClient.connect(try clientOptions(label)), undoing, body)
    }

    /// Runs with a connection for many calls at once.
    func withPipeline<Result>(_ body: (any NotesAPI) async throws -> Result) async throws -> Result {
        try await Self.closing(try await connect(), nil, body)
    }

    private static func closing<Result>(
        _ connection: any NotesAPI, _ undoing: String?, _ body: (any NotesAPI) async throws -> Result
    ) async throws -> Result {
        let client = Self.journal(undoing).map { RecordingClient(client: connection, journal: $0) } ?? connection
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    /// One for all connections of a command, unless it takes another back.
    private static func journal(_ undoing: String?) -> OperationJournal? {
        undoing.map { OperationJournal.undoing($0) } ?? OperationJournal.running
    }
}

/// What is written for programs.
extension GlobalOptions {
    /// Whether a program reads what is written, and not a person.
    var isForPrograms: Bool { json || format != nil }

    /// Refuses fields that there are not, before anything is done.
    func check(_ command: any NotesCommand.Type) throws {
        if json, format != nil { throw ExitFailure("--json and --format exclude each other; give one of them", .usage) }
        if null, !isForPrograms { throw ExitFailure("-0 ends what --json or --format writes; give one of them too", .usage) }
        guard isForPrograms else { return }
        let recordWriter = try recordWriter()
        for field in recordWriter.fields {
            let known = command.records.flatMap(\.fields).map(\.name)
            guard !known.contains(field) else { continue }
            let near = NearWords.question(field, among: known)
            throw ExitFailure(
                "`notesctl \(command._commandName)` writes no field \(SafeText.quoted(field)), but "
                    + known.uniqued.joined(separator: ", ") + (near == ";" ? "" : near), .usage)
        }
    }

    func recordWriter() throws -> RecordWriter {
        var form = RecordWriter.Form.json
        if let fields { form = .fields(try FieldPath.list(fields)) }
        if let format { form = .template(try Template(format)) }
        return RecordWriter(form: form, terminator: null ? 0 : UInt8(ascii: "\n"), isForTerminal: Terminal.isOutput)
    }

    /// Writes one record.
    ///
    /// - Parameter json: an object, on one line.
    func emit(_ json: [UInt8]) throws {
        try Output.write(try recordWriter().text(of: json))
    }

    /// Starts a pager for what is longer than the screen.
    func page() {
        if !isForPrograms && !noPager { Pager.start() }
    }
}

extension [String] {
    /// Each once, where it stands first.
    var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
