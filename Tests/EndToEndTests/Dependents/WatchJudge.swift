import NotesModel
import NotesWire

/// Holds what one client was told by its watch to what the writers were answered: G4, G5 and G6 from outside.
///
/// A line may come before the answer to the write that it shows has been read on another connection. It then waits, with all
/// behind it, until the log knows its commit.
///
/// The client lives on when its connection ends: it goes on `since` its last cursor, and keeps what it was shown.
///
/// **What `coalesced` counts.** A line stands for the note's changes after the one that was told before. In a catching up it is
/// those after the cursor from which that began, be it `since` or where a reset came: a change that was passed over by that
/// cursor, because the note had changed again, is not counted by anyone. In a snapshot it is 1.
///
/// Two things are out of its reach: a watch without echo that sleeps through more than the 32,768 commits whose authors the daemon
/// remembers, and notes that are deleted by two at once, where a commit shows nobody anything new.
struct WatchJudge: Sendable {
    /// What the client asked for.
    struct Terms: Sendable {
        let label: String
        var include = WatchParams.Include.meta
        var encoding = PositionEncoding.utf8
        /// The notes that are covered; nil for all.
        var ids: [NoteID]?
        /// Whether it begins with what is there, and not with what comes next.
        var hasSnapshot = true
        /// Whether the connection's own writes are told.
        var isEchoing = true
    }

    enum Start: Sendable {
        case snapshot
        case since(UInt64)
        case tail(UInt64)
    }

    let terms: Terms
    private let notes: Set<Digest>?
    /// The connection's dependent, where it writes too; told by hello.
    var own: UInt64?
    /// Lines that were judged.
    private(set) var lines = 0
    /// Of them, those about notes.
    private(set) var events = 0
    private(set) var resets = 0
    private(set) var resumptions = 0
    private(set) var coalesced = 0
    private(set) var faults: [WatchFault] = []
    /// The last one that was told.
    private(set) var cursor: UInt64 = 0
    /// Whether `watch.synced` is due.
    private(set) var isCatchingUp = true

    private var seq: UInt64 = 0
    /// Where the catching up began: what came before counts as told.
    private var floor: UInt64 = 0
    private var isSnapshot = false
    private var wasReset = false
    /// Up to where all was known to the client when it first came, without having been told.
    private var assumed: UInt64 = 0
    /// By note, the commit at which it was shown; 0 for not at all.
    private var told: [UInt64] = []

    /// Whether every line that came is judged.
    var isUpToDate: Bool { nextWaiting == waiting.count }

    private struct Waiting: Sendable {
        let line: WatchLine
        let issued: UInt64
    }
    private var waiting: [Waiting] = []
    private var nextWaiting = 0

    /// A note that a cursor passed over: right only if it had changed again by then, and so will be told later.
    private struct Debt: Sendable {
        let note: Int
        let cursor: UInt64
        /// No later commit than this can have been made by then.
        let issued: UInt64
    }
    private var debts: [Debt] = []

    /// Faults that are kept: the first ones say what happened.
    private static let faultsMax = 20

    init(_ terms: Terms) {
        self.terms = terms
        notes = terms.ids.map { ids in Set(ids.map { Digest("\($0)") }) }
    }

    private var unechoed: UInt64? { terms.isEchoing ? nil : own }

    /// Something that is no line of a watch's was not as it should be.
    mutating func refuse(_ what: String) { fault(.state, what) }

    private mutating func fault(_ rule: WatchFault.Rule, _ what: String) {
        guard faults.count < Self.faultsMax else { return }
        faults.append(WatchFault(rule: rule, what: "\(terms.label), seq \(seq): \(what)"))
    }
}

// MARK: - What happens

extension WatchJudge {
    /// A watch begins: the first, or one on a new connection.
    ///
    /// - Parameter issued: no commit above this number can have been made yet.
    mutating func begin(_ start: Start, issued: UInt64, _ log: CommitLog) {
        settle(log)
        if !isUpToDate {
            fault(.state, "a connection ended with \(waiting.count - nextWaiting) lines of commits that nobody was answered")
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

    /// A line came.
    mutating func take(_ line: WatchLine, issued: UInt64, _ log: CommitLog) {
        guard isUpToDate, line.cursor <= log.newest else {
            waiting.append(Waiting(line: line, issued: issued))
            return
        }
        judge(line, issued: issued, log)
    }

    /// The log grew.
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

    /// All was written, answered and read.
    mutating func end(_ log: CommitLog) {
        settle(log)
        if !isUpToDate { fault(.state, "told of commit \(waiting[nextWaiting].line.cursor), which nobody was answered") }
        for debt in debts { fault(.overtaken, "cursor \(debt.cursor) passed note \(debt.note)") }
        if isCatchingUp { fault(.mark, "the catching up never ended") }
        for note in 0..<log.notesCount where covers(note, log) {
            let newest = log.newest(of: note)
            guard newest > max(assumed, held(note)), let commit = log[newest] else { continue }
            let isOwn = commit.origin == unechoed
            // A tombstone is not in a snapshot.
            let isUnmentioned = commit.shown.isDeleted && held(note) == 0
            if !isOwn && !isUnmentioned { fault(.newest, "note \(note) is held at \(held(note)), its newest is \(newest)") }
        }
    }

    private func held(_ note: Int) -> UInt64 { note < told.count ? told[note] : 0 }

    private func covers(_ note: Int, _ log: CommitLog) -> Bool {
        notes?.contains { log.note($0) == note } ?? true
    }
}

// MARK: - Lines

extension WatchJudge {
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
            if isCatchingUp { fault(.mark, "a bookmark while catching up") }
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
            return fault(.state, "told at \(number), which is a commit of another note")
        }
        if told.count <= commit.note { told += Array(repeating: 0, count: log.notesCount - told.count) }
        let shownBefore = told[commit.note]
        if number == shownBefore {
            fault(.unique, "note \(commit.note) at \(number) is told again")
        } else if number <= cursor {
            fault(.order, "note \(commit.note) at \(number), after \(cursor)")
        }
        if commit.shown.version != change.version { fault(.state, "note \(commit.note) at \(number) has another version") }
        if commit.shown.isDeleted != change.isDeleted { fault(.state, "note \(commit.note) at \(number): deleted or not") }
        if let notes, !notes.contains(change.note) { fault(.filter, "note \(commit.note) is not covered") }
        if let origin = change.origin, origin != commit.origin {
            fault(.origin, "the change at \(number) was \(commit.origin)'s")
        }
        if change.origin == nil && !isCatchingUp { fault(.origin, "nobody's change at \(number)") }
        checkCount(of: change, commit, at: number, shownBefore, log)
        checkBody(of: change, commit, at: number, from: max(shownBefore, floor), log)
        told[commit.note] = max(shownBefore, number)
        cursor = max(cursor, number)
    }

    /// Whether the line stands for the changes that it says, and what they were.
    private mutating func checkCount(
        of change: WatchLine.Change, _ commit: CommitLog.Commit, at number: UInt64, _ shownBefore: UInt64, _ log: CommitLog
    ) {
        if change.changes > 1 { coalesced += 1 }
        if change.word == .snapshot {
            if !isSnapshot || shownBefore > 0 { fault(.word, "a snapshot of note \(commit.note), which was told of already") }
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
        // A note that a snapshot owes and that changed meanwhile: what the client holds of it is nothing.
        if isSnapshot && shownBefore == 0 {
            if change.changes > count { fault(.coalesced, "\(change.changes) of \(count) changes of note \(commit.note)") }
            return
        }
        if unechoed == nil {
            if change.changes != count { fault(.coalesced, "\(change.changes) changes of note \(commit.note), not \(count)") }
            let word = Self.word(from: log[before]?.shown, to: commit.shown)
            if !word.contains(change.word) { fault(.word, "\(change.word) of note \(commit.note) at \(number), not \(word)") }
        } else {
            // Own writes before another's are told by their answers; those behind it, while it waits, move its line.
            if foreignCount == 0 && !wasReset { fault(.own, "an own write alone, at \(number)") }
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

    /// - Parameter from: edits are made from the note's newest commit up to this one.
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
            // The client may hold it at `from`, or before, where a reset passed over what came between.
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

extension WatchJudge {
    /// Whoever goes on from here must not miss anything: each note was told at its newest commit up to here, or had changed again
    /// by then.
    ///
    /// - Complexity: O(notes), so it is asked of marks, and of cursors that a client goes on from.
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
