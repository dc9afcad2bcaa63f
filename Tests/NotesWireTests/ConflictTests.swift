import Causality
import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing
import TextMerge

/// Conflicts and audits on the wire, byte for byte.
@Suite struct ConflictTests {
    private static let time = Timestamp(milliseconds: 1_700_000_000_123)
    private static let id = "0000000000000001000000000000000a"

    private func detail(_ kind: ConflictKind, base: ConflictContent?, _ contents: ConflictContent...) -> ConflictDetail {
        let open = OpenConflict(
            id: ConflictID(high: 1, low: 10), kind: kind, sides: [dot("A2"), dot("B1")],
            start: TextPosition(utf8: 5, utf16: 4, utf32: 3), end: TextPosition(utf8: 9, utf16: 7, utf32: 6))
        let sides = zip(open.sides, contents).map {
            ConflictSide(dot: $0, author: ada, modified: Self.time, content: $1)
        }
        return ConflictDetail(conflict: open, base: base, sides: sides)
    }

    private func json(_ kind: String, start: Int = 5, end: Int = 9, _ rest: String = "") -> String {
        #"{"id":"\#(Self.id)","kind":"\#(kind)","range":{"start":\#(start),"end":\#(end)}\#(rest)}"#
    }

    private func sideJSON(_ dot: String, _ content: String) -> String {
        #"{"dot":"\#(dot)","author":{"user":"ada","label":"laptop/vim"},"modified":"2023-11-14T22:13:20.123Z",\#(content)}"#
    }

    private func sidesJSON(_ kind: String, base: String, _ left: String, _ right: String) -> String {
        let (left, right) = (sideJSON("aaaaaaaaaaaaaaaa:2", left), sideJSON("bbbbbbbbbbbbbbbb:1", right))
        return json(kind, #","base":\#(base),"sides":[\#(left),\#(right)]"#)
    }

    @Test func conflicts_ofEachKind_areExact() {
        let expected: [(ConflictDetail, String)] = [
            (
                detail(.text, base: .text(bytes("a\n")), .text(bytes("b\n")), .text([])),
                sidesJSON("text", base: #""a\n""#, #""text":"b\n""#, #""text":"""#)
            ),
            (
                detail(.name, base: .name(nil), .name(name("b")), .name(nil)),
                sidesJSON("name", base: "null", #""name":"b""#, #""name":null"#)
            ),
            (
                detail(.name, base: .name(name("a")), .name(name("b")), .name(nil)),
                sidesJSON("name", base: #""a""#, #""name":"b""#, #""name":null"#)
            ),
            (
                detail(.deletion, base: nil, .deleted, .text(bytes("b\n"))),
                sidesJSON("deletion", base: "null", #""deleted":true"#, #""text":"b\n""#)
            ),
        ]
        for (detail, json) in expected {
            let shown = OutcomeResult.Merged(
                version: version("A2"), edits: nil, text: nil, conflicts: [ConflictObject(detail, .utf8)])
            let outcome = OutcomeResult(outcome: .conflicted, dot: nil, version: version("A2"), note: shown)
            #expect(
                string(outcome.line(id: .integer(1))) == """
                    {"jsonrpc":"2.0","id":1,"result":{"outcome":"conflicted","version":"aaaaaaaaaaaaaaaa:2",\
                    "note":{"version":"aaaaaaaaaaaaaaaa:2","conflicts":[\(json)]}}}\n
                    """)
        }
    }

    @Test func listedConflict_hasIDKindAndPlace_inClientEncoding() {
        let head = Head(
            id: noteID(1), name: nil, version: version("A2"), vector: VersionVector(), title: "", tags: [], created: Self.time,
            modified: Self.time, author: ada, bytes: 12, isDeleted: false, conflicts: [detail(.text, base: nil).conflict])
        for (encoding, start, end) in [(PositionEncoding.utf8, 5, 9), (.utf16, 4, 7), (.utf32, 3, 6)] {
            let note = string(EncodedNote(NoteObject(head, encoding)).json)
            #expect(note.contains(#""conflicts":[\#(json("text", start: start, end: end))]"#), "\(note)")
        }
    }

    @Test(arguments: [
        (#"{"start":5,"end":4}"#, "range.end"), (#"{"start":-1,"end":4}"#, "range.start"), (#"{"start":1}"#, "range.end"),
        (#"{"start":1,"end":4},"sides":[]"#, "base"), (#"{"start":1,"end":4},"base":7,"sides":[]"#, "base"),
        (#"{"start":1,"end":4},"base":null,"sides":[{}]"#, "sides[0].deleted"),
        (#"{"start":1,"end":4},"base":null,"sides":[{"deleted":false}]"#, "sides[0].deleted"),
        (#"{"start":1,"end":4},"base":null,"sides":[{"text":"","dot":"1"}]"#, "sides[0].dot"),
    ])
    func malformedConflict_reportsItsPath(rest: String, path: String) throws {
        let conflict = #"{"id":"\#(Self.id)","kind":"text","range":\#(rest)}"#
        let text = #"{"outcome":"merged","version":"","note":{"version":"","conflicts":[\#(conflict)]}}"#
        let value = try JSONDocument(parsing: bytes(text), depthMax: 9).root
        do {
            _ = try OutcomeResult(reading: value)
            Issue.record("\(conflict) is read")
        } catch {
            #expect(error.path == "note.conflicts[0].\(path)")
        }
    }

    @Test func audit_ofBothOutcomes_isExact() throws {
        #expect(
            string(AuditResult(AuditReport(notes: 2, revisions: 3, findings: [])).line(id: .integer(1))) == """
                {"jsonrpc":"2.0","id":1,"result":{"ok":true,"notes":2,"revisions":3,"findings":[],"waiting":[],\
                "quarantined":[],"compacted":0}}\n
                """)
        let findings = [
            AuditFinding(note: noteID(1), dot: dot("A2"), what: "its text differs"),
            AuditFinding(note: nil, dot: nil, what: "a page is torn", affects: .derived),
        ]
        let waiting = [AuditWaiting(note: noteID(1), revisions: 2, parents: [dot("A2"), dot("B1")])]
        let held = HeldRevision(
            note: noteID(1), dot: dot("B1"), reason: "its dot is taken", author: Author(user: "ada", label: nil),
            time: Timestamp(milliseconds: 0), inserts: "x\n", bytes: 2)
        let report = AuditReport(
            notes: 2, revisions: 3, findings: findings, waiting: waiting, quarantined: [held], compacted: 2)
        #expect(
            string(AuditResult(report).line(id: .integer(1))) == """
                {"jsonrpc":"2.0","id":1,"result":{"ok":false,"notes":2,"revisions":3,"findings":[\
                {"note":"\(noteID(1))","dot":"aaaaaaaaaaaaaaaa:2","message":"its text differs","affects":"texts"},\
                {"note":null,"dot":null,"message":"a page is torn","affects":"derived"}],"waiting":[\
                {"note":"\(noteID(1))","revisions":2,"parents":["aaaaaaaaaaaaaaaa:2","bbbbbbbbbbbbbbbb:1"]}],"quarantined":[\
                {"note":"\(noteID(1))","dot":"bbbbbbbbbbbbbbbb:1","reason":"its dot is taken",\
                "author":{"user":"ada","label":null},"modified":"1970-01-01T00:00:00.000Z","inserts":"x\\n","bytes":2}],\
                "compacted":2}}\n
                """)
        // The result of a daemon that does not report waiting revisions.
        let older = try JSONDocument(
            parsing: bytes(#"{"ok":true,"notes":0,"revisions":0,"findings":[]}"#), depthMax: 9)
        #expect(try AuditResult(reading: older.root).report.waiting.isEmpty)
        let claim = bytes(#"{"ok":true,"notes":0,"revisions":0,"findings":[{"note":null,"dot":null,"message":"x"}]}"#)
        let document = try JSONDocument(parsing: claim, depthMax: 9)
        #expect(throws: ParamFault.self) { try AuditResult(reading: document.root) }
        // A daemon that does not report what is affected, or reports something new.
        for affects in ["", #","affects":"other""#] {
            let finding = #"{"ok":false,"notes":0,"revisions":0,"findings":[{"note":null,"dot":null,"message":"x"\#(affects)}]}"#
            let document = try JSONDocument(parsing: bytes(finding), depthMax: 9)
            #expect(try AuditResult(reading: document.root).report.findings.map(\.affects) == [.texts])
        }
    }
}
