import ClientTestKit
import EditSession
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

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
        let write: [(UInt64, EditNote)] = session.requests.compactMap {
            if case .write(_, let number, .edit(let params)) = $0 { (number, params) } else { nil }
        }
        let (number, params) = try #require(write.first)
        #expect(params.edits == [PositionedEdit(start: 3, end: 3, text: Array("x".utf8))])
        session.send(.session(Canned.id(1), .written(number, Canned.saved(2))))
        #expect(session.grid.lines[0].contains("saved") && !session.grid.lines[0].contains("not saved yet"))
        #expect(session.requests.contains(.presence(Canned.id(1), Canned.version(2), caret: 4)))
        session.press(.control("s"))
        #expect(session.browser.message == "saved")
    }

    @Test func quitting_waitsForTheDaemon_andKeepsADraftWithoutIt() {
        var session = session("one\n")
        session.type("x")
        session.press(.control("c"))
        #expect(!session.requests.contains(.quit))
        session.send(.disconnected)
        session.press(.control("c"))
        #expect(session.requests.contains(.quit))
        #expect(session.requests.contains { if case .keepDraft(_, Array("xone\n".utf8), _) = $0 { true } else { false } })
    }

    /// A draft that another program left is taken up when the user is in the note and all typed text is saved,
    /// once. One without a version is only named.
    @Test(arguments: [true, false]) func draftOfAnotherProgram_isTakenUpInTheNote(isTakenUp: Bool) {
        var session = twoNotes()
        session.send(.draftFound(Canned.id(1), "left in /a", isTakenUp: isTakenUp))
        #expect(session.browser.message == "left in /a")
        session.rest()
        #expect(!session.requests.contains(.resumeDraft(Canned.id(1))), "the user has not gone into the note")
        session.press(.enter)
        #expect(session.requests.contains(.resumeDraft(Canned.id(1))) == isTakenUp)
        session.press(.right)
        #expect(!session.requests.contains(.resumeDraft(Canned.id(1))), "once")
    }

    @Test func draftOfAnotherProgram_waitsForWhatIsTyped() {
        var session = session("one\n")
        session.type("x")
        session.send(.draftFound(Canned.id(1), "left in /a", isTakenUp: true))
        session.rest()
        #expect(!session.requests.contains(.resumeDraft(Canned.id(1))))
        for case .write(_, let number, _) in session.requests {
            session.send(.session(Canned.id(1), .written(number, Canned.saved(2))))
        }
        #expect(session.requests.contains(.resumeDraft(Canned.id(1))))
    }

    /// Two notes, the first of which is shown, and a cursor in the list.
    private func twoNotes() -> BrowserSession {
        var session = BrowserSession()
        session.send(.connected(own: nil, isReset: false))
        let heads = [BrowserSession.head(1, name: "n1"), BrowserSession.head(2, name: "n2")]
        session.send(.listed(heads, next: nil, isFirst: true, generation: session.generation ?? 0))
        session.rest()
        session.send(.shown(NoteObject(heads[0], body: .text(Array("one\n".utf8)), conflicts: [])))
        session.press(.tab)
        return session
    }

    private func show(_ number: UInt64, _ text: String, in session: inout BrowserSession) {
        let head = BrowserSession.head(number, name: "n\(number)")
        session.send(.shown(NoteObject(head, body: .text(Array(text.utf8)), conflicts: [])))
    }

    /// Keys go to the note under the cursor, also while the note before is still shown.
    @Test func keysBeforeTheText_waitForTheirNote() {
        var session = twoNotes()
        session.press(.down, .enter)
        session.type("ab")
        session.press(.enter)
        #expect(text(session) == "one\n" && session.browser.deadline == session.now)
        session.send(.clock)
        #expect(session.requests == [.watch(Canned.id(2))])
        session.type("cd")
        session.press(.down, .end, .character("!"), .escape, .character("/"))
        #expect(session.browser.place == .note)
        show(2, "two\n", in: &session)
        #expect(text(session) == "ab\ncdtwo\n!" && session.browser.watched == Canned.id(2))
        #expect(session.browser.place == .search)
        session.press(.tab, .up)
        session.rest()
        show(1, "one\n", in: &session)
        #expect(text(session) == "one\n")
    }

    @Test func keysInANewNote_waitForIt() {
        var session = twoNotes()
        session.press(.enter)
        session.send(.created(BrowserSession.head(3, name: "n3")))
        session.type("new")
        #expect(text(session) == "one\n")
        session.send(.clock)
        #expect(session.requests == [.watch(Canned.id(3))])
        show(3, "", in: &session)
        #expect(text(session) == "new")
    }

    @Test func waitingKeys_areLimited_andEscapeTwiceDropsThem() {
        var session = twoNotes()
        session.press(.down, .enter)
        let piece = [UInt8](repeating: 0x71, count: WaitingKeys.bytesMax / 2)
        session.press(.paste(piece), .paste(piece), .character("x"))
        #expect(session.browser.message?.contains("too many keys") == true)
        session = twoNotes()
        session.press(.down, .enter, .character("x"), .escape, .escape)
        #expect(session.browser.place == .list && session.browser.message?.contains("were dropped") == true)
        session.rest()
        show(2, "two\n", in: &session)
        #expect(text(session) == "two\n")
    }

    /// A result that arrives late does not put another note under the user's keys.
    @Test func lateResult_keepsTheNote() throws {
        var session = session("one\n")
        session.press(.tab)
        session.type("x")
        session.send(.created(BrowserSession.head(3, name: "n3")))
        let generation = try #require(session.generation)
        session.rest()
        show(3, "new\n", in: &session)
        for heads in [[BrowserSession.head(2, name: "n2")], []] {
            session.send(.listed(heads, next: nil, isFirst: true, generation: generation))
            session.type("q")
            #expect(session.browser.place == .note && session.browser.rows.chosen?.head.id == Canned.id(3))
        }
        #expect(text(session) == "qqnew\n")
    }

    /// A note of which only a part is shown scrolls, and the keys that need no caret work.
    @Test func largeNote_scrolls_andUndoes() {
        let line = String(repeating: "word ", count: 10) + "\n"
        let large = String(repeating: line, count: NotePane.textBytesMax / line.utf8.count)
        var session = session(large)
        session.press(.paste(Array(large.utf8)), .paste(Array("more".utf8)))
        #expect(session.browser.pane?.isWhole == false && text(session) == large + "more" + large)
        session.press(.home, .pageDown, .down)
        let height = session.browser.layout.note.height
        #expect(session.browser.pane?.top == height)
        session.type("x")
        #expect(text(session) == large + "more" + large)
        session.press(.control("z"), .control("z"))
        #expect(text(session) == large)
    }

    /// Words are found as a walk by single characters finds them.
    @Test(arguments: seeds(60))
    func words_areThoseOfAWalkByCharacters(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = ["a", "Zz", "7_", "漢字", "é", " ", "\t", "-", "\n", "\n", "👍🏽", "\r\n"]
        let pieces = (0..<random.below(30)).map { _ in random.pick(parts) }
        var session = session(pieces.joined())
        var offsets: [Int] = [0]
        var isWord: [Bool] = []
        for character in pieces.joined() {
            offsets.append(offsets[offsets.count - 1] + character.utf8.count)
            isWord.append(character.isLetter || character.isNumber || character == "_")
        }
        for _ in 0..<20 {
            session.press(random.pick([.wordLeft, .wordRight, .left, .right]))
            let shown = try #require(session.browser.session)
            guard let place = offsets.firstIndex(of: shown.caret) else { continue }
            var (before, after) = (place, place)
            while before > 0, !isWord[before - 1] { before -= 1 }
            while before > 0, isWord[before - 1] { before -= 1 }
            while after < isWord.count, !isWord[after] { after += 1 }
            while after < isWord.count, isWord[after] { after += 1 }
            #expect(shown.wordBefore == offsets[before] && shown.wordAfter == offsets[after], "seed \(seed)")
        }
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
