import NotesWire
import TestKit
import Testing

@Suite struct LineFramerTests {
    /// All events of a stream that arrives in these pieces.
    private func events(_ pieces: [[UInt8]], limit: Int = 8) -> [LineFramer.Event] {
        var framer = LineFramer(lineBytesMax: limit)
        var events: [LineFramer.Event] = []
        for piece in pieces {
            framer.receive(piece)
            while let event = framer.next() { events.append(event) }
        }
        return events
    }

    private func line(_ text: String) -> LineFramer.Event { .line(bytes(text)) }

    @Test(arguments: [
        ("a\n", ["a"]), ("a\r\nb\n", ["a", "b"]), ("\n\n \t\r\n\ra\n", ["\ra"]), ("a\r\r\n", ["a\r"]), ("a", []), ("", []),
        ("12345678\n", ["12345678"]), ("a\rb\n", ["a\rb"]), (" a \n", [" a "]),
    ])
    func lines_endAtLF_loseOneCR_andSkipBlanks(stream: String, lines: [String]) {
        #expect(events([bytes(stream)]) == lines.map(line))
    }

    @Test func events_areTheSameForAnySplit() {
        let stream = bytes("ab\r\n\n12345678\n123456789\r\nc\n1234567890123456789\n \n12345678\r\nd\re\nhalf")
        let whole = events([stream])
        #expect(whole == [line("ab"), line("12345678"), .tooLong, line("c"), .tooLong, .tooLong, line("d\re")])
        #expect(events(stream.map { [$0] }) == whole, "byte by byte")
        for first in 0...stream.count {
            for second in first...stream.count {
                let pieces = [Array(stream[..<first]), Array(stream[first..<second]), Array(stream[second...])]
                #expect(events(pieces) == whole, "split at \(first) and \(second)")
            }
        }
    }

    @Test(arguments: seeds(40))
    func events_matchNaiveFramer(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = bytes("ab\r\n\n \t")
        let stream = (0..<random.below(600)).map { _ in random.chance(0.7) ? UInt8(ascii: "x") : random.pick(alphabet) }
        let limit = 1 + random.below(20)
        var pieces: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let length = 1 + random.below(50)
            pieces.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        var naive: [LineFramer.Event] = []
        let lines = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isEnded = index < lines.count - 1
            if line.count > limit {
                naive.append(.tooLong)
            } else if isEnded, !line.allSatisfy({ bytes(" \t\r").contains($0) }) {
                naive.append(.line(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)))
            }
        }
        #expect(events(pieces, limit: limit) == naive, "seed \(seed)")
    }

    @Test func limit_changesBetweenLinesOfOneRead() {
        var framer = LineFramer(lineBytesMax: 5)
        framer.receive(bytes("hello\n") + bytes("a longer line\n"))
        #expect(framer.next() == line("hello"))
        framer.lineBytesMax = 100
        #expect(framer.next() == line("a longer line"))
        #expect(framer.next() == nil)
    }

    @Test func endlessLine_isReportedOnce_withoutMemory() {
        var framer = LineFramer(lineBytesMax: 1_000)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 700)
        var tooLong = 0
        for _ in 0..<5_000 {
            framer.receive(piece)
            while framer.next() == .tooLong { tooLong += 1 }
            #expect(framer.bufferedBytes <= 1_000)
        }
        #expect(tooLong == 1)
        framer.receive(bytes("\nnext\n"))
        #expect(framer.next() == line("next"))
    }

    @Test func bytes_areNotMovedBetweenEvents() {
        var framer = LineFramer(lineBytesMax: 100)
        for number in 0..<1_000 { framer.receive(bytes("\(number)\n")) }
        for number in 0..<1_000 { #expect(framer.next() == line("\(number)")) }
        #expect(framer.bufferedBytes == 0)
    }
}
