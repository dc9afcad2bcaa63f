import Causality
import Hub
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import TextMerge

/// The log of a space in memory, as the database keeps it.
struct MemoryLog {
    private(set) var rows: [HubRow] = []
    var mayWrite = true
    var isFull = false
    var hasFiles = true
    var files = MemoryFiles()

    /// Appends a row under the next position.
    mutating func append(_ dot: Dot, _ body: [UInt8]) {
        rows.append(HubRow(HubPlace(UInt64(rows.count) + 1, dot), body: body))
    }

    /// Restores a state in which the log had fewer rows.
    mutating func cut(to count: Int) { rows.removeLast(rows.count - count) }

    mutating func answer(_ query: HubQuery) -> HubAnswer {
        switch query {
        case .open: return .opened(HubSpace(store: ReplicaID(bits: 7), role: "ada", mayWrite: mayWrite, hasFiles: hasFiles))
        case .known: return .known(newest: rows.last?.place ?? .start, dots: DotSet(rows.compactMap(\.place.dot)))
        case .first(let dots):
            return .first(rows.first { $0.place.dot.map(dots.contains) ?? false }?.place.position)
        case .append where isFull: return .full("no room")
        case .append(let bodies, let named):
            files.name(named)
            let outcomes = bodies.map { body -> HubOutcome in
                guard let dot = RevisionCodec.dot(ofHead: body) else { return .unreadable }
                if let held = rows.first(where: { $0.place.dot == dot }) { return held.body == body ? .known : .taken }
                append(dot, body)
                return .committed
            }
            return .appended(outcomes, newest: UInt64(rows.count))
        case .read(let after, let rowsMax, let bytesMax):
            let anchor = rows.first { $0.place.position == after }?.place.dot
            var (found, bytes): ([HubRow], Int) = ([], 0)
            for row in rows where row.place.position > after && found.count < rowsMax && bytes < bytesMax {
                found.append(row)
                bytes += row.body.count
            }
            return .rows(anchor: anchor, found)
        case .file(let request): return .file(files.answer(request))
        }
    }
}

/// A client of a gateway, and the log that the gateway uses.
struct Desk {
    var log = MemoryLog()
    var gateway = HubGateway(
        replica: ReplicaID(bits: 1), user: UserInfo(uid: 1_000, name: "ada"), version: "0.0.0")
    /// The lines that the client received and did not read.
    private(set) var lines: [[UInt8]] = []
    private(set) var reports: [String] = []
    private(set) var end: Int32?
    private var lastID: Int64 = 0

    mutating func carryOut(_ actions: [HubGateway.Action]) {
        for action in actions where end == nil {
            switch action {
            case .send(let line): lines.append(line)
            case .report(let sentence): reports.append(sentence)
            case .end(let status): end = status
            case .ask(let query): carryOut(gateway.take(log.answer(query)))
            }
        }
    }

    /// Does the work that no request asks for.
    mutating func idle() {
        while end == nil, let query = gateway.next() { carryOut([.ask(query)]) }
    }

    /// Sends a line, and returns the last line that came then.
    mutating func line(_ text: [UInt8]) -> [UInt8]? {
        let count = lines.count
        carryOut(gateway.receive(.line(text)))
        return lines.count > count ? lines.remove(at: count) : nil
    }

    /// Sends a request, and returns its response.
    mutating func send(_ call: Call) -> ServerLine? {
        lastID += 1
        guard let line = line(call.line(id: .integer(lastID)).dropLast()) else { return nil }
        return try? ServerLine(parsing: line.dropLast())
    }

    mutating func line(_ text: ArraySlice<UInt8>) -> [UInt8]? { line(Array(text)) }

    mutating func result<Result: WireResult>(_ call: Call, _ result: Result.Type = Result.self) -> Result? {
        guard case .result(_, let value) = send(call) else { return nil }
        return try? Result(reading: value)
    }

    /// The result of a request that must succeed.
    mutating func taken<Result: WireResult>(_ call: Call) throws -> Result {
        guard let result = result(call, Result.self) else { throw Refused() }
        return result
    }

    private struct Refused: Error {}

    mutating func refusal(_ call: Call) -> ErrorKind? {
        guard case .failure(_, let error) = send(call) else { return nil }
        return error.kind
    }

    mutating func hello() { _ = send(.hello(HelloParams(client: ClientInfo(name: "test")))) }

    /// The pages that came since the last call.
    mutating func takePages() -> [RevisionsPage] {
        defer { lines = [] }
        return lines.compactMap { line in
            guard case .notification(.revisions(let page)) = try? ServerLine(parsing: line.dropLast()) else { return nil }
            return page
        }
    }
}

extension ServerLine {
    init(parsing line: ArraySlice<UInt8>) throws { self = try ServerLine(parsing: Array(line)) }
}

/// A revision of one replica that writes a text.
func revision(_ dot: Dot, text: String) -> LinkedRevision {
    LinkedRevision(
        Revision(
            note: noteID(dot.counter), dot: dot, parents: Version([]),
            edits: text.isEmpty ? [] : [Edit(start: 0, end: 0, replacement: Array(text.utf8))], origin: .stated, author: ada,
            time: Timestamp(milliseconds: 1_700_000_000_000)),
        parentHashes: [])
}
