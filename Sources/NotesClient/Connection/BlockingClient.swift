package import NotesModel
package import NotesWire
import Synchronization

/// A client without threads and without an event loop, for a program that asks a thing or two and ends: what calls waits in the
/// system until the answer is there. It is connected anew only to ask again what was not answered, and watches nothing; `NotesClient`
/// does.
///
///     let client = try BlockingClient.connect(ClientOptions(socketPath: path, name: "example", version: "1"))
///     let note = try await client.note(.name("shopping"))
///
/// Hello leaves with the first call where that only reads, in one write, so that the first answer takes one round trip. One that
/// writes waits for the answer to hello: where that does not come, nothing was asked for that the daemon might still do. Calls of
/// several tasks are made one after the other.
package final class BlockingClient: NotesAPI {
    private let options: ClientOptions
    private let names: IDGenerator
    /// Nil once the connection is over.
    private let connection: Mutex<Connection?>

    private struct Connection: ~Copyable {
        var socket: DirectSocket
        var hello: HelloResult?
        var lastRequest: Int64 = 0
    }

    private init(_ options: ClientOptions, _ socket: consuming DirectSocket) {
        self.options = options
        names = IDGenerator(options.generator)
        connection = Mutex(Connection(socket: socket))
    }

    /// Connects; a daemon that refuses the user says so at the first call.
    ///
    /// - Throws: `ClientError`.
    package static func connect(_ options: ClientOptions) throws(ClientError) -> BlockingClient {
        BlockingClient(options, try DirectSocket.connected(to: options.socketPath))
    }

    /// Longest call that leaves with hello: until hello is read the daemon reads no longer line.
    private static let firstCallBytesMax = 32 * 1_024
    private static let helloID: Int64 = 0

    package func close() async {
        connection.withLock { $0 = nil }
    }

    /// Says it, where that was not done.
    package var hello: HelloResult? {
        get async { helloNow }
    }

    /// As `hello`, without waiting for one's turn.
    package var helloNow: HelloResult? {
        try? over { connection throws(ClientError) in try self.greet(&connection, with: []) }
    }

    package func noteID(at time: Timestamp) -> NoteID {
        names.noteID(at: time)
    }

    package func answer<Response: WireResult>(
        to call: Call, as answer: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        try Task.checkCancellation()
        return try answerNow(to: call, as: answer, progress: progress)
    }

    /// As `answer`, for who cannot wait otherwise than by standing still.
    package func answerNow<Response: WireResult>(
        to call: Call, as answer: Response.Type, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) throws(ClientError) -> Response {
        let value = try value(of: call.named(by: names.operation), progress: progress)
        do throws(ParamFault) {
            return try Response(reading: value)
        } catch {
            throw ClientError.protocolViolation("\(error.path) in a response to \(call.method.rawValue) \(error.reason)")
        }
    }

    /// Where the daemon goes before its answer came, as when it is started again, whoever holds its socket lets the next caller wait for
    /// the next daemon. So it is connected anew and asked again, where asking twice changes nothing more.
    private func value(
        of call: Call, progress: (@Sendable (RequestProgress) -> Void)?
    ) throws(ClientError) -> JSONValue {
        for _ in 0..<Self.repetitionsMax {
            do throws(ClientError) {
                return try over { connection throws(ClientError) in
                    try self.answer(to: call, over: &connection, progress: progress)
                }
            } catch {
                guard case .connectionLost = error, call.mayBeRepeated, reconnect() else { throw error }
            }
        }
        return try over { connection throws(ClientError) in
            try self.answer(to: call, over: &connection, progress: progress)
        }
    }

    private func reconnect() -> Bool {
        connection.withLock { held in
            do throws(ClientError) {
                held = Connection(socket: try DirectSocket.connected(to: options.socketPath))
                return true
            } catch {
                return false
            }
        }
    }

    /// A daemon that goes as often while it is asked one thing will not answer it.
    private static let repetitionsMax = 3

    /// Does something with the connection, which is over where that fails otherwise than by the daemon's refusal of a call.
    private func over<Result: Sendable>(
        _ body: (inout Connection) throws(ClientError) -> Result
    ) throws(ClientError) -> Result {
        let result = connection.withLock { held -> Swift.Result<Result, ClientError> in
            guard var connection = held.take() else { return .failure(.closed) }
            do throws(ClientError) {
                let result = try body(&connection)
                held = consume connection
                return .success(result)
            } catch {
                if case .refused = error, connection.hello != nil { held = consume connection }
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func answer(
        to call: Call, over connection: inout Connection, progress: (@Sendable (RequestProgress) -> Void)?
    ) throws(ClientError) -> JSONValue {
        connection.lastRequest += 1
        let id = connection.lastRequest
        let line = call.line(id: .integer(id))
        let lost = ClientError.connectionLost(mayHaveHappened: call.isWrite)
        if connection.hello == nil, !call.isWrite, line.count <= Self.firstCallBytesMax {
            _ = try greet(&connection, with: line)
        } else {
            _ = try greet(&connection, with: [])
            guard connection.socket.send(line) else { throw lost }
        }
        return try answer(to: id, over: &connection, within: nil, lost: lost, progress: progress)
    }

    /// - Parameter line: what is sent behind hello; it changes nothing.
    private func greet(_ connection: inout Connection, with line: [UInt8]) throws(ClientError) -> HelloResult {
        if let hello = connection.hello { return hello }
        let lost = ClientError.connectionLost(mayHaveHappened: false)
        // Where the daemon closed already, it has said why.
        _ = connection.socket.send(options.greeting.line(id: .integer(Self.helloID)) + line)
        let value: JSONValue
        do throws(ClientError) {
            // A part of a millisecond is waited for as one.
            let wait = Int32(clamping: (options.helloTimeout.nanosecondsClamped / 1_000_000).advanced(by: 1))
            value = try answer(to: Self.helloID, over: &connection, within: wait, lost: lost, progress: nil)
        } catch { throw error.toHello }
        let hello = try HelloResult.read(value)
        connection.hello = hello
        return hello
    }

    /// Reads lines until the answer comes.
    private func answer(
        to wanted: Int64, over connection: inout Connection, within milliseconds: Int32?, lost: ClientError,
        progress: (@Sendable (RequestProgress) -> Void)?
    ) throws(ClientError) -> JSONValue {
        while true {
            let line: [UInt8]
            switch connection.socket.line(within: milliseconds) {
            case .line(let bytes): line = bytes
            case .tooLong: throw .protocolViolation("a line over \(JSONDocument.bytesMax) bytes")
            case .ended: throw lost
            case .timedOut: throw options.notGreeted
            }
            let parsed: ServerLine
            do throws(ServerLineFault) { parsed = try ServerLine(parsing: line) } catch { throw .protocolViolation("\(error)") }
            switch parsed {
            case .result(.integer(wanted), let value): return value
            case .failure(.integer(wanted)?, let error), .failure(nil, let error): throw .refused(error)
            case .result, .failure: throw .protocolViolation("a response to a request that was not sent")
            case .notification(.progress(let told)): progress?(told)
            case .notification: break
            }
        }
    }
}
