import NotesModel
import NotesWire

/// Checks one client's watch against the responses that the writers received: G4, G5 and G6 seen
/// from outside.
///
/// A line may arrive before the response to its write has been read on another connection. The line
/// and all after it then wait until the log contains the commit.
///
/// The client outlives its connection: it resumes with `since` at its last cursor and keeps the
/// texts it has.
///
/// **What `coalesced` counts.** A line covers the note's changes after the one last sent. During a
/// catch-up these are the changes after the cursor where the catch-up began, either `since` or the
/// position of a reset. A change that this cursor passed because the note had changed again is
/// counted by no line. In a snapshot the count is 1.
///
/// Two cases cannot be checked: a watch without echo that misses more than the 32,768 commits whose
/// authors the daemon remembers, and notes that two clients delete concurrently, where one commit
/// shows nothing new to anyone.
struct WatchChecker: Sendable {
    /// The parameters of the watch.
    struct Terms: Sendable {
        let label: String
        var include = WatchDetail.meta
        var encoding = PositionEncoding.utf8
        /// The notes covered; nil for all.
        var ids: [NoteID]?
        /// Whether the watch begins with a snapshot.
        var hasSnapshot = true
        /// Whether the watch includes the connection's own writes.
        var isEchoing = true
    }

    enum Start: Sendable {
        case snapshot
        case since(UInt64)
        case tail(UInt64)
    }

    let terms: Terms
    private let notes: Set<Digest>?
    /// The connection's dependent from hello, if the connection also writes.
    var own: UInt64?
    /// Lines checked.
    private(set) var lines = 0
    /// Checked lines about notes.
    private(set) var events = 0
    private(set) var resets = 0
    private(set) var resumptions = 0
    private(set) var coalesced = 0
    private(set) var faults: [WatchFault] = []
    /// The commit in the last cursor received.
    private(set) var cursor: UInt64 = 0
    /// Whether `watch.synced` is expected.
    private(set) var isCatchingUp = true

    private var seq: UInt64 = 0
    /// The commit where the catch-up began; everything before counts as sent.
    private var floor: UInt64 = 0
    private var isSnapshot = false
    private var wasReset = false
    /// The commit up to which the client first counted as up to date without having received lines.
    private var assumed: UInt64 = 0
    /// The commit at which each note was last received; 0 for never.
    private var told: [UInt64] = []

    /// Whether every received line is checked.
    var isUpToDate: Bool { nextWaiting == waiting.count }

    private struct Waiting: Sendable {
        let line: WatchLine
        let issued: UInt64
    }
    private var waiting: [Waiting] = []
    private var nextWaiting = 0

    /// A note that a cursor passed. This is correct only if the note had already changed again, so
    /// that a later line covers it.
    private struct Debt: Sendable {
        let note: Int
        let cursor: UInt64
        /// An upper bound on the commits made at that time.
        let issued: UInt64
    }
    private var debts: [Debt] = []

    /// Most faults kept; the first ones show the cause.
    private static let faultsMax = 20

    init(_ terms: Terms) {
        self.terms = terms
        notes = terms.ids.map { ids in Set(ids.map { Digest("\($0)") }) }
    }

    private var unechoed: UInt64? { terms.isEchoing ? nil : own }

    /// Records a fault in something other than a line of the watch.
    mutating func refuse(_ what: String) { fault(.state, what) }

    private mutating func fault(_ rule: WatchFault.Rule, _ what: String) {
        guard faults.count < Self.faultsMax else { return }
        faults.append(WatchFault(rule: rule, what: "\(terms.label), seq \(seq): \(what)"))
    }
}

// MARK: - Events

extension WatchChecker {
    /// Begins a watch, the first or one on a new connection.
    ///
    /// - Parameter issued: an upper bound on the commits made so far.
    mutating func begin(_ start: Start, issued: UInt64, _ log: CommitLog) {
        settle(log)
        if !isUpToDate {
            fault(.state, "a connection ended with \(waiting.count - nextWaiting) lines of commits that were never acknowledged")
        }
        waiting = []
        nextWaiting = 0
        seq = 0
        isCatchingUp = true
        isSnapshot = false
        switch start {
        case .snapshot: isSnapshot = true
        case .tail(let commit):
            (floor, assumed, cursor) = (commit, commit, commit)
        case .since(let commit):
            if told.isEmpty { assumed = commit } else { resumptions += 1 }
            floor = commit
            cursor = commit
            checkNothingIsOvertaken(by: commit, issued: issued, log)
        }
    }

    /// Receives a line.
    mutating func take(_ line: WatchLine, issued: UInt64, _ log: CommitLog) {
        guard isUpToDate, line.cursor <= log.newest else {
            waiting.append(Waiting(line: line, issued: issued))
            return
        }
        judge(line, issued: issued, log)
    }

    /// Continues after new commits were added to the log.
    mutating func settle(_ log: CommitLog) {
        while nextWaiting < waiting.count, waiting[nextWaiting].line.cursor <= log.newest {
            let next = waiting[nextWaiting]
            nextWaiting += 1
            judge(next.line, issued: next.issued, log)
        }
        if isUpToDate {
            waiting.removeAll(keepingCapacity: true)
            nextWaiting = 0
        }
        if !debts.isEmpty { collectDebts(log) }
    }

    /// Ends the check after everything was written, answered and read.
    mutating func end(_ log: CommitLog) {
        settle(log)
        if !isUpToDate { fault(.state, "received commit \(waiting[nextWaiting].line.cursor), which was never acknowledged") }
        for debt in debts { fault(.overtaken, "cursor \(debt.cursor) passed note \(debt.note)") }
        if isCatchingUp { fault(.mark, "the catch-up never ended") }
        for note in 0..<log.notesCount where covers(note, log) {
            let newest = log.newest(of: note)
            guard newest > max(assumed, held(note)), let commit = log[newest] else { continue }
            let isOwn = commit.origin == unechoed
            // A snapshot contains no tombstones.
            let isUnmentioned = commit.shown.isDeleted && held(note) == 0
            if !isOwn && !isUnmentioned { fault(.newest, "note \(note): received \(held(note)), newest is \(newest)") }
        }
    }

    private func held(_ note: Int) -> UInt64 { note < told.count ? told[note] : 0 }

    private func covers(_ note: Int, _ log: CommitLog) -> Bool {
        notes?.contains { log.note($0) == note } ?? true
    }
}

// MARK: - Lines

extension WatchChecker {
    private mutating func judge(_ line: WatchLine, issued: UInt64, _ log: CommitLog) {
        lines += 1
        seq += 1
        if line.seq != seq {
            fault(.gap, "seq is \(line.seq)")
            seq = line.seq
        }
        if let replica = line.replica, line.cursor > log.begin, replica != log.replica {
            fault(.state, "the cursor is of another run")
        }
        switch line.event {
        case .changed(let change):
            events += 1
            changed(change, at: line.cursor, log)
        case .synced:
            if !isCatchingUp { fault(.mark, "synced twice") }
            moved(to: line.cursor)
            checkNothingIsOvertaken(by: line.cursor, issued: issued, log)
            isCatchingUp = false
            isSnapshot = false
            wasReset = false
        case .bookmark:
            if isCatchingUp { fault(.mark, "a bookmark during a catch-up") }
            moved(to: line.cursor)
            checkNothingIsOvertaken(by: line.cursor, issued: line.cursor, log)
        case .reset:
            resets += 1
            floor = cursor
            isCatchingUp = true
            wasReset = true
        }
    }

    private mutating func moved(to mark: UInt64) {
        if mark < cursor { fault(.order, "cursor \(mark) after \(cursor)") }
        cursor = max(cursor, mark)
    }

    private mutating func changed(_ change: WatchLine.Change, at number: UInt64, _ log: CommitLog) {
        guard let commit = log[number], log.note(change.note) == commit.note else {
            cursor = max(cursor, number)
            return fault(.state, "sent at \(number), which is a commit of another note")
        }
        if told.count <= commit.note { told += Array(repeating: 0, count: log.notesCount - told.count) }
        let shownBefore = told[commit.note]
        if number == shownBefore {
            fault(.unique, "note \(commit.note) at \(number) is sent again")
        } else if number <= cursor {
            fault(.order, "note \(commit.note) at \(number), after \(cursor)")
        }
        if commit.shown.version != change.version { fault(.state, "note \(commit.note) at \(number) has another version") }
        if commit.shown.isDeleted != change.isDeleted { fault(.state, "note \(commit.note) at \(number): deleted or not") }
        if let notes, !notes.contains(change.note) { fault(.filter, "note \(commit.note) is not covered") }
        if let origin = change.origin, origin != commit.origin {
            fault(.origin, "the change at \(number) was \(commit.origin)'s")
        }
        if change.origin == nil && !isCatchingUp { fault(.origin, "no origin for the change at \(number)") }
        checkCount(of: change, commit, at: number, shownBefore, log)
        checkBody(of: change, commit, at: number, from: max(shownBefore, floor), log)
        told[commit.note] = max(shownBefore, number)
        cursor = max(cursor, number)
    }

    /// Checks the line's count of changes and its change word.
    private mutating func checkCount(
        of change: WatchLine.Change, _ commit: CommitLog.Commit, at number: UInt64, _ shownBefore: UInt64, _ log: CommitLog
    ) {
        if change.changes > 1 { coalesced += 1 }
        if change.word == .snapshot {
            if !isSnapshot || shownBefore > 0 { fault(.word, "a snapshot of note \(commit.note), which was already sent") }
            if change.changes != 1 { fault(.coalesced, "a snapshot is one change") }
            if commit.shown.isDeleted { fault(.word, "a snapshot of a tombstone") }
            return
        }
        let from = max(shownBefore, floor)
        var count = 0
        var foreignCount = 0
        var before = number
        while before > from, let earlier = log[before] {
            count += 1
            if earlier.origin != unechoed { foreignCount = count }
            before = earlier.previous
        }
        // The snapshot has not sent the note, and it has changed meanwhile: the client has no state
        // of it.
        if isSnapshot && shownBefore == 0 {
            if change.changes > count { fault(.coalesced, "\(change.changes) of \(count) changes of note \(commit.note)") }
            return
        }
        if unechoed == nil {
            if change.changes != count { fault(.coalesced, "\(change.changes) changes of note \(commit.note), not \(count)") }
            let word = Self.word(from: log[before]?.shown, to: commit.shown)
            if !word.contains(change.word) { fault(.word, "\(change.word) of note \(commit.note) at \(number), not \(word)") }
        } else {
            // Own writes before another client's write are covered by their responses; those after
            // it, while the line is pending, move the line.
            if foreignCount == 0 && !wasReset { fault(.own, "only an own write, at \(number)") }
            if change.changes != count && change.changes != foreignCount {
                fault(.coalesced, "\(change.changes) changes of note \(commit.note), not \(foreignCount) or \(count)")
            }
        }
    }

    private static func word(from before: CommitLog.Shown?, to after: CommitLog.Shown) -> [ChangeWord] {
        if after.isDeleted { return [.deleted] }
        guard let before else { return [.created] }
        return before.isDeleted ? [.restored] : [.conflicted, .resolved, .edited]
    }

    /// - Parameter from: the edits lead from the note's newest commit up to this one.
    private mutating func checkBody(
        of change: WatchLine.Change, _ commit: CommitLog.Commit, at number: UInt64, from: UInt64, _ log: CommitLog
    ) {
        switch change.body {
        case .meta:
            if terms.include != .meta && !commit.shown.isDeleted { fault(.body, "no text of note \(commit.note) at \(number)") }
        case .text(let text):
            if terms.include == .meta { fault(.body, "a text that was not asked for") }
            if text != commit.shown.text { fault(.state, "note \(commit.note) at \(number) has another text") }
        case .edits(let base, let edits):
            if terms.include != .edits { fault(.body, "edits that were not asked for") }
            // The client may have the state at `from`, or an older one if a reset skipped what came
            // between.
            let number = commit.previous > from ? log.newest(of: commit.note, through: from) : commit.previous
            guard let before = log[number]?.shown, before.version == base else {
                return fault(.body, "edits of note \(commit.note) from another version than that of \(number)")
            }
            if Units.apply(edits, to: before.text, terms.encoding) != commit.shown.text {
                fault(.body, "edits of note \(commit.note) from \(number) lead to another text")
            }
        }
    }
}

// MARK: - Cursors

extension WatchChecker {
    /// Checks that a client which resumes from a cursor misses nothing: each note was sent at its
    /// newest commit up to the cursor, or had changed again by then.
    ///
    /// - Complexity: O(notes), so only markers and cursors that a client resumes from are checked.
    private mutating func checkNothingIsOvertaken(by cursor: UInt64, issued: UInt64, _ log: CommitLog) {
        for note in 0..<log.notesCount where covers(note, log) {
            let newest = log.newest(of: note, through: cursor)
            guard newest > max(assumed, held(note)), let commit = log[newest] else { continue }
            if commit.origin == unechoed || commit.shown.isDeleted && held(note) == 0 { continue }
            debts.append(Debt(note: note, cursor: cursor, issued: issued))
        }
        collectDebts(log)
    }

    private mutating func collectDebts(_ log: CommitLog) {
        debts.removeAll { debt in
            let newest = log.newest(of: debt.note)
            guard newest > debt.cursor else { return false }
            var first = newest
            while let previous = log[first]?.previous, previous > debt.cursor { first = previous }
            return first <= debt.issued
        }
        let overdue = debts.filter { $0.issued <= log.newest }
        for debt in overdue { fault(.overtaken, "cursor \(debt.cursor) passed note \(debt.note)") }
        if !overdue.isEmpty { debts.removeAll { $0.issued <= log.newest } }
    }
}
