import TestKit
import Testing
import TextMerge

@testable import Agents

/// The parts in which an agent gets a text.
struct ToolTextTests {
    /// The pages of a text, read one after the other, are the text, and each is valid and within limits.
    @Test(arguments: seeds(200))
    func pages_makeUpTheText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = random.text(lengthMax: 60)
        let lines = Lines(text)
        let (count, bytesMax) = (1 + random.below(4), 4 + random.below(30))
        var (read, place) = ([UInt8](), (line: 1, byte: 0))
        while true {
            let page = ToolText.page(lines, of: text, from: place.line, byte: place.byte, lines: count, bytesMax: bytesMax)
            #expect(String(validating: page.text, as: UTF8.self) != nil && page.text.count <= bytesMax)
            read += page.text
            guard let next = page.nextLine else { break }
            #expect(!page.text.isEmpty, "each page continues")
            guard !page.text.isEmpty else { break }
            place = (next, page.nextByte ?? 0)
        }
        #expect(read == text)
    }

    @Test(arguments: [(0, 0), (2, 100), (9, 0), (Int.max, Int.max), (1, Int.max), (1, 1)])
    func placesOutsideTheText_giveWhatFollows(line: Int, byte: Int) {
        let text = bytes("é\nb\n")
        let page = ToolText.page(Lines(text), of: text, from: max(1, line), byte: byte, lines: .max, bytesMax: 100)
        #expect(String(validating: page.text, as: UTF8.self) != nil && page.nextLine == nil)
    }

    @Test func diff_isCutAtWholeLines() {
        let many = bytes((0..<5_000).map { "line \($0)\n" }.joined())
        let diff = ToolText.diff(from: [], to: many, names: ("a", "b"))
        #expect(diff.isCut && diff.text.count <= ToolLimits.diffBytes && diff.text.last == UInt8(ascii: "\n"))
        #expect(!ToolText.diff(from: many, to: many, names: ("a", "b")).isCut)
    }

    @Test(arguments: [
        ("codex", "box/mcp/codex"), ("", "box/mcp/agent"), ("a/b c\u{1B}[1m", "box/mcp/a-b-c--1m"),
        (String(repeating: "x", count: 100), "box/mcp/\(String(repeating: "x", count: 64))"),
    ])
    func label_hasThreeParts(client: String, label: String) {
        #expect(ContextLink.label(client: client, host: "box") == label)
    }
}
