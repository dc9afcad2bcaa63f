import Glibc
import NotesModel
import NotesWire
import TestKit

/// Many connections to one daemon, served by one thread. The writers write until the watchers have
/// received a given number of changes.
final class Crowd {
    /// The writers and watchers.
    struct Plan: Sendable {
        let seed: UInt64
        let goal: Goal
        let writers: Int
        /// Notes that only one writer writes, for each writer.
        let notesEach: Int
        let shared: Int
        let watchers: [(WatchChecker.Terms, CrowdWatcher.Pace)]
    }

    /// The amount of writing.
    enum Goal: Sendable {
        /// Until this many changes have been delivered to watchers.
        case events(Int)
        /// This many writes, counted from when all watches have begun.
        case commits(UInt64)
    }

    /// The result of a run.
    struct Report: Sendable {
        struct Counts: Sendable {
            var commits: UInt64
            /// Lines about notes, and the number of those that covered several changes.
            var events = 0
            var coalesced = 0
            var resets = 0
            var resumptions = 0
            /// Lines that were parsed as JSON.
            var readSlowly = 0
        }

        var counts: Counts
        var faults: [WatchFault] = []
    }

    private let plan: Plan
    private let path: String
    private var log = CommitLog(begin: 0, replica: Digest(""))
    private var writers: [CrowdWriter] = []
    private var watchers: [CrowdWatcher] = []
    private let shared: [NoteID]
    private let last: NoteID
    /// The commit of the last note, once acknowledged.
    private var lastCommit: UInt64?

    init(_ plan: Plan, path: String) {
        self.plan = plan
        self.path = path
        shared = (0..<plan.shared).map { noteID(plan.seed * 100_000 + UInt64($0)) }
        last = Self.last(plan.seed)
    }

    /// The note created after all other writes. A watch of selected notes must cover it to know the
    /// end.
    static func last(_ seed: UInt64) -> NoteID { noteID(seed * 100_000 + 99_999) }

    static func note(_ seed: UInt64, writer: Int, _ index: Int) -> NoteID {
        noteID(seed * 100_000 + 1_000 + UInt64(writer * 1_000 + index))
    }

    /// An upper bound on the commits made so far.
    private var issued: UInt64 { log.begin + UInt64(writers.reduce(0) { $0 + $1.written }) }

    /// - Parameter beforeTheEnd: called when all is written, before the stopped watchers read
    ///   again.
    func run(beforeTheEnd: () throws -> Void = {}) throws -> Report {
        try begin()
        while !hasReachedGoal {
            for writer in writers where writer.mayWriteMore { try writer.write() }
            try round()
        }
        try wait { self.writers.allSatisfy(\.isIdle) }
        try beforeTheEnd()
        try writers[0].create(last, text: bytes("the last\n"))
        try wait { self.writers[0].isIdle && self.log.isWhole }
        lastCommit = log.newest
        try wait {
            self.watchers.allSatisfy(\.isOver) && self.writers.allSatisfy { $0.ear?.judge.cursor ?? .max >= self.log.newest }
        }
        return report()
    }

    private var hasReachedGoal: Bool {
        switch plan.goal {
        case .events(let count): watchers.reduce(0) { $0 + $1.ear.judge.events } >= count
        case .commits(let count): log.newest - log.begin >= count
        }
    }

    private func begin() throws {
        for number in 0..<plan.writers {
            let notes = (0..<plan.notesEach).map { Self.note(plan.seed, writer: number, $0) }
            // One without echo and one with it.
            let terms =
                number < 2 ? WatchChecker.Terms(label: "writer \(number)", hasSnapshot: false, isEchoing: number == 0) : nil
            writers.append(
                try CrowdWriter(path, number: number, notes: notes, shared: shared, seed: plan.seed, terms: terms))
        }
        try wait { self.writers.allSatisfy { $0.registered != nil } }
        if let registered = writers[0].registered {
            log = CommitLog(begin: registered.sequence, replica: Digest("\(registered.replica)"))
        }
        for note in shared {
            try writers[0].create(note, text: bytes("shared\n"))
            try wait { self.writers[0].isIdle }
            guard let shown = writers[0].knowledge(of: note) else { continue }
            for writer in writers.dropFirst() { writer.look(at: note, shown) }
        }
        for (index, (terms, pace)) in plan.watchers.enumerated() {
            watchers.append(try CrowdWatcher(path, terms, pace, seed: plan.seed &+ UInt64(index)))
        }
        try wait { self.watchers.allSatisfy { $0.hasBegun } }
    }

    private func wait(until isDone: () -> Bool) throws {
        try settle()
        while !isDone() { try round() }
    }

    /// Checks the received lines as far as the responses so far allow. Called before waiting,
    /// because this may be the only work left.
    private func settle() throws {
        for watcher in watchers { try watcher.catchUp(log, last: lastCommit) }
        for writer in writers { writer.ear?.settle(log) }
    }

    /// Serves every connection that is ready, and waits if none is.
    private func round() throws {
        let reading = watchers.filter { $0.reads(log, isLast: lastCommit != nil) }
        var wanted = writers.map { pollfd(fd: $0.socket.descriptor, events: $0.socket.wanted, revents: 0) }
        wanted += reading.map { pollfd(fd: $0.socket.descriptor, events: $0.socket.wanted, revents: 0) }
        let count = poll(&wanted, nfds_t(wanted.count), Int32(Patience.seconds * 1_000))
        guard count > 0 || count < 0 && errno == EINTR else {
            throw TimedOut(what: "anything from the daemon", seconds: Patience.seconds)
        }
        for (index, writer) in writers.enumerated() where wanted[index].revents != 0 {
            try writer.socket.flush()
            try writer.socket.receive { line in
                if try writer.ear?.hear(line, issued: issued, log) != true { try writer.take(line, into: &log, issued: issued) }
            }
        }
        let bound = issued
        for (index, watcher) in reading.enumerated() where wanted[writers.count + index].revents != 0 {
            try watcher.socket.flush()
            try watcher.readable(log, issued: bound, isLast: lastCommit != nil)
        }
        try settle()
    }

    private func report() -> Report {
        var report = Report(counts: Report.Counts(commits: log.newest - log.begin))
        for ear in watchers.map(\.ear) + writers.compactMap(\.ear) {
            ear.end(log)
            report.counts.events += ear.judge.events
            report.counts.coalesced += ear.judge.coalesced
            report.counts.resets += ear.judge.resets
            report.counts.resumptions += ear.judge.resumptions
            report.counts.readSlowly += ear.readSlowly
            report.faults += ear.judge.faults
        }
        return report
    }
}
