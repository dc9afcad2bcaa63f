import Causality
import Dependents
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit

@testable import NotesEngine
@testable import NotesServer

/// A `ConnectionState` with a driver that records its actions, and a socket that the test reads.
struct DrivenConnection {
    var state: ConnectionState
    /// Requests submitted to the engine, in order.
    var submitted: [(requestNumber: UInt64, body: Request.Body)] = []
    /// Lines written, in order, as short words: `answer 1`, `refused 2 parse_error`, `pong 3`,
    /// `notification 4`, `closing`.
    var written: [String] = []
    /// Kinds of the responses among them: `note`, `unwatched`, a failure's name, `other`.
    var kinds: [String] = []
    /// `drained`, `closeOutput`, `close`.
    var done: [String] = []
    /// Number of bytes that were written and that the client has not read.
    var unread = 0
    /// Size that each line counts as, in bytes.
    var lineBytes = 100
    /// Whether the client reads every byte at once.
    var isReading = true

    init(
        access: Access? = .admin, limits: ServiceLimits = ServiceLimits(),
        helloLineBytesMax: Int = WireProtocol.helloLineBytesMax, owner: UInt32 = testUser.id
    ) {
        var configuration = ServerConfiguration(
            listening: .path(""), version: "0", document: Array("{}".utf8),
            access: AccessRules(owner: owner, superuser: nil))
        configuration.limits = limits
        configuration.helloLineBytesMax = helloLineBytesMax
        state = ConnectionState(
            user: testUser, access: access, configuration: configuration, drawNoteID: { testNoteID })
    }

    static func registered(
        access: Access = .admin, limits: ServiceLimits = ServiceLimits(), owner: UInt32 = testUser.id
    ) -> DrivenConnection {
        var connection = DrivenConnection(access: access, limits: limits, owner: owner)
        connection.receive(helloLine)
        connection.response(1)
        connection.written = []
        connection.kinds = []
        connection.submitted = []
        return connection
    }

    mutating func receive(_ text: String) {
        receive(Array(text.utf8))
    }

    mutating func receive(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { state.received($0) }
        proceed()
    }

    /// Delivers the engine's response to a request, followed by that many notifications.
    @discardableResult
    mutating func response(_ requestNumbers: UInt64..., notifications: [UInt64] = []) -> Bool {
        deliver(
            requestNumbers.map { ($0, $0 == 1 ? .registered(testRegistered) : .unwatched) }, notifications: notifications)
    }

    @discardableResult
    mutating func deliver(
        _ responses: [(requestNumber: UInt64, response: Response)], notifications: [UInt64] = [],
        presences: [PresenceLine] = [], isCutShort: Bool = false
    ) -> Bool {
        let notifications = notifications.map {
            WatchNotification(watch: WatchID(1), number: $0, cursor: testRegistered.cursor, event: .synced)
        }
        let isRight = state.delivered(
            ConnectionOutput(
                dependent: DependentID(1), responses: responses, notifications: notifications, presences: presences,
                isCutShort: isCutShort))
        proceed()
        return isRight
    }

    /// Delivers the progress of a request.
    @discardableResult
    mutating func progress(_ requestNumber: UInt64, _ done: Int, of total: Int) -> Bool {
        deliver([(requestNumber: requestNumber, response: .progress(done: done, total: total))])
    }

    /// Lets the client read that many bytes.
    mutating func read(_ bytes: Int) {
        let read = min(bytes, unread)
        unread -= read
        state.sent(bytes: read)
        proceed()
    }

    mutating func happened(_ event: (inout ConnectionState) -> Void) {
        event(&state)
        proceed()
    }

    mutating func proceed() {
        while let action = state.next() {
            switch action {
            case .submit(let requestNumber, let body, _): submitted.append((requestNumber, body))
            case .count(let id, let limits): state.limit(id, to: limits)
            case .write(let line):
                written.append(Self.word(for: line))
                if case .response(_, let response) = line { kinds.append(Self.kind(of: response)) }
                state.wrote(line, bytes: lineBytes)
                if isReading { state.sent(bytes: lineBytes) } else { unread += lineBytes }
            case .drained: done.append("drained")
            case .closeOutput: done.append("closeOutput")
            case .close: done.append("close")
            }
        }
    }

    private static func kind(of response: Response) -> String {
        switch response {
        case .note: "note"
        case .unwatched: "unwatched"
        case .failed(let failure): "\(failure)"
        default: "other"
        }
    }

    private static func word(for line: OutboundLine) -> String {
        switch line {
        case .response(let request, _): "response \(request.id.map(word(for:)) ?? "-")"
        case .refusal(let id, let error): "refused \(id.map(word(for:)) ?? "-") \(error.kind.rawValue)"
        case .pong(let id): "pong \(word(for: id))"
        case .limits(let id, _): "limits \(word(for: id))"
        case .document(let id): "document \(word(for: id))"
        case .settings(let id): "settings \(word(for: id))"
        case .notification(let notification): "notice \(notification.number)"
        case .presence(let line): "presence \(line.dependent.number)"
        case .progress(let request, let done, let total):
            "progress \(request.id.map(word(for:)) ?? "-") \(done)/\(total)"
        case .closing: "closing"
        }
    }

    private static func word(for id: RequestID) -> String {
        switch id {
        case .integer(let integer): "\(integer)"
        case .string(let string): "\(string)"
        }
    }
}

let testUser = User(id: 1_000, name: "ada")
let testNoteID = NoteID(at: Timestamp(milliseconds: 1), random: (1, 1))
let testRegistered = Registered(
    identity: StoreIdentity(store: ReplicaID(bits: 1), replica: ReplicaID(bits: 2)),
    cursor: Cursor(CommitPosition(sequence: 0, replica: ReplicaID(bits: 1))))

let helloLine = #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"protocol":[1],"client":{"name":"test"}}}"# + "\n"

func line(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
}
