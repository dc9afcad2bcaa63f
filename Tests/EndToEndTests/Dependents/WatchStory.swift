import Causality
import NotesModel
import NotesWire
import TestKit

/// Nine commits to four notes and the lines of correct watches, into which tests plant faults.
///
///     commit   1    2    3    4    5    6    7    8    9
///     note     a    b    a    c    a    b    b    a    d
///              new  new       new       gone back      new
///
/// Dependent 8 makes the odd commits, dependent 7 the others.
struct WatchStory {
    var terms = WatchChecker.Terms(label: "told", include: .edits)
    var start = WatchChecker.Start.snapshot
    /// The dependent that watches, if it also writes.
    var own: UInt64?
    var lines: [WatchLine]
    /// The lines on a second connection, and the cursor from which it resumes.
    var resumed: (since: UInt64, lines: [WatchLine])?

    private static let run = replica("a")
    private static let notes = Array("abacabbad")

    static let log: CommitLog = {
        var log = CommitLog(begin: 0, replica: Digest("\(run)"))
        // Out of order: responses on different connections arrive in any order.
        for number in [2, 1, 3, 5, 4, 9, 8, 7, 6] as [UInt64] {
            let shown = CommitLog.Shown(version: version(number), isDeleted: number == 6, text: text(number))
            log.answered(Dot(run, number), note: note(number), shown: shown, origin: origin(number))
        }
        return log
    }()

    private static func version(_ number: UInt64) -> Digest { Digest("\(run):\(number)") }
    private static func text(_ number: UInt64) -> [UInt8] { number == 6 ? [] : bytes("text \(number)\n") }
    private static func note(_ number: UInt64) -> Digest { Digest(String(notes[Int(number) - 1])) }
    private static func origin(_ number: UInt64) -> UInt64 { number % 2 == 1 ? 8 : 7 }

    // MARK: Correct lines

    /// The note as of a commit; with edits if there is a `base`.
    static func change(_ word: ChangeWord, _ number: UInt64, changes: Int = 1, base: UInt64? = nil) -> WatchLine {
        let edits = base.map { base in
            WatchLine.Body.edits(
                base: version(base), [PositionedEdit(start: 0, end: text(base).count, text: text(number))])
        }
        let body = edits ?? (number == 6 ? .meta : .text(text(number)))
        return line(
            number,
            .changed(
                WatchLine.Change(
                    word: word, note: note(number), version: version(number), isDeleted: number == 6, changes: changes,
                    origin: origin(number), body: body)))
    }

    static func line(_ cursor: UInt64, _ event: WatchLine.Event) -> WatchLine {
        WatchLine(watch: 1, seq: 0, cursor: cursor, replica: event == .reset ? nil : Digest("\(run)"), event: event)
    }

    /// A watch from commit 2 on that reads the lines about note a late.
    static let followed = WatchStory(
        lines: [
            change(.snapshot, 1), change(.snapshot, 2), line(2, .synced), change(.edited, 3, base: 1), change(.created, 4),
            change(.deleted, 6), change(.restored, 7), change(.edited, 8, changes: 2, base: 3), change(.created, 9),
            line(9, .bookmark),
        ]
    ).numbered()

    /// A watch that stopped reading after commit 4 and was reset.
    static let reset = WatchStory(
        lines: [
            change(.snapshot, 1), change(.snapshot, 2), line(2, .synced), change(.edited, 3, base: 1), change(.created, 4),
            line(0, .reset), change(.edited, 7, changes: 2, base: 2), change(.edited, 8, changes: 2, base: 3), line(8, .synced),
            change(.created, 9),
        ]
    ).numbered()

    /// A watch that hung up after it read commit 4, and resumed after commit 8.
    static let cameAgain = WatchStory(
        lines: Array(followed.lines[..<5]),
        resumed: (
            4,
            [
                change(.edited, 7, changes: 2, base: 2), change(.edited, 8, changes: 2, base: 3), line(8, .synced),
                change(.created, 9),
            ]
        )
    ).numbered()

    /// A watch by dependent 7 without echo, so it does not receive commits 2, 4, 6 and 8. Those
    /// commits only move the pending lines.
    static let unechoed = WatchStory(
        terms: WatchChecker.Terms(label: "unechoed", isEchoing: false), start: .tail(0), own: 7,
        lines: [
            line(0, .synced), change(.created, 1), change(.edited, 3), change(.restored, 7), change(.edited, 8, changes: 2),
            change(.created, 9),
        ]
        .map { $0.withoutText }
    ).numbered()

    // MARK: Replaying

    /// Numbers the lines.
    func numbered() -> WatchStory {
        var story = self
        for index in story.lines.indices { story.lines[index].seq = UInt64(index + 1) }
        if var resumed = story.resumed {
            for index in resumed.lines.indices { resumed.lines[index].seq = UInt64(index + 1) }
            story.resumed = resumed
        }
        return story
    }

    /// The faults that the checker finds.
    func faults() -> [WatchFault] {
        var judge = WatchChecker(terms)
        judge.own = own
        judge.begin(start, issued: Self.log.newest, Self.log)
        for line in lines { judge.take(line, issued: Self.log.newest, Self.log) }
        if let resumed {
            judge.begin(.since(resumed.since), issued: Self.log.newest, Self.log)
            for line in resumed.lines { judge.take(line, issued: Self.log.newest, Self.log) }
        }
        judge.end(Self.log)
        return judge.faults
    }
}

extension WatchLine {
    var withoutText: WatchLine {
        var line = self
        line.change?.body = .meta
        return line
    }

    var change: Change? {
        get {
            if case .changed(let change) = event { change } else { nil }
        }
        set {
            if let newValue { event = .changed(newValue) }
        }
    }
}
