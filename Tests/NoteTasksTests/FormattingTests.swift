import Causality
import Console
import NoteText
import NotesModel
import NotesWire
import Testing
import TextMerge

@testable import NoteTasks

struct FormattingTests {
    private let now = Timestamp(milliseconds: 1_763_000_000_000)
    private let replica = ReplicaID(bits: 0x9F86_D081_884C_7D65)
    private let other = ReplicaID(bits: 0x9F86_D0FF_0000_0000)

    private func head(_ number: UInt64, _ name: String?, title: String, tags: [String] = [], ago: Int64, bytes: Int) -> Head {
        Head(
            id: NoteID(at: Timestamp(milliseconds: 1_700_000_000_000), random: (number, 0xABCD_0000 + number)),
            name: name.flatMap { try? NoteName(ByteString($0)) }, version: Version(Dot(replica, number + 1)),
            vector: VersionVector(), title: ByteString(title), tags: tags.map { ByteString($0) }, created: now,
            modified: Timestamp(milliseconds: now.milliseconds - ago * 1_000), author: Author(user: "ada", label: "vim"),
            bytes: bytes, isDeleted: false)
    }

    @Test(arguments: [
        (0, "now"), (-100, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"), (86_400, "1 d"),
        (604_800, "2025-11-06"),
    ])
    func when_isRelativeForAWeek(ago: Int64, text: String) {
        let time = Timestamp(milliseconds: now.milliseconds - ago * 1_000)
        #expect(RelativeTime.relative(time, now: now, local: CalendarTime.utc(time)) == text)
    }

    @Test func history_showsShortDotsAndActions() {
        func revision(
            _ dot: Dot, on parents: [Dot], _ name: String?, bytes: Int = 10, deleted: Bool = false, stated: Bool = false,
            resolves: Int = 0
        ) -> RevisionSummary {
            RevisionSummary(
                dot: dot, parents: Version(parents), author: Author(user: "ada", label: "vim"), time: now, bytes: bytes,
                isDeleted: deleted, name: name.flatMap { try? NoteName(ByteString($0)) }, isStated: stated,
                resolves: (0..<resolves).map { ConflictID(high: 0, low: UInt64($0)) })
        }
        let (a, b, c, d, e) = (Dot(replica, 1), Dot(replica, 2), Dot(other, 1), Dot(replica, 3), Dot(replica, 4))
        let lines = HistoryTable(local: CalendarTime.utc, style: Style(isOn: false)).lines([
            revision(e, on: [d], nil, bytes: 0, deleted: true),
            revision(d, on: [b, c], "new", resolves: 1),
            revision(c, on: [a], "old", bytes: 2_000, stated: true),
            revision(b, on: [a], "old"),
            revision(a, on: [], "old"),
        ])
        #expect(
            lines == [
                "9f86d08:4  2025-11-13 02:13:20  ada/vim     0 B  deleted",
                "9f86d08:3  2025-11-13 02:13:20  ada/vim    10 B  saved, merged 9f86d08:2 and 9f86d0f:1, resolved a conflict, named new",
                "9f86d0f:1  2025-11-13 02:13:20  ada/vim  2.0 kB  edited, on 9f86d08:1",
                "9f86d08:2  2025-11-13 02:13:20  ada/vim    10 B  saved",
                "9f86d08:1  2025-11-13 02:13:20  ada/vim    10 B  created, as old",
            ])
        let table = HistoryTable(local: CalendarTime.utc, style: Style(isOn: false), sides: [b])
        let marked = table.lines([revision(d, on: [b], "old", resolves: 2), revision(b, on: [a], "old")])
        #expect(
            marked == [
                "9f86d0:3  2025-11-13 02:13:20  ada/vim  10 B  saved, resolved 2 conflicts",
                "9f86d0:2  2025-11-13 02:13:20  ada/vim  10 B  saved, in conflict",
            ])
    }

    @Test func history_showsUndos_andLogShowsNotes() {
        func revision(
            _ counter: UInt64, label: String, _ name: String?, deleted: Bool = false, withdraws: [Dot] = []
        ) -> RevisionSummary {
            RevisionSummary(
                dot: Dot(replica, counter), parents: Version(Dot(replica, counter - 1)),
                author: Author(user: "ada", label: ByteString(label)), time: now, bytes: 10, isDeleted: deleted,
                name: name.flatMap { try? NoteName(ByteString($0)) }, isStated: false, withdraws: withdraws)
        }
        let undo = revision(3, label: "notesctl", "a", withdraws: [Dot(replica, 2)])
        let table = HistoryTable(local: CalendarTime.utc, style: Style(isOn: false))
        #expect(table.lines([undo]) == ["9f86d0:3  2025-11-13 02:13:20  ada/notesctl  10 B  undid 9f86d0:2"])
        let redo = revision(4, label: "notesctl", "a", withdraws: [Dot(replica, 3)])
        #expect(table.lines([redo, undo]).first == "9f86d0:4  2025-11-13 02:13:20  ada/notesctl  10 B  redid 9f86d0:2")
        let short = HistoryTable(local: CalendarTime.utc, style: Style(isOn: false), hidden: [undo])
        #expect(short.lines([redo]) == ["9f86d0:4  2025-11-13 02:13:20  ada/notesctl  10 B  redid 9f86d0:2"])
        var gone = head(1, nil, title: "", ago: 0, bytes: 0)
        gone.isDeleted = true
        let entries = [
            HistoryTable.Entry(undo, older: revision(2, label: "vim", "a"), note: head(1, "a", title: "", ago: 0, bytes: 0)),
            HistoryTable.Entry(
                revision(4, label: "vim", nil, deleted: true), older: revision(3, label: "vim", "long/name"), note: gone),
            HistoryTable.Entry(revision(4, label: "vim", nil, deleted: true), older: nil, note: gone),
        ]
        #expect(
            table.lines(entries) == [
                "9f86d0:3  2025-11-13 02:13:20  a          ada/notesctl  10 B  undid 9f86d0:2",
                "9f86d0:4  2025-11-13 02:13:20  long/name  ada/vim       10 B  deleted",
                "9f86d0:4  2025-11-13 02:13:20  cd0001     ada/vim       10 B  deleted",
            ])
    }

    /// A name of 200 bytes leaves the columns of the other notes where they are.
    @Test func log_cutsLongNames_asListDoes() throws {
        func revision(_ counter: UInt64, on parent: UInt64?, _ name: String) -> RevisionSummary {
            RevisionSummary(
                dot: Dot(replica, counter), parents: parent.map { Version(Dot(replica, $0)) } ?? Version([]),
                author: Author(user: "ada", label: "vim"), time: now, bytes: 10, isDeleted: false,
                name: try? NoteName(ByteString(name)), isStated: false)
        }
        let long = String(repeating: "long/", count: 40) + "x"
        let entries = [
            HistoryTable.Entry(
                revision(2, on: 1, long), older: revision(1, on: nil, "a"), note: head(1, long, title: "", ago: 0, bytes: 0)),
            HistoryTable.Entry(revision(1, on: nil, "a"), older: nil, note: head(1, long, title: "", ago: 0, bytes: 0)),
        ]
        let lines = HistoryTable(local: CalendarTime.utc, columns: 80, style: Style(isOn: false)).lines(entries)
        #expect(
            lines == [
                "9f86d0:2  2025-11-13 02:13:20  long/long/long/lo…  ada/vim  10 B  saved, renamed",
                "9f86d0:1  2025-11-13 02:13:20  a                   ada/vim  10 B  created",
            ], "\(lines)")
        let history = HistoryTable(local: CalendarTime.utc, columns: 80, style: Style(isOn: false)).lines(entries.map(\.revision))
        for line in lines + history { #expect(DisplayWidth.of(line) <= 80, "\(line)") }
    }

    @Test func heldRevisions_areNamedWithNotesAndAuthors() {
        let heads = (1...5).map { head($0, nil, title: $0 == 1 ? "a\u{1B}" : "T\($0)", ago: 0, bytes: 0) }
        let text = HeldText(heads: [heads[0].id: heads[0], heads[1].id: heads[1]], style: Style(isOn: false))
        func held(_ note: Int, reason: String?, by user: ByteString = "ada") -> HeldRevision {
            HeldRevision(
                note: heads[note].id, dot: Dot(replica, 2), reason: reason, author: Author(user: user, label: nil), time: now,
                inserts: "x\u{1B}\ny\n", bytes: 5)
        }
        let day = TimestampText.text(now).prefix(10)
        let taken = held(0, reason: "its dot is taken", by: "eve\u{1B}")
        let title = "9f86d081884c7d65:2  “a\\x1B”  eve\\x1B, \(day)  not accepted: its dot is taken; it inserts"
        #expect(text.line(taken) == title + " \"x\\x1B\\x0Ay\\x0A\"")
        #expect(text.whole(taken) == [title + ":", "x\\x1B\ny\n"])
        #expect(
            text.line(held(2, reason: nil)).hasPrefix(
                "9f86d081884c7d65:2  \(heads[2].id)  ada, \(day)  waits for its parents; it inserts"))
        #expect(text.summary(of: HeldPage(revisions: [], next: nil, quarantined: 0, waiting: 0)) == nil)
        #expect(
            text.summary(of: HeldPage(revisions: [taken, held(1, reason: nil)], next: nil, quarantined: 1, waiting: 1))
                == "of other machines, 1 revision was not accepted and 1 revision waits for earlier ones: "
                + "for “a\\x1B”, “T2”, by eve\\x1B, ada; your notes are whole without them")
        let many = HeldPage(revisions: (0..<5).map { held($0, reason: nil) }, next: nil, quarantined: 0, waiting: 5)
        let named = "5 revisions wait for earlier ones: for “a\\x1B”, “T2”, \(heads[2].id), …, by ada;"
        #expect(text.summary(of: many)?.contains(named) == true)
        let unread = HeldPage(revisions: [], next: nil, quarantined: 2, waiting: 0)
        #expect(text.summary(of: unread) == "of other machines, 2 revisions were not accepted; your notes are whole without them")
    }

    @Test(arguments: [
        ("90s", 90), ("30min", 1_800), ("5m", 300), ("12h", 43_200), ("3d", 259_200), ("2w", 1_209_600), ("today", 8_000),
        ("yesterday", 94_400), ("2025-11-12", 94_400), ("2025-11-13T02:13", 20), ("2025-11-13 02:13:10", 10),
        ("2025-03-01", 257 * 86_400 + 8_000),
    ])
    func timeReference_isRead(text: String, ago: Int64) {
        #expect(time(text) == Timestamp(milliseconds: now.milliseconds - ago * 1_000))
    }

    @Test(arguments: [
        "", "3", "d", "3 d", "-3d", "1000001w", "99999999999999999999d", "2025-13-01", "2025-11-00", "25-11-12", "2025-11-12T",
        "2025-11-12T24:00", "2025-11-12T1:00", "tomorrow", "２d",
    ])
    func malformedTimeReference_isRefused(text: String) {
        #expect(time(text) == nil)
    }

    /// The time that a reference denotes in UTC.
    private func time(_ text: String) -> Timestamp? {
        TimeReference.time(text, now: now, local: CalendarTime.utc) { time in
            var day = Timestamp(milliseconds: now.milliseconds / 86_400_000 * 86_400_000 + 86_400_000)
            // Days are counted back from tomorrow until the calendar shows the wanted one.
            let seconds = Int64((time.hour * 60 + time.minute) * 60 + time.second)
            for _ in 0..<400 {
                day = Timestamp(milliseconds: day.milliseconds - 86_400_000)
                let found = CalendarTime.utc(day)
                guard found.year == time.year, found.month == time.month, found.dayOfMonth == time.dayOfMonth else { continue }
                return Timestamp(milliseconds: day.milliseconds + seconds * 1_000)
            }
            return nil
        }
    }

    @Test(arguments: [
        ("cd0001", true), ("0000abcd0001", true), ("-0000abcd0001", true), ("cd001", false), ("work01", false), ("CD0001", false),
    ])
    func endOfAnID_isRecognised(text: String, isEnd: Bool) {
        #expect(NoteReference.isEnd(text) == isEnd)
    }

    @Test func shortIDs_areUnique() {
        let ids = (0..<200).map { NoteID(at: Timestamp(milliseconds: 1_700_000_000_000 + $0), random: (0, UInt64($0) << 30)) }
        let length = ShortID.length(for: ids)
        #expect(Set(ids.map { ShortID.text($0, length) }).count == ids.count)
        #expect(Set(ids.map { ShortID.text($0, length - 1) }).count < ids.count)
    }

    @Test func shortDot_namesOneRevision() throws {
        let known = [Dot(replica, 1), Dot(replica, 12), Dot(other, 1)]
        #expect(try VersionReference.dot("9f86:12", among: known) == Dot(replica, 12))
        #expect(try VersionReference.dot("9f86d081:1", among: known) == Dot(replica, 1))
        for wrong in ["9f86:1", "9f86:2", "abc:1", "9f86d081", "9f86d081:x", ""] {
            #expect(throws: ExitFailure.self) { try VersionReference.dot(wrong, among: known) }
        }
    }

    @Test(arguments: [
        ("019a", true), ("019a-", true), ("019", false), ("019A", false), ("019g", false), ("work", false), ("cafe", false),
    ])
    func idPrefix_hasFourDigits(text: String, isPrefix: Bool) {
        #expect(NoteReference.isPrefix(text) == isPrefix)
    }

    @Test(arguments: [
        ("work/inbox", "inbox.md"), ("a.txt", "a.txt"), ("x/-rf", "note-rf.md"), (".hidden", "note.hidden.md"),
        ("a\u{1B}b", "a\\x1Bb.md"),
    ])
    func draftFile_isNamedAfterNote(note: String, file: String) {
        #expect(Draft.fileName(note) == file)
    }
}
