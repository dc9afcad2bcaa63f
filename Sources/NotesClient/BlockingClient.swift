package import NotesMethods
package import NotesModel
package import NotesWire
import StrictJSON
import Synchronization

/// A client without threads or an event loop, for programs that make a few calls and exit. A call
/// blocks its thread until the response arrives.
///
///     let client = try BlockingClient.connect(ClientOptions(socketPath: path, name: "example", version: "1"))
///     let note = try await client.note(.name("shopping"))
///
/// The client reconnects only to repeat a call that got no response. It does not support watches;
/// `NotesClient` does.
///
/// If the first call is a read, the client sends it together with hello in one write, so that the
/// first response takes one round trip. A write waits for the response to hello. If that never
/// arrives, no write can be executed later. Calls from several tasks are made one after the other.
package final class BlockingClient: NotesAPI {
    private let options: ClientOptions
    private let names: IDGenerator
    /// The connection; nil after it has ended.
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

    /// Connects to the socket. A daemon that refuses the user reports that at the first call.
    ///
    /// - Throws: `ClientError`.
    package static func connect(_ options: ClientOptions) throws(ClientError) -> BlockingClient {
        BlockingClient(options, try DirectSocket.connected(to: options.socketPath))
    }

    /// Longest call that is sent together with hello, in bytes. Until the daemon has read hello, it
    /// accepts only short lines (`WireProtocol.helloLineBytesMax`).
    private static let firstCallBytesMax = 32 * 1_024
    private static let helloID: Int64 = 0
    private static let limitID: Int64 = -1

    package func close() async {
        connection.withLock { $0 = nil }
    }

    /// The daemon's response to hello. Sends hello if that has not been done; nil if it fails.
    package var hello: HelloResult? {
        get async { helloNow }
    }

    /// As `hello`, but synchronous.
    package var helloNow: HelloResult? {
        try? over { connection throws(ClientError) in try self.greet(&connection, with: []) }
    }

    package func noteID(at time: Timestamp) -> NoteID {
        names.noteID(at: time)
    }

    package func response<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)?
    ) async throws -> Response {
        try Task.checkCancellation()
        return try responseNow(to: call, as: response, progress: progress)
    }

    /// As `response`, but synchronous, for callers that cannot suspend.
    package func responseNow<Response: WireResult>(
        to call: Call, as response: Response.Type, progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) throws(ClientError) -> Response {
        let value = try value(of: call.named(by: names.operation), progress: progress)
        do throws(ParamFault) {
            return try Response(reading: value)
        } catch {
            throw ClientError.protocolViolation("\(error.path) in a response to \(call.method.name) \(error.reason)")
        }
    }

    /// The result of a call.
    ///
    /// The daemon may go away before it responds, for example because it restarts. If systemd holds
    /// its socket, new connections wait there for the next daemon. So the client reconnects and
    /// repeats the call if that is safe.
    private func value(
        of call: Call, progress: (@Sendable (RequestProgress) -> Void)?
    ) throws(ClientError) -> JSONValue {
        for _ in 0..<Self.repetitionsMax {
            do throws(ClientError) {
                return try over { connection throws(ClientError) in
                    try self.response(to: call, over: &connection, progress: progress)
                }
            } catch {
                guard case .connectionLost = error, call.mayBeRepeated, reconnect() else { throw error }
            }
        }
        return try over { connection throws(ClientError) in
            try self.response(to: call, over: &connection, progress: progress)
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

    /// Number of times that a call is repeated after its connection was lost.
    private static let repetitionsMax = 3

    /// Runs `body` with the connection. The connection ends if `body` throws, unless the daemon
    /// refused a call.
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

    /// Sends a call, preceded by hello if necessary, and returns its result.
    private func response(
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
        return try response(to: id, over: &connection, within: nil, lost: lost, progress: progress)
    }

    /// Sends hello, if that has not been done, and reads the response. Before that, it gives up the rights
    /// that the options name.
    ///
    /// - Parameter line: a request to send after hello, which must be a read.
    private func greet(_ connection: inout Connection, with line: [UInt8]) throws(ClientError) -> HelloResult {
        if let hello = connection.hello { return hello }
        let lost = ClientError.connectionLost(mayHaveHappened: false)
        let limit = options.limits.map { Call.limit($0).line(id: .integer(Self.limitID)) } ?? []
        // If sending fails, the daemon has closed the connection and its reason can be read.
        _ = connection.socket.send(limit + options.greeting.line(id: .integer(Self.helloID)) + line)
        // Round up, so that the wait is never shorter than the timeout.
        let wait = Int32(clamping: (options.helloTimeout.nanosecondsClamped / 1_000_000).advanced(by: 1))
        if let limits = options.limits {
            do throws(ClientError) {
                let value = try response(to: Self.limitID, over: &connection, within: wait, lost: lost, progress: nil)
                try limits.check(value, options)
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                throw options.notLimited(refusal.message)
            }
        }
        let value: JSONValue
        do throws(ClientError) {
            value = try response(to: Self.helloID, over: &connection, within: wait, lost: lost, progress: nil)
        } catch { throw error.toHello }
        let hello = try HelloResult.read(value)
        connection.hello = hello
        return hello
    }

    /// Reads lines until the response to request `wanted` arrives.
    private func response(
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
            case .notification(.progress(let update)): progress?(update)
            case .notification: break
            }
        }
    }
}
