import Causality
import ClientTestKit
import Console
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

/// Tests of what a person reads on a screen of 80 columns and 24 rows.
struct ReadingTests {
    /// A session with notes n1 to n3 in the list.
    private func session(columns: Int = 80, rows: Int = 24) -> BrowserSession {
        var session = BrowserSession()
        session.send(.resized(columns: columns, rows: rows))
        session.send(.connected(own: nil, user: "ada", isReset: false))
        let heads = (1...3).map { BrowserSession.head($0, name: "n\($0)") }
        session.send(.listed(heads, next: nil, isFirst: true, generation: session.generation ?? 0))
        session.rest()
        return session
    }

    private func show(_ number: UInt64, _ text: String, conflicts: [ConflictObject] = [], in session: inout BrowserSession) {
        let head = BrowserSession.head(number, name: "n\(number)")
        session.send(.shown(NoteObject(head, body: .text(Array(text.utf8)), conflicts: conflicts)))
    }

    /// A session whose search has found note 2, which is shown.
    private func found(_ search: String, in text: String) throws -> BrowserSession {
        var session = session()
        session.type(search)
        let heads = [BrowserSession.head(2, name: "n2")]
        session.send(.found(heads, next: nil, isFirst: true, generation: try #require(session.generation)))
        session.rest()
        show(2, text, in: &session)
        return session
    }

    private func keys(_ session: BrowserSession) -> String { session.grid.lines.last ?? "" }

    // MARK: Searched words

    private static let long = (1...60).map { "line \($0)\n" }.joined() + "some ÓAT milk, oats and goat\nend\n"

    /// The text of the underlined cells, in pieces.
    private func marked(_ session: BrowserSession, hasColours: Bool) -> [String] {
        let grid = BrowserScreen.grid(
            session.browser, now: BrowserSession.time, local: BrowserSession.utc, hasColours: hasColours)
        var pieces: [String] = [""]
        for cell in grid.cells {
            if cell.style.isUnderlined {
                pieces[pieces.count - 1] += cell.glyph?.text ?? ""
            } else if pieces.last != "" {
                pieces.append("")
            }
        }
        return pieces.filter { !$0.isEmpty }
    }

    @Test(arguments: [true, false])
    func searchedWords_areMarkedInTheNote_whichIsScrolledToThem(hasColours: Bool) throws {
        let session = try found("oat", in: Self.long)
        #expect(session.grid.lines.contains { $0.contains("│some ÓAT milk") })
        #expect(marked(session, hasColours: hasColours) == ["ÓAT", "oats"])
    }

    @Test func wrappedAndWideWords_areMarkedWhereTheyAre() throws {
        let text = String(repeating: "x ", count: 22) + "oatmeal\n\t漢字 oats\n"
        #expect(marked(try found("oat", in: text), hasColours: true) == ["oatmeal", "oats"])
        #expect(marked(try found("字", in: text), hasColours: true) == ["字"])
        #expect(marked(try found("name:oat", in: text), hasColours: true).isEmpty)
    }

    @Test func enter_putsTheCaretAtTheFirstSearchedWord_once() throws {
        var session = try found("milk", in: Self.long)
        session.press(.enter)
        let offset = Self.long.utf8.count - "milk, oats and goat\nend\n".utf8.count
        #expect(session.browser.session?.caret == offset && session.grid.cursor?.row ?? 0 > 1)
        session.press(.up, .escape, .enter)
        #expect(session.browser.session?.caret != offset)
    }

    /// Enter comes before the text of the note; the keys after it go to the searched word.
    @Test func keysAfterEnter_goToTheSearchedWord() throws {
        var session = session()
        session.type("milk")
        let generation = try #require(session.generation)
        session.press(.enter)
        session.type("oat ")
        session.send(.found([BrowserSession.head(2, name: "n2")], next: nil, isFirst: true, generation: generation))
        session.rest()
        show(2, "# List\n\nmilk\n", in: &session)
        #expect(session.browser.session?.text == Array("# List\n\noat milk\n".utf8))
    }

    // MARK: Keys of the list

    @Test func lettersOfVi_moveInTheList() {
        var session = session()
        session.press(.tab)
        for (key, cursor) in [("j", 1), ("j", 2), ("k", 1), ("G", 2), ("g", 0)] as [(Character, Int)] {
            session.press(.character(key))
            #expect(session.browser.rows.cursor == cursor, "\(key)")
        }
        session.press(.character("/"))
        session.type("jk")
        #expect(session.browser.line.text == "jk")
    }

    @Test func escTooOften_turnsNoCommandIntoASearch() {
        var session = session()
        show(1, "one\n", in: &session)
        session.press(.enter, .escape, .escape, .escape, .character("n"))
        #expect(session.browser.line.isEmpty && session.browser.prompt != nil)
    }

    @Test func keys_areShownWhenTheyAreNeeded() {
        var session = session()
        show(1, "one\n", in: &session)
        session.press(.tab)
        for key in ["Enter open", "n new", "r rename", "d del", "u undo", "h history", "l links", "? keys", "q quit"] {
            #expect(keys(session).contains(key), "\(key)")
        }
        #expect(!keys(session).contains("c conflict"))
        session.send(.resized(columns: 60, rows: 24))
        for key in ["Enter open", "n new", "r rename", "d del", "u undo", "q quit"] {
            #expect(keys(session).contains(key), "\(key)")
        }
        session.press(.character("d"))
        session.send(.resized(columns: 24, rows: 24))
        #expect(keys(session) == " Enter open  q quit")
        session.send(.resized(columns: 34, rows: 24))
        #expect(keys(session) == " Enter open  n new  u undo  q quit", "\(keys(session))")
    }

    @Test func conflict_hasItsKeyFirst() {
        var session = session()
        show(1, "side 1\nside 2\n", conflicts: [BrowserSession.conflict(1, 0..<14)], in: &session)
        session.press(.tab)
        for key in ["c conflict", "n new", "r rename", "d del", "u undo", "q quit"] {
            #expect(keys(session).contains(key), "\(key)")
        }
        session.press(.enter)
        #expect(keys(session).contains("^K conflict") && keys(session).contains("^C quit"))
    }

    // MARK: Messages

    @Test func longMessage_isWrapped() {
        var session = session()
        let sentence = "renamed \(String(repeating: "work/", count: 16))plan to \(String(repeating: "x", count: 20)); u undoes it"
        session.send(.ended(sentence))
        let rows = session.grid.lines.suffix(4)
        #expect(rows.contains { $0.contains("u undoes it") } && rows.contains { $0.contains("renamed") })
        session.send(.resized(columns: 20, rows: 3))
        #expect(session.grid.lines.count == 3)
    }

    @Test func resolution_isNamedByItsSide() {
        let note = BrowserSession.inConflict(Canned.id(1))
        let conflict = note.conflicts[0]
        let taking = conflict.sides.map { ConflictResolution.taking($0, in: conflict, of: note.text ?? []).sentence(over: note) }
        #expect(taking == ["took side 1", "took side 2"])
        #expect(ConflictResolution.keeping([conflict]).sentence(over: note).hasPrefix("kept the note as it is"))
    }

    // MARK: History and conflicts

    private func revision(
        _ number: UInt64, on parents: [UInt64], bytes: Int, name: String = "diary/plan-80", isDeleted: Bool = false,
        withdraws: [UInt64] = []
    ) -> RevisionSummary {
        RevisionSummary(
            dot: Dot(Canned.replica, number), parents: Version(parents.map { Dot(Canned.replica, $0) }),
            author: Author(user: "root", label: "notesctl"),
            time: Timestamp(milliseconds: BrowserSession.time.milliseconds - Int64(20 - number) * 3_600_000), bytes: bytes,
            isDeleted: isDeleted, name: try? NoteName(ByteString(name)), isStated: false, isCompacted: false,
            withdraws: withdraws.map { Dot(Canned.replica, $0) }, isWithdrawn: false, resolves: [], times: nil)
    }

    @Test func history_saysWhatEachRevisionDid_by80Columns() {
        let revisions = [
            revision(7, on: [6], bytes: 30, withdraws: [6]), revision(6, on: [5], bytes: 0, isDeleted: true),
            revision(5, on: [3, 4], bytes: 30), revision(4, on: [2], bytes: 25), revision(3, on: [2], bytes: 15),
            revision(2, on: [1], bytes: 20), revision(1, on: [], bytes: 20, name: "a"),
        ]
        let rows = HistoryRows(
            NoteHistory(note: Canned.id(1), revisions: revisions), now: BrowserSession.time, local: BrowserSession.utc)
        let lines = rows.lines(columns: 47)
        let words = [
            "undid the deletion", "deleted", "merged", "+5 bytes", "−5 bytes", "renamed to diar", "created, as a",
        ]
        for (line, word) in zip(lines, words) { #expect(line.contains(word), "\(line)") }
        #expect(lines.allSatisfy { DisplayWidth.of($0) == 47 && $0.hasSuffix(" h") && $0.contains("ctl") }, "\(lines)")
        #expect(rows.detail(revisions[0]).contains("root/notesctl"))
    }

    @Test func sides_areYoursOrTheirWriters_withTheirTimes() {
        var session = session()
        show(1, "side 1\nside 2\n", in: &session)
        session.press(.tab, .character("c"))
        session.send(.conflicts(BrowserSession.inConflict(Canned.id(1))))
        #expect(session.grid.lines.contains { $0.contains("1  yours, just now") })
        #expect(session.grid.lines.contains { $0.contains("2  bob, just now") })
    }
}
