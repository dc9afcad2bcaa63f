package import NIOCore
import NIOPosix
package import NoteText
package import NotesMethods
package import NotesModel
package import NotesWire
package import StrictJSON

/// A client of the daemon with one connection, which it restores after a loss if the options say
/// so.
///
/// Any number of tasks may make calls concurrently. The client pipelines the calls, and the daemon
/// responds in their order.
///
///     var options = ClientOptions(socketPath: path, name: "example", version: "1")
///     let client = try await NotesClient.connect(options)
///     let note = try await client.create(text: Array("Milk\n".utf8), name: "shopping").note
///     let outcome = try await client.save(note.head.id, base: note.head.version, text: Array("Milk\nBread\n".utf8))
///     await client.close()
///
/// The client starts no tasks. It closes itself when its last reference goes away.
package final class NotesClient: Sendable {
    let session: ClientSession
    let options: ClientOptions
    private let names: IDGenerator

    private init(session: ClientSession, options: ClientOptions) {
        self.session = session
        self.options = options
        names = IDGenerator(options.generator)
    }

    /// Connects and sends hello.
    ///
    /// - Parameter eventLoop: the loop that does the client's work; one of the process's singleton
    ///   group by default.
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

    /// Closes the connection and ends all watches. Calls that were not sent yet fail with
    /// `ClientError.closed`, and calls in flight with `connectionLost`.
    package func close() async {
        await session.close()
    }

    /// The daemon's response to the newest hello.
    package var hello: HelloResult? {
        get async { await session.link.hello }
    }

    // MARK: Calls

    /// Sends a call and reads its result.
    ///
    /// - Parameters:
    ///   - progress: called on the client's event loop with the progress that the daemon reports; must not
    ///     block.
    ///   - placed: called on the client's event loop when calls made from then on reach the daemon after this
    ///     one; must not block. Never called if the call fails before.
    /// - Throws: `ClientError`, or `CancellationError`.
    package func call<Response: WireResult>(
        _ call: Call, response _: Response.Type = Response.self, progress: (@Sendable (RequestProgress) -> Void)? = nil,
        placed: (@Sendable () -> Void)? = nil
    ) async throws -> Response {
        let isResending = options.resending == .whatMayBeRepeated
        let call = isResending ? call.named(by: { operationName() }) : call
        let value = try await session.call(
            mayBeRepeated: call.mayBeRepeated, isWrite: call.isWrite, progress: progress, placed: placed
        ) { call.line(id: $0) }
        do throws(ParamFault) {
            return try Response(reading: value)
        } catch {
            throw ClientError.protocolViolation("\(error.path) in a response to \(call.method.name) \(error.reason)")
        }
    }

    /// Sends a call of any method with params as JSON, and returns the result unread.
    ///
    /// - Precondition: `params` is one JSON object without a line feed.
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

    /// Watches the notes of a filter. Returns when the daemon has accepted the watch.
    package func watch(_ params: WatchNotes = WatchNotes()) async throws -> NoteWatch {
        try await session.watch(params)
    }

    /// Asks the daemon for the revisions that a peer lacks, and for each revision that it commits later.
    ///
    /// - Throws: `ClientError`.
    package func watchRevisions(_ params: WatchRevisions) async throws -> IncomingFeed {
        try await session.watchRevisions(params)
    }

    // MARK: Names

    /// A new note id. A client that sends the id with `note.create` can retry without creating two
    /// notes.
    package func noteID(at time: Timestamp) -> NoteID {
        names.noteID(at: time)
    }

    /// A new `op` for a write.
    package func operationName() -> ByteString { names.operation() }
}

extension Call {
    /// Whether the call changes a note.
    package var isWrite: Bool { if case .write = self { true } else { false } }

    /// Whether sending the call twice has the same effect as sending it once.
    var mayBeRepeated: Bool {
        switch self {
        case .write(.undoNote(let undo)) where undo.isPreview: true
        case .write(let command): command.op != nil
        default: method.has(.repeatable)
        }
    }

    /// The same call, in which a write without an `op` gets one.
    func named(by name: () -> ByteString) -> Call {
        guard case .write(let command) = self else { return self }
        return .write(command.named(by: name))
    }
}
