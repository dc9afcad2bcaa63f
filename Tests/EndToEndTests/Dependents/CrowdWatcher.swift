import Causality
import NotesMethods
import NotesModel
import NotesWire
import TestKit

/// A watcher of the crowd, which does not write, and its way of reading.
final class CrowdWatcher {
    enum Pace: Sendable {
        /// Reads everything at once.
        case eager
        /// Reads a few bytes per turn.
        case slow(bytes: Int)
        /// Reads until it is up to date, then pauses for a number of commits, repeatedly.
        case stopping(commits: UInt64)
        /// Reads until it is up to date, then pauses until all writing is done.
        case stuck
        /// Hangs up after about this many lines, and resumes from its last cursor on a new
        /// connection.
        case leaving(lines: Int)
    }

    private enum Life: Equatable {
        case reading
        /// Pauses until the log has this many commits.
        case stopped(until: UInt64)
        /// Has sent a request whose response is the last line.
        case asking
        case over
    }

    private let path: String
    let pace: Pace
    let ear: CrowdReceiver
    private(set) var socket: CrowdSocket
    private var life = Life.reading
    /// The commit from which its connection resumed.
    private var since: UInt64?
    /// The id of the daemon's run.
    private var replica: ReplicaID?
    private var random: SeededGenerator
    private var linesLeft = 0
    /// An upper bound on the commits that can be received: the number of writes sent.
    private var issued: UInt64 = 0

    private static let lastRequest: Int64 = 9

    init(_ path: String, _ terms: WatchChecker.Terms, _ pace: Pace, seed: UInt64) throws {
        self.path = path
        self.pace = pace
        ear = CrowdReceiver(terms)
        random = SeededGenerator(seed: seed)
        socket = try CrowdSocket(path, label: terms.label, encoding: terms.encoding)
        try socket.send(.watch(ear.params(since: nil)), id: 1)
        drawLines()
    }

    /// Whether its first watch has caught up.
    private(set) var hasBegun = false
    var isOver: Bool { life == .over }

    private func drawLines() {
        if case .leaving(let lines) = pace { linesLeft = 1 + random.below(2 * lines) }
    }

    /// Whether it reads in this turn.
    ///
    /// - Parameter isLast: whether all writing is done, so that every watcher reads to the end.
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

    /// Continues after the log may have grown.
    ///
    /// - Parameter last: the last commit of all, if known.
    func catchUp(_ log: CommitLog, last: UInt64?) throws {
        // A watcher that paused was up to date, and its lines are checked.
        guard life == .reading else { return }
        ear.settle(log)
        guard ear.judge.isUpToDate else { return }
        hasBegun = hasBegun || ear.judge.lines > 0 && !ear.judge.isCatchingUp
        guard hasBegun else { return }
        if let last {
            // After the last change, the next line must be the response to a request to the engine:
            // nothing is sent twice or late.
            guard ear.judge.cursor >= last, !ear.judge.isCatchingUp else { return }
            life = .asking
            return try socket.send(.list(ListNotes(limit: 1)), id: Self.lastRequest)
        }
        switch pace {
        case .eager, .slow: break
        case .stopping(let commits):
            if !ear.judge.isCatchingUp { life = .stopped(until: log.newest + commits) }
        case .stuck:
            if !ear.judge.isCatchingUp { life = .stopped(until: .max) }
        case .leaving:
            if linesLeft <= 0 { try goOnElsewhere() }
        }
    }

    private func take(_ line: UnsafeRawBufferPointer, _ log: CommitLog) throws {
        switch try ServerLine(parsing: Array(line)) {
        case .result(.integer(0), let value):
            replica = try HelloResult(reading: value).replica
        case .result(.integer(1), let value):
            ear.started(try WatchResult(reading: value), since: since, issued: issued, log)
        case .result(.integer(Self.lastRequest), _): life = .over
        default: throw CrowdWriter.Refused(what: String(decoding: line, as: UTF8.self))
        }
    }

    /// Hangs up. Lines in transit are lost, and the cursor does not cover them. Lines received but
    /// not yet checked would be forgotten, so there must be none.
    private func goOnElsewhere() throws {
        drawLines()
        guard let replica else { return }
        let cursor = ear.judge.cursor
        since = cursor
        socket = try CrowdSocket(path, label: ear.judge.terms.label, encoding: ear.judge.terms.encoding)
        try socket.send(.watch(ear.params(since: CommitPosition(sequence: cursor, replica: replica))), id: 1)
    }
}
