import Causality
import Console
import NoteText
import NotesModel
import NotesWire
import Testing
import TextMerge

@testable import NoteTasks
@testable import notesctl

struct FormattingTests {
    private func utc(_ time: Timestamp) -> CalendarTime {
        let text = Array(TimestampText.text(time).utf8)
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        return CalendarTime(
            year: number(0..<4), month: number(5..<7), dayOfMonth: number(8..<10), hour: number(11..<13), minute: number(14..<16),
            second: number(17..<19))
    }

    private let now = Timestamp(milliseconds: 1_763_000_000_000)
    private let replica = ReplicaID(bits: 0x9F86_D081_884C_7D65)

    private func head(_ number: UInt64, _ name: String?, title: String, tags: [String] = [], ago: Int64, bytes: Int) -> Head {
        Head(
            id: NoteID(at: Timestamp(milliseconds: 1_700_000_000_000), random: (number, 0xABCD_0000 + number)),
            name: name.flatMap { try? NoteName(ByteString($0)) }, version: Version(Dot(replica, number + 1)),
            vector: VersionVector(), title: ByteString(title), tags: tags.map { ByteString($0) }, created: now,
            modified: Timestamp(milliseconds: now.milliseconds - ago * 1_000), author: Author(user: "ada", label: "vim"),
            bytes: bytes, isDeleted: false)
    }

    @Test func largeGraphs_areDrawnBySfdp() {
        #expect(GraphDrawing.program(nodes: GraphDrawing.dotNodesMax) == "dot")
        #expect(GraphDrawing.program(nodes: GraphDrawing.dotNodesMax + 1) == "sfdp")
    }

    @Test func list_alignsColumns_andFitsTheTerminal() {
        let notes = [
            head(1, "work/inbox", title: "Inbox", tags: ["todo"], ago: 30, bytes: 12),
            head(
                2, "日本/メモ", title: "A title that goes on and on and on until nobody reads it", tags: ["a", "b"], ago: 7_200,
                bytes: 4_096),
            head(0x800, nil, title: "No \u{1B}name", ago: 900_000, bytes: 1_234_567),
        ]
        let plain = NoteTable(now: now, local: utc, columns: nil, style: Style(isOn: false)).lines(notes, hasHeading: true)
        #expect(
            plain == [
                "NAME           CHANGED       SIZE  ID      TITLE",
                "work/inbox     now           12 B  cd0001  Inbox  #todo",
                "日本/メモ      2 h         4.1 kB  cd0002  A title that goes on and on and on until nobody reads it  #a #b",
                "“No \\x1Bname”  2025-11-02  1.2 MB  cd0800",
            ])
        for columns in [40, 60, 80, 120] {
            let lines = NoteTable(now: now, local: utc, columns: columns, style: Style(isOn: false)).lines(notes)
            for line in lines { #expect(DisplayWidth.of(line) <= max(columns, 60), "\(columns): \(line)") }
        }
    }

    @Test func emptyList_namesItsConditions() {
        func text(_ prefix: String? = nil, tag: String? = nil, conflicted: Bool = false, deleted: Bool = false) -> String {
            ListCommand.emptiness(prefix: prefix, tag: tag, conflicted: conflicted, deleted: deleted)
        }
        #expect(text() == "no notes; `notesctl new NAME` creates one")
        #expect(text("work/") == "no note has a name that starts with `work/`")
        #expect(text(tag: "#Todo", conflicted: true) == "no note has the tag `#todo` and is in conflict")
        #expect(text(deleted: true) == "no note is deleted")
    }

    @Test func list_marksConflicts_andTableCountsThem() {
        let notes = [head(1, "a", title: "T", ago: 30, bytes: 1), head(2, "b", title: "T", ago: 30, bytes: 1)]
        let lines = NoteTable(now: now, local: utc, columns: nil, style: Style(isOn: false))
            .lines(notes, inConflict: [notes[1].id])
        #expect(lines == ["a  now  1 B  cd0001  T", "b  now  1 B  cd0002  in conflict  T"])
        let kinds: [ConflictKind] = [.name, .text, .text]
        let conflicts = kinds.map { ConflictObject(id: ConflictID(high: 0, low: 0), kind: $0, range: 0..<0, detail: nil) }
        let table = ConflictTable(style: Style(isOn: false))
        #expect(table.lines([NoteObject(notes[0], conflicts: conflicts)]) == ["cd0001  a  2 text, 1 name"])
    }

    @Test func audit_hasOneLinePerFinding() {
        let line = AuditLine(style: Style(isOn: false))
        let id = head(1, nil, title: "", ago: 0, bytes: 0).id
        #expect(line.text(AuditFinding(note: nil, dot: nil, what: "a page\nis torn")) == "store  a page\\x0Ais torn")
        let finding = AuditFinding(note: id, dot: Dot(replica, 2), what: "its text differs")
        #expect(line.text(finding) == "\(id)  9f86d081884c7d65:2  its text differs")
        let derived = AuditFinding(note: id, dot: nil, what: "its title differs", affects: .derived)
        #expect(line.text(derived) == "\(id)  its title differs  (derived data)")
        let waiting = AuditWaiting(note: id, revisions: 3, parents: [Dot(replica, 2), Dot(replica, 5)])
        #expect(
            line.text(waiting)
                == "\(id)  3 revisions wait for 9f86d081884c7d65:2 9f86d081884c7d65:5, not received yet (not a fault)")
        var held = HeldRevision(
            note: id, dot: Dot(replica, 2), reason: "its\u{1B}[31m dot is taken", author: Author(user: "ada", label: nil),
            time: now, inserts: "a\u{1B}[31mb\n", bytes: 8)
        #expect(
            line.text(held)
                == "\(id)  9f86d081884c7d65:2  not accepted: its\\x1B[31m dot is taken; it inserts \"a\\x1B[31mb\\x0A\" (not a fault)"
        )
        (held.inserts, held.bytes) = (ByteString(String(repeating: "é", count: 100)), 900)
        #expect(line.text(held).hasSuffix("it inserts \"\(String(repeating: "é", count: 60))…\" (900 bytes) (not a fault)"))
        (held.inserts, held.bytes) = ("", 0)
        #expect(line.text(held).hasSuffix("it inserts no text (not a fault)"))
    }
}
