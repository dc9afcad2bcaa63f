import Causality
import ClientTestKit
import Console
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NoteTasks

/// Tests of the screen of `watch` on a terminal.
struct LiveListTests {
    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_763_000_000_000 + seconds * 1_000) }

    private func utc(_ time: Timestamp) -> CalendarTime {
        let seconds = Int(time.milliseconds / 1_000 % 86_400)
        return CalendarTime(
            year: 2025, month: 11, dayOfMonth: 13, hour: seconds / 3_600, minute: seconds / 60 % 60, second: seconds % 60)
    }

    private func change(_ number: UInt64, by label: String, _ word: ChangeWord = .edited, changes: Int = 1) throws -> NoteChanged
    {
        let line = EncodedChange(
            change: word, note: EncodedNote(Canned.note(number, text: "x", name: "n\(number)")),
            changes: changes, origin: Origin(dependent: DependentID(number), label: ByteString(label))
        ).line(watch: 1, seq: number, cursor: Canned.cursor(number))
        guard case .notification(.changed(let change)) = try ServerLine(parsing: line.dropLast()) else {
            throw ScriptedPeer.Silence(doing: "a change")
        }
        return change
    }

    @Test func writersAndChanges_areShownNewestFirst() throws {
        var list = LiveList(started: time(0))
        list.connections = 3
        try list.changed(change(1, by: "vim"), label: "work/inbox", at: time(10))
        try list.changed(change(2, by: "mail", .created), label: "日記", at: time(12))
        try list.changed(change(3, by: "vim", changes: 4), label: "home", at: time(70))
        let lines = list.lines(rows: 20, columns: 70, now: time(72), local: utc, style: Style(isOn: false))
        #expect(
            lines == [
                "live: 3 connected, 6 changes since 02:13:20; Ctrl-C to quit", "", "ACTIVE", "ada/vim   home, now, 5×",
                "ada/mail  日記, 1 min ago, 1×", "", "CHANGES", "02:14:30  edited      home, 1 B, by ada/vim, 4 changes",
                "02:13:32  created     日記, 1 B, by ada/mail", "02:13:30  edited      work/inbox, 1 B, by ada/vim",
            ])
    }

    private func presence(
        _ dependent: UInt64, by label: ByteString, _ selection: Selection?, isThere: Bool = true
    )
        -> PresenceChanged
    {
        PresenceChanged(
            note: Canned.id(1), dependent: DependentID(dependent), label: label, user: UserInfo(uid: 1_000, name: "ada"),
            place: isThere ? PositionObject(version: Canned.version(1), selection: selection) : nil)
    }

    @Test func presentWriter_isFirstUntilLeaving() throws {
        var list = LiveList(started: time(0))
        try list.changed(change(1, by: "vim"), label: "work/inbox", at: time(10))
        try list.changed(change(2, by: "mail", .created), label: "日記", at: time(12))
        list.present(presence(7, by: "vim", Selection(start: 3, end: 3)), label: "work/inbox")
        list.present(presence(8, by: "emacs", Selection(start: 3, end: 12)), label: "home")
        list.present(presence(9, by: "emacs", nil), label: "home")
        func activeWriters() -> [String] {
            let lines = list.lines(rows: 20, columns: 70, now: time(13), local: utc, style: Style(isOn: false))
            return Array(lines.drop { $0 != "ACTIVE" }.dropFirst().prefix { !$0.isEmpty })
        }
        #expect(
            activeWriters() == [
                "ada/emacs  in home, 9 B selected", "ada/emacs  in home", "ada/vim    in work/inbox, wrote now, 1×",
                "ada/mail   日記, now, 1×",
            ])
        list.present(presence(8, by: "emacs", nil, isThere: false), label: "")
        list.present(presence(7, by: "vim", nil), label: "home")
        #expect(
            activeWriters() == ["ada/emacs  in home", "ada/vim    in home, wrote work/inbox now, 1×", "ada/mail   日記, now, 1×"])
        list.forgetPresence()
        #expect(activeWriters() == ["ada/mail  日記, now, 1×", "ada/vim   work/inbox, now, 1×"])
    }

    /// For random events and terminal sizes, the lines fit the terminal and contain no control
    /// characters.
    @Test(arguments: seeds(100))
    func lines_fitAnyTerminal(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var list = LiveList(started: time(0))
        for number in 0..<UInt64(generator.below(40)) {
            let label = generator.pick(["a", "日本語日本語", "\u{1B}[2J", String(repeating: "long/", count: 30)])
            try list.changed(
                change(number + 1, by: label, generator.pick([.edited, .created, .deleted])), label: label,
                at: time(Int64(number)))
        }
        for number in 0..<UInt64(generator.below(9)) {
            let label = ByteString(generator.pick(["a", "日本語日本語", "\u{1B}[2J", String(repeating: "long/", count: 30)]))
            list.present(presence(number, by: label, Selection(start: 0, end: 5)), label: "\u{1B}[2J")
        }
        if generator.chance(0.3) { list.sentence = String(repeating: "gone ", count: 40) }
        let (rows, columns) = (1 + generator.below(40), 1 + generator.below(120))
        let lines = list.lines(rows: rows, columns: columns, now: time(50), local: utc, style: Style(isOn: false))
        #expect(lines.count <= rows, "seed \(seed)")
        for line in lines {
            #expect(DisplayWidth.of(line) <= columns, "seed \(seed): \(columns) \(line)")
            #expect(!line.unicodeScalars.contains("\u{1B}"))
        }
    }

    @Test func inactiveWriter_isHidden() throws {
        var list = LiveList(started: time(0))
        try list.changed(change(1, by: "vim"), label: "a", at: time(0))
        try list.changed(change(2, by: "mail"), label: "b", at: time(LiveList.writerSeconds + 1))
        let lines = list.lines(rows: 20, columns: 60, now: time(700), local: utc, style: Style(isOn: false))
        #expect(lines.contains { $0.hasPrefix("ada/mail") } && !lines.contains { $0.hasPrefix("ada/vim") })
    }
}
