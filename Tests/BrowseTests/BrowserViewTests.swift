import Causality
import ClientTestKit
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

@testable import Browse

/// Tests of the views of links, tags and conflicts in `browse`, and of others' carets.
struct BrowserViewTests {
    /// A session whose first of three notes has this text.
    private func session(_ text: String, conflicts: [ConflictObject] = []) -> BrowserSession {
        var session = BrowserSession()
        session.send(.connected(own: DependentID(1), isReset: false))
        let heads = (1...3).map { BrowserSession.head($0, name: "n\($0)", counter: $0) }
        session.send(.listed(heads, next: nil, isFirst: true, generation: session.generation ?? 0))
        session.rest()
        session.send(.shown(note(1, text, conflicts: conflicts)))
        session.press(.tab)
        return session
    }

    private func note(_ number: UInt64, _ text: String, conflicts: [ConflictObject] = []) -> NoteObject {
        var note = Canned.note(number, text: text, name: "n\(number)")
        note.conflicts = conflicts
        return note
    }

    private func chosen(_ session: BrowserSession) -> NoteID? { session.browser.rows.chosen?.head.id }

    private func generation(_ session: BrowserSession) throws -> Int { try #require(session.generation) }

    // MARK: Links

    @Test func linkAtTheCaret_isFollowed_andTheWayBackReturnsToTheCaret() throws {
        var session = session("one [[a]] and [[b|shown]] end\n")
        session.press(.enter, .end, .control("g"))
        #expect(session.requests == [.resolveLink(LinkTarget(kind: .wiki, decoded: "b"), from: Canned.id(1))])
        let caret = try #require(session.browser.session?.caret)
        session.send(.linkResolved(LinkTarget(kind: .wiki, decoded: "b"), from: Canned.id(1), BrowserSession.head(3, name: "n3")))
        session.rest()
        #expect(chosen(session) == Canned.id(3) && session.requests.contains(.watch(Canned.id(3))))
        session.send(.shown(note(3, "three\n")))
        session.press(.control("o"))
        session.rest()
        session.send(.shown(note(1, "one [[a]] and [[b|shown]] end\n")))
        #expect(chosen(session) == Canned.id(1) && session.browser.session?.caret == caret)
        session.press(.control("o"))
        #expect(session.browser.message == "there is no way back: no link was followed")
    }

    @Test func lineWithoutALink_andALinkToNothing_areReported() {
        var session = session("[[a]]\nnone\n")
        session.press(.enter, .down, .control("g"))
        #expect(session.requests.isEmpty && session.browser.message?.contains("no link") == true)
        session.send(.linkResolved(LinkTarget(kind: .wiki, decoded: "a"), from: Canned.id(1), nil))
        #expect(session.browser.message == "no note has the name a" && chosen(session) == Canned.id(1))
    }

    /// A note that is not listed, from another note: its row is made, and the search that does not find
    /// it ends.
    @Test func followingALink_endsASearchThatDoesNotFindTheNote() throws {
        var session = session("x\n")
        session.press(.character("/"))
        session.type("oat")
        session.send(
            .found([BrowserSession.head(1, name: "n1")], next: nil, isFirst: true, generation: try generation(session)))
        session.press(.tab, .character("l"))
        #expect(session.requests == [.links(Canned.id(1))])
        let link = IncomingLinksResult.Link(
            note: NoteObject(BrowserSession.head(9, name: "far", counter: 9), conflicts: []), kind: .wiki, range: 6..<8,
            target: "n1", fragment: nil, snippet: Array("see [[n1]] \u{1B}".utf8))
        session.send(.links(NoteLinks(note: Canned.id(1), outgoing: [], incoming: [link], hasMore: false)))
        #expect(session.grid.lines[1].contains("from far") && session.grid.lines[0].contains("links"))
        session.press(.enter)
        #expect(chosen(session) == Canned.id(9) && session.browser.line.isEmpty)
        session.rest()
        session.send(.shown(note(9, "far: see [[n1]]\n")))
        #expect(session.browser.session?.caret == 6 && session.browser.place == .note)
        session.press(.control("o"))
        #expect(session.browser.line.text == "oat" && chosen(session) == Canned.id(1))
    }

    // MARK: Tags

    @Test func tag_filtersTheList_andTheWayBackRestoresTheSearch() throws {
        var session = session("x\n")
        session.press(.character("t"))
        #expect(session.requests == [.tags])
        session.send(.tags([TagCount(tag: "few", notes: 1), TagCount(tag: "many", notes: 7)]))
        #expect(session.grid.lines[1].contains("#many") && session.grid.lines[2].contains("#few"))
        session.press(.down, .enter)
        let query = try SearchQuery(parsing: "tag:\"few\"")
        #expect(session.requests == [.search(query, after: nil, generation: try generation(session))])
        session.press(.backspace)
        #expect(session.browser.line.isEmpty && session.generation != nil)
    }

    // MARK: Conflicts

    @Test func conflicts_areWalked_andResolvedByTheKeys() {
        let text = "side 1\nside 2\nsame\nside 1\nside 2\n"
        let open = note(1, text, conflicts: [BrowserSession.conflict(1, 0..<14), BrowserSession.conflict(2, 19..<33)])
        var session = session(text, conflicts: open.conflicts)
        session.press(.character("c"))
        #expect(session.requests == [.conflicts(Canned.id(1))])
        session.send(.conflicts(open))
        for shown in ["1 of 2", "ada", "side 1", "bob", "side 2", "before", "old"] {
            #expect(session.grid.lines.contains { $0.contains(shown) }, "\(shown)")
        }
        session.press(.character("n"))
        #expect(session.grid.lines[1].contains("2 of 2"))
        session.press(.character("3"))
        #expect(session.requests.isEmpty && session.browser.message == "this conflict has 2 sides")
        session.press(.character("2"))
        let taken = ConflictResolution(text: Array("side 1\nside 2\nsame\nside 2\n".utf8), resolves: [open.conflicts[1].id])
        #expect(session.requests == [.resolve(open, taken)])
        session.press(.character("b"))
        #expect(session.requests == [.resolve(open, .keeping([open.conflicts[1]]))])
        session.press(.character("u"))
        #expect(session.requests == [.undo(Canned.id(1))])
        session.press(.enter)
        #expect(session.browser.place == .note && session.browser.session?.caret == 19)
        // What is left after the watch reported the change.
        session.press(.control("k"))
        session.send(.conflicts(open))
        session.send(.conflicts(note(1, text)))
        #expect(session.browser.view == nil)
    }

    /// The watch and the answer to a write can both report the version that resolved the conflict.
    @Test func anotherAnswerAboutConflicts_keepsTheMessage_andOpensNoView() {
        var session = session("x\n")
        let open = BrowserSession.inConflict(Canned.id(1))
        session.press(.character("c"))
        session.send(.conflicts(open))
        session.send(.ended("took side 2; u undoes it"))
        for _ in 1...2 { session.send(.conflicts(note(1, "side 2\n"))) }
        #expect(session.browser.view == nil && session.browser.message == "took side 2; u undoes it")
        session.send(.conflicts(open))
        #expect(session.browser.view == nil)
        session.press(.character("c"))
        session.send(.conflicts(note(1, "side 2\n")))
        #expect(session.browser.message == "this note is not in conflict")
    }

    // MARK: Others

    @Test func caretsOfOthers_moveWithTheText() {
        var session = session("one two\n")
        let place = PositionObject(version: Canned.version(1), selection: Selection(start: 4, end: 4))
        for dependent in [1, 2] as [UInt64] {
            session.send(
                .presence(
                    PresenceChanged(
                        note: Canned.id(1), dependent: DependentID(dependent), label: "vim",
                        user: UserInfo(uid: 1_000, name: "ada"), place: place)))
        }
        #expect(session.browser.othersCarets == [4])
        session.press(.enter)
        session.type("漢 ")
        #expect(session.browser.othersCarets == [8])
        let cell = session.grid.cells.first { $0.style.isReversed && $0.style.colour == .cyan }
        #expect(cell?.glyph?.text == "t")
    }

    // MARK: Enter before the result

    @Test func enterBeforeTheResult_waitsForIt_andTheKeysAfterItGoIntoTheNote() throws {
        var session = session("one\n")
        session.press(.character("/"))
        session.type("oat")
        let generation = try generation(session)
        session.press(.enter)
        session.type("x")
        #expect(session.browser.place == .search && session.browser.line.text == "oat")
        session.send(.found([BrowserSession.head(3, name: "n3")], next: nil, isFirst: true, generation: generation))
        session.rest()
        #expect(chosen(session) == Canned.id(3) && session.browser.place == .note)
        session.send(.shown(note(3, "three\n")))
        #expect(session.browser.session?.text == Array("xthree\n".utf8))
    }

    @Test func enterBeforeAnEmptyResult_offersANote_andEscTakesItBack() throws {
        var session = session("one\n")
        session.press(.character("/"))
        session.type("oat")
        let first = try generation(session)
        session.press(.enter, .escape)
        session.send(.found([BrowserSession.head(3, name: "n3")], next: nil, isFirst: true, generation: first))
        #expect(session.browser.place == .search && session.browser.line.text == "oat")
        session.type("s")
        let second = try generation(session)
        session.press(.enter)
        session.send(.found([], next: nil, isFirst: true, generation: second))
        #expect(session.browser.prompt != nil)
    }
}
