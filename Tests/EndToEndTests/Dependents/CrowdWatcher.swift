import Causality
import NotesModel
import NotesWire
import TestKit

/// One of those who watch and do not write, and how it reads.
final class CrowdWatcher {
    enum Pace: Sendable {
        /// Whatever comes, at once.
        case eager
        /// A few bytes in each round.
        case slow(bytes: Int)
        /// Not at all for so many commits, and then until it was told all; again and again.
        case stopping(commits: UInt64)
        /// Hangs up after about so many lines, and goes on from its last cursor on another connection.
        case leaving(lines: Int)
    }

    private enum Life: Equatable {
        case reading
        /// Until the log has that many commits.
        case stopped(until: UInt64)
        /// It asked for something, whose answer is the last line.
        case asking
        case over
    }

    private let path: String
    let pace: Pace
    let ear: CrowdEar
    private(set) var socket: CrowdSocket
    private var life = Life.reading
    private var start = WatchJudge.Start.snapshot
    /// The run of the daemon.
    private var replica: ReplicaID?
    private var random: SeededGenerator
    private var linesLeft = 0
    /// No commit above this number can be told: how many writes were sent.
    private var issued: UInt64 = 0

    private static let lastRequest: Int64 = 9

    init(_ path: String, _ terms: WatchJudge.Terms, _ pace: Pace, seed: UInt64) throws {
        self.path = path
        self.pace = pace
        ear = CrowdEar(terms)
        random = SeededGenerator(seed: seed)
        socket = try CrowdSocket(path, label: terms.label, encoding: terms.encoding)
        try socket.send(.watch(ear.params(since: nil, snapshot: true)), id: 1)
        drawLines()
    }

    var isOver: Bool { life == .over }

    private func drawLines() {
        if case .leaving(let lines) = pace { linesLeft = 1 + random.below(2 * lines) }
    }

    /// Whether it reads in this round.
    ///
    /// - Parameter isLast: whether nothing more will be written, so that everyone reads to the end.
    func reads(_ log: CommitLog, isLast: Bool) -> Bool {
        switch life {
        case .reading, .asking: return true
        case .over: return false
        case .stopped(let until):
            if isLast || log.newest >= until { life = .reading }
            return life == .reading
        }
    }

    func readable(_ log: CommitLog, issued: UInt64, isLast: Bool) throws {
        self.issued = issued
        var bytesMax = Int.max
        if case .slow(let bytes) = pace, !isLast { bytesMax = bytes }
        try socket.receive(max: bytesMax) { line in
            linesLeft -= 1
            if try !ear.hear(line, issued: issued, log) { try take(line, log) }
        }
    }

    /// The log may have grown.
    ///
    /// - Parameter last: the last commit of all, where it is known.
    func catchUp(_ log: CommitLog, last: UInt64?) throws {
        ear.settle(log)
        let judge = ear.judge
        guard life == .reading, judge.isUpToDate, judge.cursor > 0 else { return }
        if let last {
            // Once all was told, an answer of the engine must be the next line: nothing is told twice, or late.
            guard judge.cursor >= last, !judge.isCatchingUp else { return }
            life = .asking
            return try socket.send(.listNotes(ListParams(limit: 1)), id: Self.lastRequest)
        }
        switch pace {
        case .eager, .slow: break
        case .stopping(let commits):
            if !judge.isCatchingUp { life = .stopped(until: log.newest + commits) }
        case .leaving:
            if linesLeft <= 0 { try goOnElsewhere() }
        }
    }

    private func take(_ line: UnsafeRawBufferPointer, _ log: CommitLog) throws {
        switch try ServerLine(parsing: Array(line)) {
        case .result(.integer(0), let value):
            replica = try HelloResult(reading: value).replica
        case .result(.integer(1), let value):
            ear.started(try WatchResult(reading: value), start, issued: issued, log)
        case .result(.integer(Self.lastRequest), _): life = .over
        default: throw CrowdWriter.Refused(what: String(decoding: line, as: UTF8.self))
        }
    }

    /// Lines that are on their way are lost with the connection; the cursor does not cover them. What it was told and could not be
    /// judged yet would be forgotten, so there must be none.
    private func goOnElsewhere() throws {
        drawLines()
        guard let replica else { return }
        let cursor = ear.judge.cursor
        start = .since(cursor)
        socket = try CrowdSocket(path, label: ear.judge.terms.label, encoding: ear.judge.terms.encoding)
        let since = CommitPosition(sequence: cursor, replica: replica)
        try socket.send(.watch(ear.params(since: since, snapshot: true)), id: 1)
    }
}
