import TestKit
import Testing

@testable import LanguageServer

@Suite struct ContentFramerTests {
    private func events(_ input: String) -> [ContentFramer.Event] { events(Array(input.utf8)) }

    private func events(_ input: [UInt8]) -> [ContentFramer.Event] {
        var framer = ContentFramer()
        framer.receive(input)
        return Self.drain(&framer)
    }

    private static func drain(_ framer: inout ContentFramer) -> [ContentFramer.Event] {
        var events: [ContentFramer.Event] = []
        while let event = framer.next() { events.append(event) }
        return events
    }

    private func body(_ text: String) -> ContentFramer.Event { .body(Array(text.utf8)) }

    private func isFault(_ event: ContentFramer.Event) -> Bool { if case .fault = event { true } else { false } }

    @Test func messages_arriveWhole() {
        #expect(
            events("Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x; charset=utf-8\r\n\r\nabc") == [
                body("{}"), body("abc"),
            ])
        #expect(events("Content-Length: 0\r\n\r\n") == [body("")])
        #expect(events("Content-Length: 5\r\n\r\nabc") == [])
    }

    /// L11: a malformed header is reported once, and the next message is read.
    @Test(arguments: [
        "Content-Length: x\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "Content-Type: x\r\n\r\n{}", "no colon\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length:\r\n\r\n",
        String(repeating: "x", count: 5_000),
    ])
    func malformedHeader_isReportedOnce_andTheNextMessageIsRead(_ header: String) {
        let found = events(header + "Content-Length: 2\r\n\r\n{}")
        #expect(found.count == 2 && isFault(found[0]) && found[1] == body("{}"), "\(found)")
    }

    @Test func tooLongBody_isSkippedWithoutHoldingIt() {
        var framer = ContentFramer()
        framer.receive(Array("Content-Length: \(LanguageProtocol.bodyBytesMax + 1)\r\n\r\n".utf8))
        #expect(Self.drain(&framer).map(isFault) == [true])
        let piece = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<32 {
            framer.receive(piece)
            #expect(framer.next() == nil)
        }
        framer.receive(Array(" Content-Length: 2\r\n\r\n{}".utf8))
        #expect(framer.next() == body("{}"))
    }

    /// The events do not depend on how the input is cut.
    @Test(arguments: seeds(200)) func cuts_changeNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var input: [UInt8] = []
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let bytes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in UInt8.random(in: 0...127, using: &generator) }
            let length = Int.random(in: 0...9, using: &generator) == 0 ? "x" : "\(bytes.count)"
            input += Array("Content-Length: \(length)\r\n\r\n".utf8) + bytes
        }
        let whole = events(input)
        var framer = ContentFramer()
        var pieces: [ContentFramer.Event] = []
        var rest = input[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(1, min(rest.count, 12)), using: &generator)
            framer.receive(rest.prefix(count))
            rest = rest.dropFirst(count)
            pieces += Self.drain(&framer)
        }
        #expect(pieces == whole, "seed \(seed)")
    }
}
