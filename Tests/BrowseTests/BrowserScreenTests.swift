import Causality
import ClientTestKit
import Console
import Glibc
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

/// Screens of `browse` are golden files in `Tables/`, at several sizes; `NOTESD_WRITE_GOLDEN=1`
/// rewrites them.
struct BrowserScreenTests {
    private func session(_ columns: Int, _ rows: Int) -> BrowserSession {
        var session = BrowserSession()
        session.send(.resized(columns: columns, rows: rows))
        session.send(.connected(own: DependentID(1), isReset: false))
        let notes: [(String?, String, Int64)] = [
            ("work/inbox", "In", 40), ("shopping", "Shopping", 7_200), ("日記/十一月", "今日は寒かった。", 90_000),
            ("emoji/👩‍👩‍👧", "Party 🎉🎉 at eight", 600_000), ("evil\u{202E}name", "\u{1B}[31mred", 3_000),
            ("work/a-rather-long-name/of-a-note-that-somebody/keeps-far-below", "A title that is long too", 3),
            (nil, "No name, only a title", 86_400 * 400),
        ]
        let heads = notes.enumerated().map {
            BrowserSession.head(UInt64($0 + 1), name: $1.0, title: $1.1, secondsAgo: $1.2)
        }
        session.send(.listed(heads, next: nil, isFirst: true, generation: session.generation ?? 0))
        session.send(.counted(1_204))
        session.rest()
        let text =
            "# In\n\n- oat milk\n\tand a tab\n- a line that is long enough to be wrapped in a pane, because it goes on and on and on\n\u{1B}[2J漢字 e\u{301}\n"
        session.send(.shown(Canned.note(1, text: text, name: "work/inbox")))
        return session
    }

    @Test(arguments: [(80, 24), (40, 12), (200, 60), (20, 5), (1, 1)])
    func screens_matchTheirFiles(columns: Int, rows: Int) throws {
        var parts: [String] = []
        func add(_ name: String, _ session: BrowserSession) {
            let grid = session.grid
            #expect(grid.columns == columns && grid.rows == rows)
            parts.append("\(name):\n" + grid.lines.joined(separator: "\n"))
        }
        var session = session(columns, rows)
        add("start", session)
        session.press(.tab, .down)
        add("list", session)
        session.press(.up, .enter)
        add("note", session)
        session.press(.escape, .character("h"))
        session.send(.history(BrowserSession.history(of: Canned.id(1))))
        session.rest()
        let lines = UnifiedDiff.lines(from: bytes("one\ntwo\n"), to: bytes("one\n\ttwo\u{1B}\n"), names: ("a", "b"))
        session.send(.difference(lines, of: Dot(Canned.replica, 3)))
        add("history", session)
        session.press(.escape, .character("?"))
        add("keys", session)
        session.press(.escape)
        session.send(.disconnected)
        session.send(.ended("deleted work/inbox; u brings it back"))
        add("offline", session)
        try check("browse-\(columns)x\(rows)", parts.joined(separator: "\n\n") + "\n")
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 5)])
    func views_matchTheirFiles(columns: Int, rows: Int) throws {
        var parts: [String] = []
        func add(_ name: String, _ session: BrowserSession) {
            parts.append("\(name):\n" + session.grid.lines.joined(separator: "\n"))
        }
        var session = session(columns, rows)
        let heads = session.browser.rows.rows.map(\.head)
        session.press(.tab, .character("l"))
        let outgoing = [
            (Link(kind: .wiki, range: 0..<9, target: "shopping"), Optional(heads[1])),
            (Link(kind: .wiki, range: 10..<14, target: "nothing\u{1B}"), nil),
        ]
        let incoming = IncomingLinksResult.Link(
            note: NoteObject(heads[2], conflicts: []), kind: .wiki, range: 6..<8, target: "inbox", fragment: nil,
            snippet: bytes("今日は [[inbox]]"))
        session.send(.links(NoteLinks(note: Canned.id(1), outgoing: outgoing, incoming: [incoming], hasMore: true)))
        add("links", session)
        session.press(.escape, .character("t"))
        session.send(.tags([TagCount(tag: "tea", notes: 1), TagCount(tag: "漢字", notes: 70)]))
        session.press(.down)
        add("tags", session)
        session.press(.escape, .character("c"))
        session.send(.conflicts(BrowserSession.inConflict(Canned.id(1))))
        add("conflicts", session)
        session.press(.escape, .character("r"))
        session.type("work/日記 e\u{301}")
        add("rename", session)
        session.press(.escape, .character("/"))
        session.type("plans")
        session.send(.found([], next: nil, isFirst: true, generation: session.generation ?? 0))
        session.press(.enter)
        add("nothing found", session)
        try check("browse-views-\(columns)x\(rows)", parts.joined(separator: "\n\n") + "\n")
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func screenWithoutColours_hasNone() {
        var session = session(80, 24)
        session.send(.disconnected)
        for hasColours in [true, false] {
            let grid = BrowserScreen.grid(
                session.browser, now: BrowserSession.time, local: BrowserSession.utc, hasColours: hasColours)
            #expect(grid.cells.contains { $0.style.colour != nil } == hasColours)
        }
    }

    /// A letter typed in the search line costs a few dozen bytes, not a screen.
    @Test func oneKey_drawsLittle() {
        var session = session(200, 60)
        session.type("oat")
        let before = session.grid
        session.type("m")
        let bytes = GridDifference.bytes(from: before, to: session.grid)
        #expect(!bytes.isEmpty && bytes.count < 120, "\(bytes.count)")
    }

    private func check(_ name: String, _ screen: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(1).map { "/\($0)" }.joined() + "/Tables"
        let path = Array("\(folder)/\(name).txt".utf8)
        if environment("NOTESD_WRITE_GOLDEN") != nil {
            return try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).writeAll(Array(screen.utf8))
        }
        let agreed = try Descriptor.open(path, O_RDONLY).readAll()
        #expect(screen == String(decoding: agreed, as: UTF8.self), "\(name)")
    }
}
