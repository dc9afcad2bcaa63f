import Causality
import NoteText
import NotesEngine
import NotesModel
import Synchronization

/// Memory that the daemon holds for all connections, in bytes. One instance serves the whole
/// server. Thread-safe.
///
/// There are two sums, because they shrink for different reasons:
///
/// | sum | counts | from | until |
/// |---|---|---|---|
/// | `requestBytes` | the line of a request for the engine | the line is taken | the engine releases the request, even if the connection is gone |
/// | `bufferedBytes` | received bytes of lines that were not taken | they arrive | the line is taken or skipped, or the connection is gone |
/// | | unread responses: by weight, after encoding by length | the engine returns them | they are sent, or the connection is gone |
///
/// `requestBytes` shrinks by itself, because the engine works whatever its clients do. At
/// `requestBytesMax`, further requests are refused.
///
/// `bufferedBytes` shrinks only if clients send or read, and a client may have stopped. Stopped
/// clients therefore get half of the limit. Above that (`MemoryPressure.high`), what they would add
/// is refused or left in their sockets, while clients that keep up are served. Above the whole
/// limit (`MemoryPressure.full`), further requests of all clients are refused.
///
/// Refusing at once, rather than waiting for memory, rules out deadlocks.
///
/// The memory in use is at most: both sums, one request and one read of a socket for each event
/// loop, the responses of the engine's current turn, and twice `smallResponseBytesMax` for each
/// connection. Lines of watches are not counted; `DependentLimits` and
/// `ConnectionState.notificationBytesMax` limit them for each connection.
final class MemoryAccount: Sendable {
    private let limits: ServiceLimits
    private let requests = Atomic(0)
    private let waiting = Atomic(0)

    init(_ limits: ServiceLimits) {
        self.limits = limits
    }

    /// Length of all requests that the engine holds, in bytes.
    var requestBytes: Int { requests.load(ordering: .relaxed) }
    /// Incomplete requests and unread responses of all connections, in bytes.
    var bufferedBytes: Int { waiting.load(ordering: .relaxed) }

    /// Whether further requests are refused.
    var isOverloaded: Bool { requestBytes >= limits.requestBytesMax }

    /// Adds a difference, which may be negative, to `bufferedBytes`.
    func changeBuffered(by bytes: Int) {
        guard bytes != 0 else { return }
        waiting.add(bytes, ordering: .relaxed)
    }

    /// Adds a request to `requestBytes` until the returned reservation is released.
    func count(requestBytes: Int) -> RequestReservation {
        requests.add(requestBytes, ordering: .relaxed)
        return RequestReservation(bytes: requestBytes, of: self)
    }

    fileprivate func uncount(requestBytes: Int) {
        requests.subtract(requestBytes, ordering: .relaxed)
    }
}

/// The share of a request in `MemoryAccount.requestBytes`. Releasing the last reference gives it
/// back, so that no path of a request can forget to.
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

/// Level of `MemoryAccount.bufferedBytes` in relation to its limit.
enum MemoryPressure: Comparable {
    /// At most half of the limit.
    case free
    /// Above half of the limit. A connection with an incomplete line, or with unread responses, of
    /// more than `ServiceLimits.smallResponseBytesMax` may add no more.
    case high
    /// Above the limit. All requests except hello, ping and discover are refused.
    case full
}

extension ServiceLimits {
    /// Length of an incomplete line, and of the unread responses, that each connection may have
    /// even under high memory pressure, in bytes. Reads often end within a line, and the next read
    /// usually completes it.
    static let smallResponseBytesMax = 16 << 10

    /// Memory pressure at a number of buffered bytes.
    ///
    /// The limit is at least twice the longest line. A single long line therefore never causes high
    /// pressure and can be completed, whatever `bufferedBytesMax` is.
    func memoryPressure(at bufferedBytes: Int) -> MemoryPressure {
        if bufferedBytes > max(bufferedBytesMax, 2 * lineBytesMax) { return .full }
        return bufferedBytes > max(bufferedBytesMax / 2, lineBytesMax) ? .high : .free
    }
}

extension Response {
    /// Size of the response for accounting until it is encoded, in bytes: its texts, and an
    /// estimate for the rest.
    ///
    /// - Complexity: O(conflicts + notes + search hits + findings).
    var weight: Int {
        switch self {
        case .note(let note):
            note.head.weight + note.text.count + (note.from?.count ?? 0) + note.siblings.weight + Self.weight(of: note.conflicts)
        case .notes(let heads, _): heads.reduce(0) { $0 + $1.weight }
        case .tags(let page): page.tags.reduce(0) { $0 + $1.tag.utf8.count + Self.tagWeight }
        case .revisions(let page): page.entries.count * Self.headWeight
        case .hits(let hits, _, _): hits.reduce(0) { $0 + Self.headWeight + $1.excerpt.text.count }
        case .incomingLinks(let links, _):
            links.reduce(0) { $0 + Self.headWeight + $1.snippet.count + $1.target.utf8.count + ($1.fragment?.utf8.count ?? 0) }
        case .missingLinks(let targets, _): targets.reduce(0) { $0 + Self.headWeight + $1.target.utf8.count }
        case .resolvedLinks(let found): found.reduce(0) { $0 + (1 + $1.notes.count) * Self.headWeight }
        case .history(let revisions, _): revisions.count * Self.headWeight
        case .dependents(let dependents): dependents.count * Self.headWeight
        case .audited(let report): (report.findings.count + report.quarantined.count) * Self.headWeight
        case .wrote(let outcome, let conflicts, _):
            Self.headWeight + outcome.version.weight + (outcome.shown.map { $0.sent.count + $0.text.count } ?? 0)
                + Self.weight(of: conflicts)
        case .metrics(let text): text.utf8.count
        case .purged(_, let backups, let files, _):
            backups.reduce(Self.headWeight + Self.tagWeight * (files?.notes.count ?? 0)) { $0 + $1.utf8.count }
        case .knownRevisions(let revisions):
            Self.rangeWeight * revisions.rangeCount + 4 * Self.tagWeight * revisions.digests.count
        case .adopted(let report, let unreadable):
            Self.tagWeight * (report.waiting.count + report.quarantined.count * 4 + report.refused.count + unreadable.count)
        case .peers(let peers): Self.headWeight * peers.count
        case .filePart(let data, _, _): data.count
        case .lacking(let indexes, let lost, _): Self.tagWeight * (indexes.count + lost.count)
        case .files(let files, _): Self.headWeight * files.count
        case .held(let page): page.revisions.reduce(0) { $0 + Self.headWeight + $1.inserts.utf8.count }
        case .registered, .created, .watching, .unwatched, .presenceSet, .feeding, .proceeded, .peerForgotten, .heldDropped,
            .upload,
            .fileChecked, .status, .progress,
            .backedUp, .refused, .failed:
            Self.headWeight
        }
    }

    fileprivate static let headWeight = 512
    private static let tagWeight = 32
    private static let rangeWeight = 40

    private static func weight(of conflicts: [ConflictDetail]) -> Int {
        conflicts.reduce(0) { sum, detail in
            detail.sides.reduce(sum + headWeight + (detail.base?.weight ?? 0)) { $0 + headWeight + $1.content.weight }
        }
    }

    /// Whether the request only read data, so that an error can replace the response.
    var isRead: Bool {
        switch self {
        case .note, .notes, .tags, .revisions, .hits, .incomingLinks, .missingLinks, .resolvedLinks, .history, .dependents,
            .knownRevisions, .peers, .held, .filePart, .lacking, .files, .metrics:
            true
        case .registered, .created, .wrote, .purged, .watching, .unwatched, .presenceSet, .feeding, .proceeded, .adopted,
            .peerForgotten, .heldDropped, .upload, .fileChecked, .status, .audited, .backedUp, .progress, .refused, .failed:
            false
        }
    }
}

extension Head {
    fileprivate var weight: Int { Response.headWeight + version.weight }
}

extension Version {
    /// The length of its text form, about.
    fileprivate var weight: Int { 24 * dots.count }
}

extension ConflictContent {
    fileprivate var weight: Int {
        switch self {
        case .text(let text): text.count
        case .name, .deleted: 0
        }
    }
}
