import Dependents
import NIOCore
import NotesEngine
import NotesWire

/// A line that a connection is owed, not encoded yet: what waits costs no more than what it refers to, and room for what may come
/// costs each of ten thousand connections a word.
indirect enum OutboundLine: Sendable {
    case answer(PendingRequest, Response)
    case refusal(RequestID?, WireError)
    /// The answer to `session.ping`.
    case pong(RequestID)
    /// The answer to `rpc.discover`.
    case document(RequestID)
    /// The answer to `daemon.config`.
    case settings(RequestID)
    case notification(WatchNotification)
    /// Who is where. Counts as a notice.
    case presence(PresenceLine)
    /// How far a request has come; its answer is still owed.
    case progress(PendingRequest, done: Int, total: Int)
    case closing(ClosingReason)

    var isNotification: Bool {
        switch self {
        case .notification, .presence: true
        case .answer, .refusal, .pong, .document, .settings, .progress, .closing: false
        }
    }

    /// What an answer counts as until it is encoded, in bytes.
    var weight: Int {
        switch self {
        case .answer(_, let answer): answer.weight
        case .refusal, .pong, .document, .settings: Self.slightWeight
        case .notification, .presence, .progress, .closing: 0
        }
    }

    private static let slightWeight = 128
}

/// A request that the engine has and has not answered.
struct PendingRequest: Sendable {
    let requestNumber: UInt64
    /// Nil where the answer is not written.
    let id: RequestID?
    let method: Method
    /// Length of the request's line.
    let bytes: Int
    /// When it was taken.
    let began: NIODeadline
}

/// Why the daemon ends a session.
enum ClosingReason: String, Sendable {
    case shuttingDown = "shutting_down"
    /// The configuration lets this user in no more.
    case permissionDenied = "permission_denied"
}
