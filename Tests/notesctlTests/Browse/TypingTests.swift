import ClientTestKit
import EditSession
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import notesctl

/// Tests of typing in the note of `browse`.
struct TypingTests {
    /// A session whose first note is open, with this text.
    private func session(_ text: String) -> BrowserSession {
        var session = BrowserSession()
        session.send(.connected(own: nil, isReset: false))
        let head = BrowserSession.head(1, name: "n1")
        session.send(.listed([head], next: nil, isFirst: true, generation: session.generation ?? 0))
        session.rest()
        session.send(.shown(NoteObject(head, body: .text(Array(text.utf8)), conflicts: [])))
        session.press(.tab, .enter)
        return session
    }

    private func text(_ session: BrowserSession) -> String {
        String(decoding: session.browser.session?.text ?? [], as: UTF8.self)
    }

    @Test func keys_changeTheText() {
        var session = session("one two\nthree\n")
        #expect(session.browser.place == .note)
        session.press(.end)
        session.type("!")
        #expect(text(session) == "one two!\nthree\n")
        session.press(.down, .home, .delete, .wordRight, .enter)
        #expect(text(session) == "one two!\nhree\n\n")
        session.press(.up, .up, .home, .wordRight, .backspace, .paste(Array("ce\r\nupon\u{0}".utf8)))
        #expect(text(session) == "once\nupon two!\nhree\n\n")
        #expect(session.grid.lines.contains { $0.contains("once") } && session.grid.lines[0].contains("not saved yet"))
    }

    @Test func undo_takesBackWords_andRedoRepeatsThem() {
        var session = session("")
        session.type("milk bread")
        session.press(.control("z"))
        #expect(text(session) == "milk ")
        session.press(.control("z"))
        #expect(text(session) == "")
        session.press(.control("y"), .control("y"))
        #expect(text(session) == "milk bread")
        session.press(.control("z"), .control("z"), .control("z"))
        #expect(session.browser.message == "nothing to undo here")
    }

    @Test func typedText_isSentAsEdits_andSavedInTheTitle() throws {
        var session = session("one\n")
        session.press(.end)
        session.type("x")
        session.rest()
        let write: [(UInt64, EditParams)] = session.requests.compactMap {
            if case .write(_, let number, .edit(let params)) = $0 { (number, params) } else { nil }
        }
        let (number, params) = try #require(write.first)
        #expect(params.edits == [PositionedEdit(start: 3, end: 3, text: Array("x".utf8))])
        session.send(.written(Canned.id(1), number, Canned.saved(2)))
        #expect(session.grid.lines[0].contains("saved") && !session.grid.lines[0].contains("not saved yet"))
        #expect(session.requests.contains(.presence(Canned.id(1), Canned.version(2), caret: 4)))
        session.press(.control("s"))
        #expect(session.browser.message?.hasPrefix("saved durably") == true)
    }

    @Test func quitting_waitsForTheDaemon_andKeepsADraftWithoutIt() {
        var session = session("one\n")
        session.type("x")
        session.press(.control("c"))
        #expect(!session.requests.contains(.quit))
        session.send(.disconnected)
        session.press(.control("c"))
        #expect(session.requests.contains(.quit))
        #expect(session.requests.contains { if case .keepDraft(_, Array("xone\n".utf8)) = $0 { true } else { false } })
    }

    @Test func emptySearch_offersANote() throws {
        var session = session("one\n")
        session.press(.tab)
        session.type("plans")
        session.send(.found([], next: nil, isFirst: true, generation: try #require(session.generation)))
        session.press(.enter)
        #expect(session.grid.lines.contains { $0.contains("Enter creates") && $0.contains("plans") })
        session.press(.enter)
        #expect(session.requests == [.create(try NoteName("plans"))])
    }

    /// The caret is drawn where the next letter appears, at any width.
    @Test(arguments: seeds(40))
    func caret_isAtThePlaceOfTheNextLetter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["a", "bread", "漢字", "é", "\t", "x\u{202e}y", "👍🏽", "\n", "\n", " ", " "]
        var session = session((0..<random.below(40)).map { _ in random.pick(words) }.joined())
        for _ in 0..<40 {
            switch random.below(14) {
            case 0: session.type(random.pick(words.filter { $0.count == 1 && $0 != "\n" && $0 != "\t" }))
            case 1: session.press(.enter)
            case 2: session.press(.backspace)
            case 3: session.press(random.pick([.control("z"), .control("y"), .delete]))
            case 4: session.send(.resized(columns: 20 + random.below(90), rows: 4 + random.below(20)))
            case 5: session.rest()
            default:
                session.press(random.pick([.up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .wordLeft, .wordRight]))
            }
            let shown = try #require(session.browser.session)
            let pane = try #require(session.browser.pane)
            #expect(pane.note.text == shown.text, "seed \(seed)")
            let place = pane.place(of: shown.caret)
            #expect(place.row >= pane.top && place.row <= pane.top + session.browser.layout.note.height, "seed \(seed)")
            // The place of the caret leads back to the caret, or to a place that looks the same.
            let back = pane.offset(row: place.row, column: place.column)
            #expect(pane.place(of: back) == place, "seed \(seed)")
            _ = session.grid
        }
    }
}
