package import NIOCore
import NIOPosix
package import NotesModel
package import NotesWire

/// A client of the daemon: one connection, made again when it is lost if the options say so.
///
/// Calls may be made from any number of tasks at once; they are pipelined, and answered in the order in which they were made.
///
///     var options = ClientOptions(socketPath: path, name: "example", version: "1")
///     let client = try await NotesClient.connect(options)
///     let note = try await client.create(text: Array("Milk\n".utf8), name: "shopping").note
///     let outcome = try await client.save(note.head.id, base: note.head.version, text: Array("Milk\nBread\n".utf8))
///     await client.close()
///
/// It starts no task of its own. A client that nobody holds any more closes itself.
package final class NotesClient: Sendable {
    let session: ClientSession
    let options: ClientOptions
    private let names: IDGenerator

    private init(session: ClientSession, options: ClientOptions) {
        self.session = session
        self.options = options
        names = IDGenerator(options.generator)
    }

    /// Connects and says hello.
    ///
    /// - Parameter eventLoop: whose thread does the client's work; one of the process's own where it is left out.
    /// - Throws: `ClientError`.
    package static func connect(_ options: ClientOptions, on eventLoop: (any EventLoop)? = nil) async throws -> NotesClient {
        let loop = eventLoop ?? MultiThreadedEventLoopGroup.singleton.next()
        let client = NotesClient(session: ClientSession(options: options, eventLoop: loop), options: options)
        try await withTaskCancellationHandler {
            try await client.session.start()
        } onCancel: { [session = client.session] in
            session.later { $0.close() }
        }
        return client
    }

    deinit {
        session.later { $0.close() }
    }

    /// Closes the connection. Calls that wait fail with `ClientError.closed` (those in flight with `connectionLost`), and
    /// watches end with it.
    package func close() async {
        await session.close()
    }

    /// What the daemon said at the newest hello.
    package var hello: HelloResult? {
        get async { await session.link.hello }
    }

    // MARK: Calls

    /// Sends a call and reads its result.
    ///
    /// - Parameter progress: told how far the daemon is, where it says so; called on the client's thread, and must not wait.
    /// - Throws: `ClientError`, or `CancellationError`.
    package func call<Response: WireResult>(
        _ call: Call, answer _: Response.Type = Response.self, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response {
        let isResending = options.resending == .whatMayBeRepeated
        let call = isResending ? call.named(by: { operationName() }) : call
        let value = try await session.call(
            mayBeRepeated: call.mayBeRepeated, isWrite: call.isWrite, progress: progress
        ) { call.line(id: $0) }
        do throws(ParamFault) {
            return try Response(reading: value)
        } catch {
            throw ClientError.protocolViolation("\(error.path) in a response to \(call.method.rawValue) \(error.reason)")
        }
    }

    /// Sends a call of any method, with its params as a JSON object, and gives the result as it came.
    ///
    /// - Precondition: `params` is one JSON object, without a line feed.
    package func call(method: String, params: [UInt8] = Array("{}".utf8)) async throws -> JSONValue {
        try await session.call(mayBeRepeated: false, isWrite: true) { id in
            var writer = JSONWriter()
            writer.object { line in
                line.member("jsonrpc", "2.0")
                line.name("id")
                if case .integer(let number) = id { line.integer(number) } else { line.null() }
                line.member("method", method)
                line.member("params", json: params)
            }
            writer.endLine()
            return writer.bytes
        }
    }

    /// Watches the notes of a filter. Returns once the daemon accepted the watch.
    package func watch(_ params: WatchParams = WatchParams()) async throws -> NoteWatch {
        try await session.watch(params)
    }

    // MARK: Names

    /// A new id for a note, so that its creation can be repeated without making it twice.
    package func noteID(at time: Timestamp) -> NoteID {
        names.noteID(at: time)
    }

    /// A new name for a write.
    package func operationName() -> ByteString { names.operation() }
}

extension Call {
    /// Whether it asks for a change of a note.
    package var isWrite: Bool {
        switch self {
        case .createNote, .saveNote, .editNote, .deleteNote: true
        case .hello, .ping, .discover, .getNote, .listNotes, .search, .history, .watch, .unwatch, .setPresence,
            .listDependents, .status, .audit, .config, .backup, .metrics:
            false
        }
    }

    /// Whether to send it again changes nothing more. Watches belong to a connection and are not repeated as calls.
    var mayBeRepeated: Bool {
        switch self {
        case .createNote(let params): params.op != nil
        case .saveNote(let params): params.op != nil
        case .editNote(let params): params.op != nil
        case .deleteNote(let params): params.op != nil
        case .ping, .discover, .getNote, .listNotes, .search, .history, .setPresence, .listDependents, .status, .audit, .config,
            .metrics:
            true
        case .hello, .watch, .unwatch, .backup: false
        }
    }

    /// The same call; a write without `op` is given one.
    func named(by name: () -> ByteString) -> Call {
        switch self {
        case .createNote(var params):
            params.op = params.op ?? name()
            return .createNote(params)
        case .saveNote(var params):
            params.op = params.op ?? name()
            return .saveNote(params)
        case .editNote(var params):
            params.op = params.op ?? name()
            return .editNote(params)
        case .deleteNote(var params):
            params.op = params.op ?? name()
            return .deleteNote(params)
        case .hello, .ping, .discover, .getNote, .listNotes, .search, .history, .watch, .unwatch, .setPresence,
            .listDependents, .status, .audit, .config, .backup, .metrics:
            return self
        }
    }
}
