import NotesModel
import NotesWire

/// One watch of the crowd: parses the lines and passes them to the checker.
final class CrowdReceiver {
    private(set) var judge: WatchChecker
    /// Lines that had to be parsed as JSON.
    private(set) var readSlowly = 0
    private var readCount = 0
    private var watch: UInt64 = 0

    /// One in this many lines that the fast parser accepts is parsed as JSON too.
    private static let doubleChecked = 64

    init(_ terms: WatchChecker.Terms) {
        judge = WatchChecker(terms)
    }

    /// The request that starts the watch.
    func params(since: CommitPosition?) -> WatchNotes {
        let terms = judge.terms
        return WatchNotes(
            filter: Filter(ids: terms.ids.map { Set($0) }), include: terms.include, since: since.map { Cursor($0) },
            snapshot: terms.hasSnapshot,
            echo: terms.isEchoing)
    }

    /// Handles the response to hello.
    func registered(as dependent: UInt64) { judge.own = dependent }

    /// Handles the response to the watch request.
    ///
    /// - Parameter since: the commit from which it resumes; nil for the first watch.
    func started(_ result: WatchResult, since: UInt64?, issued: UInt64, _ log: CommitLog) {
        watch = result.watch
        if result.isReset { judge.refuse("a received cursor stays valid for ever") }
        let fresh: WatchChecker.Start = judge.terms.hasSnapshot ? .snapshot : .tail(result.cursor.commit.sequence)
        judge.begin(since.map { .since($0) } ?? fresh, issued: issued, log)
    }

    /// Passes a line to the checker; returns false if it does not belong to the watch.
    func hear(_ bytes: UnsafeRawBufferPointer, issued: UInt64, _ log: CommitLog) throws -> Bool {
        guard let line = try read(bytes) else { return false }
        if line.watch != watch { judge.refuse("a line of watch \(line.watch), not \(watch)") }
        if let own = judge.own, case .changed(let change) = line.event, change.origin == own, line.cursor > log.newest,
            !log.isEarly(line.cursor)
        {
            judge.refuse("an own write at \(line.cursor) is sent before its response")
        }
        judge.take(line, issued: issued, log)
        return true
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws -> WatchLine? {
        guard let quick = WatchLine(quickly: bytes) else {
            readSlowly += 1
            return try WatchLine(parsing: bytes)
        }
        readCount += 1
        if readCount % Self.doubleChecked == 0, try WatchLine(parsing: bytes) != quick {
            judge.refuse("the fast parser reads a line differently: \(String(decoding: bytes, as: UTF8.self))")
        }
        return quick
    }

    func settle(_ log: CommitLog) { judge.settle(log) }

    func end(_ log: CommitLog) { judge.end(log) }
}
