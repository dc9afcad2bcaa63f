import TestKit
import Testing

@testable import GuaranteeChecker

struct RecordingTests {
    @Test func recording_roundTrips() throws {
        var history = History()
        history.add(.opened, 1)
        history.add(.sent(Array(#"{"a":"é "}"#.utf8)), 1)
        history.add(.received([]), 1)
        history.add(.stopped, 12)
        history.add(.resumed, 12)
        history.add(.gaveUp("an answer"), 0)
        history.add(.closed, 1)
        #expect(try History(parsing: history.text).events == history.events)
        #expect(try History(parsing: Array("# words\n\n1 +\n".utf8)).events.count == 1)
    }

    @Test(arguments: ["x", "1", "1 ?", "one + "])
    func foreignLine_isRefused(line: String) {
        #expect(throws: HistoryFault(line: 2)) { try History(parsing: Array("1 +\n\(line)\n".utf8)) }
    }

    @Test func onlyCompleteTokens_areCounted() {
        #expect(Token.counts(in: Array("a‹1.2›‹1.2› ‹ ‹3.4›\n".utf8)) == ["‹1.2›": 2, "‹3.4›": 1])
        #expect(Token.counts(in: Array("‹".utf8)) == [:])
    }

    @Test(arguments: Splicing.Encoding.allCases)
    func edits_useEncodingOfTheSession(encoding: Splicing.Encoding) {
        let text = Array("é🙂x\n".utf8)
        let start = Splicing.count(Array("é🙂".utf8), encoding)
        #expect(start == (encoding == .utf8 ? 6 : encoding == .utf16 ? 3 : 2))
        let edits = [Splicing.Edit(start: start, end: start + 1, text: Array("y".utf8))]
        #expect(Splicing.apply(edits, to: text, encoding) == Array("é🙂y\n".utf8))
        #expect(Splicing.apply([Splicing.Edit(start: 0, end: 99, text: [])], to: text, encoding) == nil)
        guard encoding != .utf32 else { return }
        #expect(Splicing.apply([Splicing.Edit(start: start - 1, end: start, text: [])], to: text, encoding) == nil)
    }

    /// The reported part of a faulty history is a smaller history with the same fault.
    @Test func shrunkRecording_hasTheSameFault() throws {
        var all = Transcript()
        for connection in 1...3 { all.open(connection) }
        all.create(1, of: Transcript.other, "‹1.9›\n", "a:9")
        all.create(1, "‹1.1›\n", "a:1")
        for number in 0..<20 { all.ask(2, "session.ping", "", "\"n\":\(number)") }
        all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:2")
        all.get(3, "a:2", "‹1.1›\n‹1.2›\n")
        all.get(3, "a:1", "‹1.1›\n")
        let fault = try #require(Checker.verdicts(of: all.history).flatMap(\.faults).first)
        let less = all.history.shrunk(to: fault)
        #expect(less.events.count <= 10, "\(String(decoding: less.text, as: UTF8.self))")
        #expect(Checker.verdicts(of: less).flatMap(\.faults).contains { $0.words == fault.words })
    }
}
