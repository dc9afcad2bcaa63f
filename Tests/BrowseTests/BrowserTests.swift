import Causality
import ClientTestKit
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

/// Tests of the state of `browse`.
struct BrowserTests {
    /// A session with a list of notes 1, 2, … `count`, whose first note is watched.
    private func session(notes count: UInt64 = 5, next: ListPlace? = nil) -> BrowserSession {
        var session = BrowserSession()
        session.send(.connected(own: DependentID(1), isReset: false))
        let heads = (1...max(1, count)).prefix(Int(count)).map { BrowserSession.head($0, name: "n\($0)") }
        session.send(.listed(heads, next: next, isFirst: true, generation: session.generation ?? 0))
        session.rest()
        return session
    }

    private func names(_ session: BrowserSession) -> [String] {
        session.browser.rows.rows.map { $0.head.name?.description ?? "" }
    }

    private func chosen(_ session: BrowserSession) -> String? { session.browser.rows.chosen?.head.name?.description }

    // MARK: The list

    @Test func opening_readsOnePageAndTheFirstNote() {
        var session = BrowserSession()
        session.send(.connected(own: nil, isReset: false))
        #expect(session.requests == [.list(.newest(before: nil), generation: 1)])
        session.send(.listed([BrowserSession.head(7, name: "a")], next: nil, isFirst: true, generation: 1))
        session.rest()
        #expect(session.requests.contains(.watch(Canned.id(7))) && session.requests.contains(.count))
    }

    @Test func typing_searchesAtEachKey_andDropsEarlierResults() throws {
        var session = session()
        session.type("oa")
        let late = try #require(session.generation) - 1
        let query = try SearchQuery(parsing: "oa*")
        #expect(session.requests == [.search(query, after: nil, generation: late + 1)])
        session.send(.found([BrowserSession.head(8, name: "late")], next: nil, isFirst: true, generation: late))
        #expect(names(session).first == "n1")
        session.send(.found([BrowserSession.head(9, name: "oats")], next: nil, isFirst: true, generation: late + 1))
        #expect(names(session) == ["oats"] && session.browser.isFiltered)
        // Esc clears the line and the newest notes return.
        session.press(.escape)
        #expect(session.requests == [.list(.newest(before: nil), generation: late + 2)])
    }

    @Test func faultyQuery_keepsTheListAndSaysWhy() {
        var session = session()
        session.type("\"oat")
        #expect(names(session).count == 5)
        #expect(session.browser.message?.contains("quotation that is not closed") == true, "\(session.browser.message ?? "")")
    }

    @Test func indexBeingBuilt_isReportedAndTheSearchRepeated() throws {
        var session = session()
        session.type("oat")
        let generation = try #require(session.generation)
        session.send(.failed("the index is being built", isTemporary: true, generation: generation))
        #expect(session.browser.message == "the index is being built" && names(session).count == 5)
        session.rest()
        #expect(session.generation == generation + 1)
    }

    /// B1: the list follows the watch, and the cursor stays on its note.
    @Test func changeElsewhere_movesTheRowAndNotTheCursor() throws {
        var session = session()
        session.press(.tab, .down)
        #expect(chosen(session) == "n2")
        try session.send(BrowserSession.change(BrowserSession.head(4, name: "n4", title: "New title")))
        #expect(names(session) == ["n4", "n1", "n2", "n3", "n5"] && chosen(session) == "n2")
        try session.send(BrowserSession.change(BrowserSession.head(9, name: "n9"), .created))
        #expect(names(session) == ["n9", "n4", "n1", "n2", "n3", "n5"] && chosen(session) == "n2")
        try session.send(BrowserSession.change(BrowserSession.head(2, name: "renamed")))
        #expect(names(session).first == "renamed" && chosen(session) == "renamed")
    }

    /// B2: a deleted note stays under the cursor, marked, and goes at the next move.
    @Test func deletedNote_staysUntilTheCursorMoves() throws {
        var session = session()
        session.press(.tab, .down)
        try session.send(BrowserSession.change(BrowserSession.head(2, isDeleted: true), .deleted))
        #expect(chosen(session) == "n2" && session.browser.rows.chosen?.isGone == true)
        #expect(session.grid.lines.contains { $0.contains("n2") && $0.contains("gone") })
        session.press(.character("d"))
        #expect(session.requests.isEmpty && session.browser.message != nil)
        session.press(.down)
        #expect(names(session) == ["n1", "n3", "n4", "n5"] && chosen(session) == "n3")
    }

    /// B2: so does a note that no longer matches the search.
    @Test func noteThatLeavesTheFilter_staysUntilTheCursorMoves() throws {
        var session = session()
        session.type("oat")
        let heads = (1...3).map { BrowserSession.head($0, name: "n\($0)") }
        session.send(.found(heads, next: nil, isFirst: true, generation: try #require(session.generation)))
        session.press(.tab, .down)
        try session.send(BrowserSession.change(heads[1]))
        session.rest()
        session.send(.found([heads[0], heads[2]], next: nil, isFirst: true, generation: try #require(session.generation)))
        #expect(names(session) == ["n1", "n2", "n3"] && chosen(session) == "n2" && session.browser.rows.chosen?.isGone == true)
        session.press(.up)
        #expect(names(session) == ["n1", "n3"] && chosen(session) == "n1")
    }

    /// A repeated search reads its first page only, so a note below that may still match.
    @Test func repeatedSearch_marksNoNoteThatALaterPageMayHave() throws {
        var session = session()
        session.type("oat")
        let heads = (1...3).map { BrowserSession.head($0, name: "n\($0)") }
        session.send(.found(heads, next: nil, isFirst: true, generation: try #require(session.generation)))
        session.press(.end)
        try session.send(BrowserSession.change(heads[0]))
        session.rest()
        let next = SearchPosition(scoreBits: 0, number: 1)
        session.send(.found([heads[0]], next: next, isFirst: true, generation: try #require(session.generation)))
        #expect(chosen(session) == "n3" && session.browser.rows.chosen?.isGone == false)
    }

    @Test func lastRows_requestTheNextPageOnce() {
        var session = session(notes: 100, next: .newest(before: 50))
        #expect(session.requests.allSatisfy { if case .list = $0 { false } else { true } })
        session.press(.end)
        #expect(session.requests == [.list(.newest(before: 50), generation: 1)])
        session.press(.up, .down)
        #expect(session.requests.isEmpty)
        session.send(
            .listed([BrowserSession.head(100, name: "n100"), BrowserSession.head(101)], next: nil, isFirst: false, generation: 1))
        #expect(names(session).count == 101)
    }

    @Test func reset_readsTheListAgain_andKeepsTheCursor() throws {
        var session = session()
        session.press(.tab, .down, .down)
        session.send(.disconnected)
        #expect(session.grid.lines[0].contains("offline") && names(session).count == 5)
        session.press(.character("e"))
        #expect(session.requests.isEmpty && session.browser.message?.contains("away") == true)
        session.send(.connected(own: nil, isReset: true))
        let heads = [BrowserSession.head(3, name: "n3"), BrowserSession.head(1, name: "n1")]
        session.send(.listed(heads, next: nil, isFirst: true, generation: try #require(session.generation)))
        #expect(chosen(session) == "n3" && !session.grid.lines[0].contains("offline"))
    }

    // MARK: Places and the note

    @Test func keys_goThroughThePlaces() {
        var session = session()
        #expect(session.browser.place == .search)
        session.press(.enter)
        #expect(session.browser.place == .note)
        session.press(.escape)
        #expect(session.browser.place == .list)
        session.press(.character("?"))
        #expect(session.browser.helpTop == 0)
        session.press(.escape)
        #expect(session.browser.helpTop == nil && session.browser.place == .list)
        session.press(.escape)
        #expect(session.browser.place == .list && session.browser.message?.contains("/ goes to the search line") == true)
        session.press(.character("/"))
        #expect(session.browser.place == .search)
        session.press(.character("q"))
        #expect(!session.requests.contains(.quit))
        session.press(.tab, .character("q"))
        #expect(session.requests == [.quit])
        for place in [Browser.Place.search, .list, .note] {
            session.browser.place = place
            session.press(.control("c"))
            #expect(session.requests == [.quit], "\(place)")
        }
    }

    @Test func shownNote_followsItsWatch() {
        var session = session()
        session.send(.shown(Canned.note(1, text: "one\n", name: "n1")))
        #expect(session.grid.lines[1].contains("│one"))
        var changed = Canned.note(1, name: "n1")
        changed.head.version = Canned.version(2)
        changed.body = .edits(base: Canned.version(1), [PositionedEdit(start: 4, end: 4, text: Array("two\n".utf8))])
        session.send(.shown(changed))
        #expect(session.grid.lines[2].contains("│two"))
        // A line about a note that was shown before.
        session.send(.shown(Canned.note(2, text: "other\n", name: "n2")))
        #expect(session.grid.lines[1].contains("│one"))
    }

    @Test func presence_countsOthers() {
        var session = session()
        session.send(.shown(Canned.note(1, text: "one\n", name: "n1")))
        func presence(_ dependent: UInt64, isThere: Bool = true) -> BrowserEvent {
            .presence(
                PresenceChanged(
                    note: Canned.id(1), dependent: DependentID(dependent), label: "vim", user: UserInfo(uid: 1_000, name: "ada"),
                    place: isThere ? PositionObject(version: Canned.version(1), selection: nil) : nil))
        }
        session.send(presence(1))
        #expect(!session.grid.lines[0].contains("here"))
        session.send(presence(2))
        #expect(session.grid.lines[0].contains("2 here"))
        session.send(presence(2, isThere: false))
        #expect(!session.grid.lines[0].contains("here"))
    }

    // MARK: Anything

    private func key(_ random: inout SeededGenerator) -> Key {
        random.pick([
            .character("a"), .character("e"), .character("h"), .character("d"), .character("u"), .character("?"), .character("/"),
            .character("q"), .character("\""), .character("漢"), .character("\u{301}"), .control("u"), .control("e"),
            .control("c"), .enter, .tab,
            .backTab, .escape, .backspace, .delete, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end,
            .paste(Array("x\u{1B}[2J\ny".utf8)), .character("l"), .character("c"), .character("t"), .control("g"), .control("o"),
            .click(row: random.below(30), column: random.below(100)),
            .wheel(isUp: random.chance(0.5), row: random.below(30), column: random.below(100)),
        ])
    }

    private func event(
        _ random: inout SeededGenerator, _ session: BrowserSession, _ asked: inout [BrowserRequest]
    ) throws -> BrowserEvent {
        let number = UInt64(1 + random.below(12))
        let head = BrowserSession.head(
            number, name: random.chance(0.7) ? "n\(number)/\u{1B}漢e\u{301}" : nil, title: "t\u{202E}👩‍👩‍👧",
            isDeleted: random.chance(0.3))
        switch random.below(12) {
        case 0: return .resized(columns: random.below(random.chance(0.5) ? 12 : 130), rows: random.below(40))
        case 1: return .disconnected
        case 2: return .connected(own: DependentID(1), isReset: random.chance(0.5))
        case 3, 4: return try BrowserSession.change(head, head.isDeleted ? .deleted : .edited)
        case 5: return .shown(Canned.note(number, text: String(decoding: random.utf8(random.below(300)), as: UTF8.self)))
        case 6, 7:
            guard !asked.isEmpty else { return .clock }
            let heads = (0..<random.below(8)).map { _ in UInt64(1 + random.below(12)) }
            let listed = heads.reduce(into: [UInt64]()) { if !$0.contains($1) { $0.append($1) } }.map {
                BrowserSession.head($0, name: "n\($0)")
            }
            switch asked.remove(at: random.below(asked.count)) {
            case .list(let place, _, let generation):
                let next = random.chance(0.5) ? ListPlace.newest(before: number) : nil
                return .listed(listed, next: next, isFirst: place == .newest(before: nil), generation: generation)
            case .search(_, _, let after, let generation):
                return random.chance(0.2)
                    ? .failed("no", isTemporary: random.chance(0.5), generation: generation)
                    : .found(listed, next: nil, isFirst: after == nil, generation: generation)
            case .history(let note): return .history(NoteHistory(note: note, revisions: []))
            case .links(let note):
                let items = listed.map { (Link(kind: .wiki, range: 0..<1, target: "x\u{1B}"), Optional($0)) }
                return .links(NoteLinks(note: note, outgoing: items, incoming: [], hasMore: false))
            case .tags: return .tags(listed.map { TagCount(tag: ByteString("\($0.id)"), notes: 1) })
            case .resolveLink(let target, let from): return .linkResolved(target, from: from, listed.first)
            case .delete, .undo, .edit: return .ended("done")
            default: return .clock
            }
        default: return .key(key(&random))
        }
    }

    @Test(arguments: seeds(40))
    func anyEvents_keepTheCursorOnItsNote_andFitTheScreen(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var session = BrowserSession()
        var asked: [BrowserRequest] = []
        for step in 0..<150 {
            let event = try event(&random, session, &asked)
            let before = session.browser.rows.chosen?.head.id
            // Keys move the cursor, and so does the first result of a changed search.
            var mayMove = before == nil
            if case .key = event { mayMove = true }
            // Keys that wait for a note move it when the note arrives.
            if !session.browser.waiting.isEmpty { mayMove = true }
            if case .found(_, _, true, _) = event { mayMove = true }
            if case .listed(_, _, true, _) = event { mayMove = true }
            session.now += .milliseconds(random.below(60))
            session.send(event)
            asked += session.requests
            let rows = session.browser.rows
            let place: Comment = "seed \(seed), step \(step): \(event)"
            #expect(mayMove || rows.chosen?.head.id == before, place)
            #expect(rows.rows.isEmpty ? rows.cursor == 0 : rows.rows.indices.contains(rows.cursor), place)
            #expect(Set(rows.rows.map(\.head.id)).count == rows.rows.count, place)
            #expect(rows.rows.enumerated().allSatisfy { !$1.isGone || $0 == rows.cursor }, place)
            #expect(rows.top <= rows.cursor && rows.cursor < rows.top + max(1, session.browser.layout.list.height), place)
            let grid = session.grid
            #expect(grid.columns == session.browser.layout.columns && grid.rows == session.browser.layout.rows, place)
            #expect(grid.lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" } }, place)
            if let cursor = grid.cursor {
                #expect((0..<grid.rows).contains(cursor.row) && (0..<grid.columns).contains(cursor.column), place)
            }
        }
    }

    /// After any changes, the list is what a sort by the newest change gives.
    @Test(arguments: seeds(40))
    func newestFirst_matchesANaiveSort(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var session = session(notes: 6)
        var naive = (1...6).map { UInt64($0) }
        for step in 0..<40 {
            let number = UInt64(1 + random.below(9))
            let isDeleted = random.chance(0.3)
            naive.removeAll { $0 == number }
            if !isDeleted { naive.insert(number, at: 0) }
            try session.send(BrowserSession.change(BrowserSession.head(number, name: "n\(number)", isDeleted: isDeleted)))
            if random.chance(0.5) { session.press(random.pick([.up, .down, .pageDown, .home])) }
            let shown = session.browser.rows.rows.filter { !$0.isGone }.map(\.head.id)
            #expect(shown == naive.map { Canned.id($0) }, "seed \(seed), step \(step)")
        }
    }
}
