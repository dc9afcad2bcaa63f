import Dependents
import NIOCore
import NotesEngine
import NotesMethods
import NotesWire

/// A line to be sent on a connection, before it is encoded. A queued line costs no more than the
/// data it refers to. The type is indirect, so that free slots of a queue cost one word each; there
/// may be ten thousand connections.
indirect enum OutboundLine: Sendable {
    /// The engine's response to a request.
    case response(PendingRequest, Response)
    /// An error response that the server makes. The id is nil if that of the request is unknown.
    case refusal(RequestID?, WireError)
    /// The response to `session.ping`.
    case pong(RequestID)
    /// The response to `session.limit`.
    case limits(RequestID, LimitResult)
    /// The response to `rpc.discover`.
    case document(RequestID)
    /// The response to `daemon.config`.
    case settings(RequestID)
    /// A line, or a batch of lines, of a watch.
    case notification(WatchNotification)
    /// A change of presence. Counts as a notification.
    case presence(PresenceLine)
    /// Progress of a request whose response follows later.
    case progress(PendingRequest, done: Int, total: Int)
    /// `session.closing`, the last line of a session.
    case closing(ClosingReason)

    /// Whether the line counts as a notification of a watch, which has its own limits.
    var isNotification: Bool {
        switch self {
        case .notification, .presence: true
        case .response, .refusal, .pong, .limits, .document, .settings, .progress, .closing: false
        }
    }

    /// Size of a response for accounting until it is encoded, in bytes; 0 for other lines.
    var weight: Int {
        switch self {
        case .response(_, let response): response.weight
        case .refusal, .pong, .limits, .document, .settings: Self.inlineWeight
        case .notification, .presence, .progress, .closing: 0
        }
    }

    private static let inlineWeight = 128
}

/// A request that was submitted to the engine and is not answered.
struct PendingRequest: Sendable {
    /// Number of the request on its connection, from 1.
    let requestNumber: UInt64
    /// Id in the response; nil for a notification of the client, which gets no response.
    let id: RequestID?
    let method: Method
    /// Length of the request's line, in bytes.
    let bytes: Int
    /// Time at which the line was taken.
    let began: NIODeadline
}

/// Why the daemon ends a session.
enum ClosingReason: String, Sendable {
    /// The daemon is stopping.
    case shuttingDown = "shutting_down"
    /// The user has lost access by a reload.
    case permissionDenied = "permission_denied"
}
