import ClientTestKit
import EditSession
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

/// Tests of Enter in `browse`: it opens a note of the search, or none.
struct EnterTests {
    /// A session in the search line, with notes n1 to n3 in the list, the first of which is shown.
    private func session() -> BrowserSession {
        var session = BrowserSession()
        session.send(.connected(own: nil, isReset: false))
        let heads = (1...3).map { BrowserSession.head($0, name: "n\($0)") }
        session.send(.listed(heads, next: nil, isFirst: true, generation: session.generation ?? 0))
        session.rest()
        show(1, in: &session)
        return session
    }

    /// Shows a note whose text is its number and a line feed.
    private func show(_ number: UInt64, in session: inout BrowserSession) {
        let head = BrowserSession.head(number, name: "n\(number)")
        session.send(.shown(NoteObject(head, body: .text(Array("\(number)\n".utf8)), conflicts: [])))
    }

    private func found(_ numbers: [UInt64], next: SearchPosition? = nil, in session: inout BrowserSession, _ generation: Int) {
        let heads = numbers.map { BrowserSession.head($0, name: "n\($0)") }
        session.send(.found(heads, next: next, isFirst: true, generation: generation))
    }

    private func text(_ session: BrowserSession, _ number: UInt64) -> String {
        String(decoding: session.browser.sessions[Canned.id(number)]?.text ?? [], as: UTF8.self)
    }

    private func isNothingOpened(_ session: BrowserSession) -> Bool {
        guard case .nothingOpened = session.browser.prompt?.subject else { return false }
        return session.browser.place != .note
    }

    // MARK: A last word of one character

    @Test func refusedPrefix_isSearchedAsAWord_withoutAMessage() throws {
        var session = session()
        session.type("name:meeting-1")
        let generation = try #require(session.generation)
        session.send(.unsearchable(SearchQueryFault(offset: 5, reason: "is too short"), generation: generation))
        let query = try SearchQuery(parsing: "name:meeting-1")
        #expect(session.requests == [.search(query, after: nil, generation: generation + 1)] && session.browser.message == nil)
        found([2], in: &session, generation + 1)
        #expect(session.browser.rows.rows.count == 1 && session.browser.listing.query == query)
    }

    @Test func refusedWord_isExplained() throws {
        var session = session()
        session.type("#")
        let fault = SearchQueryFault(offset: 0, reason: "contains no letter or digit")
        session.send(.unsearchable(fault, generation: try #require(session.generation)))
        #expect(session.browser.message == "`#` contains no letter or digit")
        session.press(.enter)
        #expect(isNothingOpened(session) && session.grid.lines.contains { $0.contains("contains no letter or digit") })
    }

    // MARK: Keys before the result

    /// A search, Enter and a text that arrive at once, as from a fast typist.
    @Test func burst_endsInTheNoteOfTheSearch() throws {
        var session = session()
        session.type("name:meeting-1")
        let generation = try #require(session.generation)
        session.press(.enter)
        session.type("typed")
        session.send(.unsearchable(SearchQueryFault(offset: 5, reason: "is too short"), generation: generation))
        found([2], in: &session, generation + 1)
        session.rest()
        show(2, in: &session)
        #expect(text(session, 2) == "typed2\n" && text(session, 1) != "typed1\n")
        #expect(session.browser.line.text == "name:meeting-1")
    }

    @Test func burst_endsNowhere_ifNothingIsFound() throws {
        var session = session()
        session.type("nothing")
        let generation = try #require(session.generation)
        session.press(.enter)
        session.type("ty")
        found([], in: &session, generation)
        session.type("ped")
        session.press(.enter, .character("d"))
        #expect(isNothingOpened(session) && session.requests.isEmpty)
        #expect(session.grid.lines.contains { $0.contains("Enter opens nothing: no note matches") })
        session.press(.escape)
        #expect(session.browser.prompt == nil && session.browser.line.text == "nothing" && text(session, 1) == "1\n")
    }

    @Test(arguments: [true, false])
    func failedSearch_opensNothing(isEarly: Bool) throws {
        var session = session()
        session.type("o")
        let generation = try #require(session.generation)
        if isEarly { session.press(.enter) }
        session.send(.failed("cannot search", isTemporary: false, generation: generation))
        if !isEarly { session.press(.enter) }
        session.type("typed")
        session.rest()
        #expect(session.browser.place == .search && session.browser.line.text == "o" && text(session, 1) == "1\n")
    }

    @Test func faultyLine_opensNothing_andDropsLateResults() throws {
        var session = session()
        session.type("oat")
        let generation = try #require(session.generation)
        session.type(" \"m")
        found([2], in: &session, generation)
        #expect(session.browser.rows.rows.count == 3)
        session.press(.tab, .character("d"))
        #expect(session.requests.isEmpty && session.browser.message?.contains("not closed") == true)
        session.press(.down, .enter)
        #expect(isNothingOpened(session))
        // Without the search, the list is what the line says.
        session.press(.escape, .character("/"), .escape)
        found([2], in: &session, try #require(session.generation))
        session.press(.enter)
        #expect(session.browser.place == .note && session.browser.rows.chosen?.head.id == Canned.id(2))
    }

    @Test func question_isNotAnsweredByTypedText() throws {
        var session = session()
        session.type("plans")
        found([], in: &session, try #require(session.generation))
        session.press(.enter)
        session.type("milk")
        session.press(.enter)
        #expect(session.requests.isEmpty && isNothingOpened(session))
    }

    // MARK: Chosen rows

    @Test func chosenRow_isOpened_ifTheSearchFindsIt() throws {
        for result in [[3, 2], [1]] as [[UInt64]] {
            var session = session()
            session.type("oat")
            let generation = try #require(session.generation)
            session.press(.down, .enter, .character("x"))
            found(result, in: &session, generation)
            #expect((session.browser.place == .note) == result.contains(2))
            #expect(isNothingOpened(session) != result.contains(2))
            session.rest()
            show(2, in: &session)
            #expect(text(session, 2) == (result.contains(2) ? "x2\n" : "2\n") && text(session, 1) != "x1\n")
        }
    }

    /// The result replaces the list right before Enter.
    @Test func chosenRow_staysUnderTheCursor_andIsNotOpened_ifTheSearchDoesNotFindIt() throws {
        var session = session()
        session.type("oat")
        let generation = try #require(session.generation)
        session.press(.down)
        found([1], next: SearchPosition(scoreBits: 0, number: 1), in: &session, generation)
        #expect(session.browser.rows.chosen?.head.id == Canned.id(2) && session.browser.rows.chosen?.isGone == true)
        session.press(.enter)
        #expect(isNothingOpened(session))
    }

    @Test(arguments: [Key.enter, .tab, .right])
    func list_waitsForTheResult(key: Key) throws {
        var session = session()
        session.type("oat")
        let generation = try #require(session.generation)
        session.press(.tab)
        for command in "dehlcru" {
            session.press(.character(command))
            #expect(session.requests.isEmpty && session.browser.message?.contains("not there yet") == true)
        }
        session.press(key, .character("d"))
        found([3], in: &session, generation)
        #expect(session.browser.place == .note && session.browser.rows.chosen?.head.id == Canned.id(3))
        session.rest()
        show(3, in: &session)
        #expect(text(session, 3) == "d3\n")
    }

    @Test func click_opensNoNoteOfAnEarlierList() throws {
        var session = session()
        let column = session.browser.layout.note.column
        session.type("oat")
        let generation = try #require(session.generation)
        session.press(.click(row: 1, column: column))
        #expect(session.browser.place == .search && session.browser.message?.contains("not there yet") == true)
        session.press(.click(row: 2, column: 3), .enter)
        found([3], in: &session, generation)
        #expect(isNothingOpened(session))
    }

    @Test func enterAtTheStart_waitsForTheList() {
        var session = BrowserSession()
        session.press(.enter)
        session.send(.connected(own: nil, isReset: false))
        session.send(.listed([BrowserSession.head(2)], next: nil, isFirst: true, generation: 1))
        #expect(session.browser.place == .note)
    }

    // MARK: Any order

    /// A daemon that answers at any time, and a user who types a search, Enter and a text. The text is in
    /// a note that the search finds, or nowhere, and always whole.
    @Test(arguments: seeds(100))
    func text_isInANoteOfTheSearch_orNowhere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var session = session()
        let results: [String: [UInt64]] = ["o": [2], "oat": [3], "oat m": [], "name:n-1": [2, 3], "oat \"": []]
        let line = random.pick(results.keys.sorted())
        var asked: [BrowserRequest] = []
        var keys = line.map { Key.character($0) } + random.pick([[], [], [.down], [.tab], [.tab, .down]]) + [.enter]
        keys += "typed".map { Key.character($0) }
        while !keys.isEmpty || !asked.isEmpty || session.browser.deadline != nil {
            if !keys.isEmpty, random.chance(0.6) {
                session.press(keys.removeFirst())
            } else if !asked.isEmpty {
                switch asked.removeFirst() {
                case .search(let query, _, _, let generation):
                    let text = query.text.description
                    let isShort = text.hasSuffix("*") && text.dropLast().last.map { "om1".contains($0) } == true
                    if isShort, text != "oat*" {
                        session.send(.unsearchable(SearchQueryFault(offset: 0, reason: "is short"), generation: generation))
                    } else {
                        found(results[text] ?? results[String(text.dropLast())] ?? [1, 2], in: &session, generation)
                    }
                case .watch(let note?):
                    if let number = [1, 2, 3].first(where: { Canned.id($0) == note }) { show(number, in: &session) }
                case .write(let note, let number, _):
                    session.send(.session(note, .written(number, Canned.saved(UInt64(number) + 10))))
                default: continue
                }
            } else {
                session.rest()
            }
            asked += session.requests
        }
        let expected = Set(results[line] ?? [])
        for number in 1...3 as ClosedRange<UInt64> where session.browser.watched == Canned.id(number) {
            let isTyped = text(session, number) == "typed\(number)\n"
            #expect(isTyped && expected.contains(number) || text(session, number) == "\(number)\n", "seed \(seed): \(line)")
            #expect(isTyped || session.browser.prompt != nil, "seed \(seed): \(line)")
        }
        #expect(session.browser.line.text == line, "seed \(seed)")
    }
}
