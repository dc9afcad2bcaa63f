import ClientTestKit
import NoteText
import NotesModel
import NotesWire
import Testing

@testable import Browse

/// Tests of what the search line searches for.
struct SearchLineTests {
    private func line(_ text: String) -> SearchLine {
        var line = SearchLine()
        line.insert(text)
        return line
    }

    private func texts(_ text: String) throws -> [String] { try line(text).queries().map(\.text.description) }

    /// The daemon refuses some of the first queries; then the second is the line as it is.
    @Test(arguments: [
        "o", "7", "я", "λ", "é", "e\u{301}", "漢", "name:m", "name:meeting-1", "meeting-1", "plan 3", "oat m", "\"oat milk\" b",
        "milk -x", "milk NOT x", "(oat OR m) b", "tag:t",
    ])
    func lastWord_mayBeUnfinished_orIsAWord(text: String) throws {
        #expect(try texts(text) == [text + "*", text])
    }

    @Test(arguments: ["oat ", "\"oat\"", "o*", "link:inbox", "plan-"])
    func finishedLine_isSearchedAsItIs(text: String) throws {
        #expect(try texts(text) == [text])
    }

    @Test func lineWithoutAQueryOfItsOwn_isSearchedAsTheStartOfOne() throws {
        #expect(try texts("oat OR") == ["oat OR*"] && texts(" ").isEmpty)
        #expect(throws: SearchQueryFault.self) { try texts("\"oat") }
    }

    @Test func fault_isASentenceAboutItsPlace() throws {
        let line = line("milk \"oat")
        do throws(SearchQueryFault) {
            _ = try line.queries()
            Issue.record("the line has no fault")
        } catch {
            #expect(line.sentence(error) == "`\"oat` opens a quotation that is not closed; add a second \"")
        }
    }

    /// What the daemon sends is for programs: it has a path and an offset.
    @Test func refusal_isASentenceWithoutThePath() {
        let fault = SearchQueryFault(offset: 5, reason: "is a single letter; use two")
        let refusal = WireError.invalidParams(ParamFault(fault, path: "params.query"))
        #expect(BrowserRequests.fault(refusal) == fault)
        #expect(line("milk o*").sentence(fault) == "`o*` is a single letter; use two")
        let other = BrowserRequests.fault(WireError(.invalidParams, "no"))
        #expect(line("milk").sentence(other) == "the search is refused by the daemon: no")
    }

    @Test(arguments: [
        ("shopping", "shopping"), ("name:shopping", "shopping"), ("shopp*", "shopp"), ("name:\"oat milk\"", "oat milk"),
        (" oat milk*", "oat milk"), ("work/inbox", "work/inbox"), ("tag:todo", nil), ("oat -milk", nil), ("oat OR milk", nil),
        ("name:oat milk", nil),
    ])
    func name_isWhatTheUserMayMean(text: String, name: String?) throws {
        #expect(try SearchQuery(parsing: ByteString(text)).name?.description == name)
    }

    @Test func noteOfThatName_isFirst() throws {
        let heads = ["shoppingnmy", "Shopping", "a", "shopping", nil].enumerated().map {
            BrowserSession.head(UInt64($0 + 1), name: $1)
        }
        let sorted = try SearchQuery(parsing: "name:shopping*").sorted(heads)
        #expect(sorted.map { $0.name?.description } == ["shopping", "Shopping", "shoppingnmy", "a", nil])
        #expect(try SearchQuery(parsing: "tag:shopping").sorted(heads) == heads)
    }
}
