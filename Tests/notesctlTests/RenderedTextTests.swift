import Console
import TestKit
import Testing

@testable import notesctl

/// Tests of `show --rendered`.
struct RenderedTextTests {
    private func lines(_ text: String, columns: Int = 40, isOn: Bool = false) -> [String] {
        RenderedText(columns: columns, style: Style(isOn: isOn)).lines(text)
    }

    @Test func markdown_isRendered() {
        let text = """
            # Title *here*
            One paragraph that is longer than a line of forty columns
            has, `code` and **strong** words.

            - first
            - [x] done, and this point is longer than one line has room
            1. number
            > quoted
            ***
            ```swift
            let a  = 1 // **not strong**
            ```
            See [the docs](https://example.org/a).
            """
        #expect(
            lines(text) == [
                "Title here", "One paragraph that is longer than a line", "of forty columns has, code and strong", "words.", "",
                "• first", "• ☑ done, and this point is longer than", "    one line has room", "1. number", "│ quoted",
                String(repeating: "─", count: 40), "    swift", "    let a  = 1 // **not strong**",
                "See the docs (https://example.org/a).",
            ])
        let painted = lines(text, isOn: true)
        #expect(painted.first == "\u{1B}[1m\u{1B}[4mTitle here\u{1B}[0m\u{1B}[0m")
        #expect(painted.map(Style.stripped) == lines(text), "colours take no room")
    }

    @Test func frontMatter_staysAsItIs() {
        let text = "---\ndate: 2026-02-04\ntags:\n  - daily\naliases: [a, b]\n---\n\n# Title\none\ntwo\n"
        let matter = ["---", "date: 2026-02-04", "tags:", "  - daily", "aliases: [a, b]", "---"]
        #expect(lines(text) == matter + ["", "Title", "one two"])
        #expect(lines(text.replacing("\n\n", with: "\n")) == matter + ["Title", "one two"])
        #expect(lines(text, isOn: true).first == "\u{1B}[2m---\u{1B}[0m")
        #expect(lines("---\na: 1\n---") == ["---", "a: 1", "---"])
        #expect(lines("---\nno end\n") == [String(repeating: "─", count: 40), "no end"])
    }

    /// For random texts, no text is lost, no control character is printed, and no line is too wide
    /// unless a single word is.
    @Test(arguments: seeds(100))
    func everyWord_isKept_andLinesFit(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "word", "日本語", "*", "**", "`", "# ", "- ", "> ", "[a](b)", "\u{1B}[31m", "\u{202E}", "\n", "\n\n", " ", "1. ", "x",
            "```", "|", "    ",
        ]
        let text = (0..<generator.below(60)).map { _ in generator.pick(pieces) }.joined()
        let columns = 20 + generator.below(60)
        let plain = lines(text, columns: columns)
        let all = plain.joined()
        #expect(!all.unicodeScalars.contains("\u{1B}") && !all.unicodeScalars.contains("\u{202E}"), "seed \(seed)")
        func count(_ word: String, in text: String) -> Int { text.ranges(of: word).count }
        for word in ["word", "日本語"] { #expect(count(word, in: all) == count(word, in: text), "seed \(seed): \(text)") }
    }

    @Test(arguments: [20, 33, 40, 80, 120])
    func paragraphs_areNoWiderThanTheTerminal(columns: Int) {
        var generator = SeededGenerator(seed: UInt64(columns))
        let words = (0..<200).map { _ in generator.pick(["a", "short", "日本語", "`code`", "**bold**", "longerword"]) }
        for prefix in ["", "- ", "> ", "1. "] {
            for line in lines(prefix + words.joined(separator: " "), columns: columns) {
                #expect(DisplayWidth.of(line) <= columns, "\(line)")
            }
        }
    }
}
