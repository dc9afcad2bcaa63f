import NotesEngine
import NotesModel
import Synchronization

/// What all connections have the daemon keep for them, in bytes. One for the whole server; any thread may ask and tell.
///
/// There are two sums, since they end in different ways.
///
/// | sum | what counts | from | until |
/// |---|---|---|---|
/// | `requestBytes` | the line of a request for the engine | it is taken | the engine has let go of it, whether or not its connection is still there |
/// | `bufferedBytes` | of a connection: bytes of which no line was taken yet | they come | the line is taken or skipped |
/// | | answers that it has not read, by weight and once encoded by length | the engine gives them | they have left |
/// | | both | | the connection is gone |
///
/// Requests end by themselves: the engine goes on whatever its clients do. At `requestBytesMax` one more is refused.
///
/// What waits ends when clients go on, and those may have stopped. So they have half of it (`MemoryPressure.high`), and from there on what
/// they add is refused or left in their sockets, while those who keep up are served. Only if so many are served at once that all of it is
/// taken (`MemoryPressure.full`), one more request is refused of anybody.
///
/// Nobody waits for anybody here, so nothing can lock up: what would go over is answered at once.
///
/// What may come to be kept in all: both sums, a request and a read of a socket for each event loop, the answers of the turn that the engine
/// is in, and `slightBytesMax` twice for each connection. Lines of watches are not counted: `DependentLimits` of `Dependents` and
/// `ConnectionState.notificationBytesMax` bound them for each connection.
final class MemoryAccount: Sendable {
    private let limits: ServiceLimits
    private let requests = Atomic(0)
    private let waiting = Atomic(0)

    init(_ limits: ServiceLimits) {
        self.limits = limits
    }

    var requestBytes: Int { requests.load(ordering: .relaxed) }
    var bufferedBytes: Int { waiting.load(ordering: .relaxed) }

    /// Whether one more request is one too many.
    var isOverloaded: Bool { requestBytes >= limits.requestBytesMax }

    /// What waits on a connection has changed by so many bytes.
    func changeBuffered(by bytes: Int) {
        guard bytes != 0 else { return }
        waiting.add(bytes, ordering: .relaxed)
    }

    /// Counts a request for as long as somebody keeps what is returned.
    func count(requestBytes: Int) -> RequestReservation {
        requests.add(requestBytes, ordering: .relaxed)
        return RequestReservation(bytes: requestBytes, of: self)
    }

    fileprivate func uncount(requestBytes: Int) {
        requests.subtract(requestBytes, ordering: .relaxed)
    }
}

/// A request that the engine has. Given up by whoever drops it last, so that none is forgotten on any way that it can take.
final class RequestReservation: Sendable {
    private let bytes: Int
    private let load: MemoryAccount

    fileprivate init(bytes: Int, of load: MemoryAccount) {
        self.bytes = bytes
        self.load = load
    }

    deinit {
        load.uncount(requestBytes: bytes)
    }
}

/// How far the sum of what waits has come.
enum MemoryPressure: Comparable {
    case free
    /// Who has more than `ServiceLimits.slightBytesMax` of a line that has not come whole, or of answers not read, adds no more.
    case high
    /// Nothing that has to be answered with more than an error is begun.
    case full
}

extension ServiceLimits {
    /// What is too little to be looked at while it is crowded, in bytes: of each connection's half line, and of its unread answers. Lines
    /// of a flood are cut by reads all the time, and most have come whole by the next.
    static let slightBytesMax = 16 << 10

    /// A line alone is always within it, and so can be sent to the end whatever `bufferedBytesMax` is.
    func memoryPressure(at bufferedBytes: Int) -> MemoryPressure {
        if bufferedBytes > max(bufferedBytesMax, 2 * lineBytesMax) { return .full }
        return bufferedBytes > max(bufferedBytesMax / 2, lineBytesMax) ? .high : .free
    }
}

extension Response {
    /// What it counts as until it is encoded, in bytes: its texts, and something for the rest.
    ///
    /// - Complexity: O(conflicts).
    var weight: Int {
        switch self {
        case .note(let note): Self.headWeight + note.text.count + (note.from?.count ?? 0) + Self.weight(of: note.conflicts)
        case .notes(let heads, _): heads.count * Self.headWeight
        case .hits(let hits, _, _): hits.reduce(0) { $0 + Self.headWeight + $1.excerpt.text.count }
        case .history(let revisions, _): revisions.count * Self.headWeight
        case .dependents(let dependents): dependents.count * Self.headWeight
        case .audited(let report): report.findings.count * Self.headWeight
        case .wrote(let outcome, let conflicts, _):
            Self.headWeight + (outcome.shown.map { $0.sent.count + $0.text.count } ?? 0) + Self.weight(of: conflicts)
        case .metrics(let text): text.utf8.count
        case .registered, .created, .watching, .unwatched, .presenceSet, .status, .progress, .backedUp, .refused, .failed:
            Self.headWeight
        }
    }

    private static let headWeight = 512

    private static func weight(of conflicts: [ConflictDetail]) -> Int {
        conflicts.reduce(0) { sum, detail in
            detail.sides.reduce(sum + headWeight + (detail.base?.weight ?? 0)) { $0 + headWeight + $1.content.weight }
        }
    }

    /// Whether it says only what is, and so can be given up for an error: nothing was changed.
    var isRead: Bool {
        switch self {
        case .note, .notes, .hits, .history, .dependents, .metrics: true
        case .registered, .created, .wrote, .watching, .unwatched, .presenceSet, .status, .audited, .backedUp, .progress,
            .refused,
            .failed:
            false
        }
    }
}

extension ConflictContent {
    fileprivate var weight: Int {
        switch self {
        case .text(let text): text.count
        case .name, .deleted: 0
        }
    }
}
