import Console
import TestKit
import Testing
import TextMerge

@testable import Agents

/// Passages that an agent names by their exact text.
struct PassagesTests {
    private func passage(_ old: String, _ new: String, _ count: Int = 1) -> Passage {
        Passage(old: bytes(old), new: bytes(new), count: count)
    }

    private func replaced(_ passages: [Passage], in text: String) throws(PassageFault) -> String {
        String(decoding: try Passages.edits(passages, in: bytes(text)).applied(to: bytes(text)), as: UTF8.self)
    }

    @Test func passages_areReplacedInAnyOrder() throws {
        #expect(try replaced([passage("c", "C"), passage("a", "A")], in: "a b c") == "A b C")
        #expect(try replaced([passage("a", "b", 3)], in: "a a a") == "b b b")
        #expect(try replaced([passage("ab", "x"), passage("cd", "y")], in: "abcd") == "xy")
        #expect(try replaced([passage("é\n", "")], in: "é\nb") == "b")
        // Models write LF, also into notes from Windows.
        #expect(try replaced([passage("a\nb", "a\nx\nb")], in: "a\r\nb\r\n") == "a\r\nx\r\nb\r\n")
        #expect(try replaced([passage("a\r\nb", "c\r\n")], in: "a\r\nb\r\n") == "c\r\n\r\n")
        #expect(try replaced([passage("a", "a\nx")], in: "a\r\nb\n") == "a\r\nx\r\nb\n")
        #expect(try replaced([passage("a\nb", "a\nx")], in: "a\r\nb\nc\n") == "a\r\nx\nc\n")
        #expect(try replaced([passage("\nb", "")], in: "a\r\nb\r\n") == "a\r\n")
        #expect(try replaced([passage("a\nb", "x")], in: "a\r\nb\na\nb") == "a\r\nb\nx", "twice without CR, once exactly")
        #expect(try replaced([passage("b", "x\ny")], in: "a\r\nb") == "a\r\nx\r\ny")
    }

    @Test(arguments: [
        ("aa", "aaa", PassageFault.occurs(0, times: 2)), ("x", "abc", .occurs(0, times: 0)), ("", "abc", .empty(0)),
        ("a", String(repeating: "a", count: 5_000), .occurs(0, times: Passages.countMax + 1)),
        ("é", "e\u{301}", .occurs(0, times: 0)),
        ("abcd", "abc", .occurs(0, times: 0)), ("a", "", .occurs(0, times: 0)),
    ])
    func passagesThatDoNotFit_areRefused(old: String, text: String, fault: PassageFault) {
        #expect(throws: fault) { try replaced([passage(old, "new")], in: text) }
    }

    @Test func overlappingPassages_areRefused() {
        #expect(throws: PassageFault.overlaps(1)) { try replaced([passage("ab", "x"), passage("bc", "y")], in: "abc") }
        #expect(throws: PassageFault.overlaps(1)) { try replaced([passage("ab", "x"), passage("ab", "y")], in: "abc") }
    }

    /// What a naive search finds at every offset.
    @Test(arguments: seeds(300))
    func edits_replaceWhatANaiveSearchFinds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = (0..<random.below(30)).map { _ in random.pick(["a", "b", "é"]) }.joined()
        let old = (0...random.below(2)).map { _ in random.pick(["a", "b", "é"]) }.joined()
        let (all, part) = (bytes(text), bytes(old))
        let places = all.indices.filter { all[$0...].starts(with: part) }
        let overlap = zip(places, places.dropFirst()).contains { $1 - $0 < part.count }
        let wanted = max(1, places.count)
        if places.isEmpty || overlap {
            #expect(throws: PassageFault.self) { try replaced([passage(old, "-", wanted)], in: text) }
        } else {
            #expect(try Passages.edits([passage(old, "-", wanted)], in: all).map(\.start) == places)
            #expect(throws: PassageFault.occurs(0, times: wanted)) { try replaced([passage(old, "-", wanted + 1)], in: text) }
        }
    }

    @Test func nearestLines_haveWordsInCommon() {
        let text = bytes("# List\n- oat milk\n- dark bread, two loaves\n- milk\n")
        #expect(Passages.nearest(to: bytes("- dark  bread – two"), in: text).map(\.number) == [3])
        #expect(Passages.nearest(to: bytes("Oat-milk"), in: text).map(\.number) == [2, 4])
        #expect(Passages.nearest(to: bytes("***"), in: text).isEmpty)
        #expect(Passages.nearest(to: bytes("wine"), in: text).isEmpty)
    }

    @Test(
        arguments: [
            ("", "a", nil, "a\n"), ("a\r\nx", "a\nb", nil, "a\r\nx\r\na\r\nb\r\n"),
            ("# A\r\n# B\r\n", "a", "A", "# A\r\na\r\n# B\r\n"),
            ("x", "a", nil, "x\na\n"), ("x\n", "a\n", nil, "x\na\n"),
            ("# A\nx\n\n# B\ny\n", "a", "A", "# A\nx\na\n\n# B\ny\n"),
            ("# A\nx\n## C\nz\n# B\n", "a", "A", "# A\nx\n## C\nz\na\n# B\n"),
            ("# A\nx\n## C\nz\n# B\n", "a", "C", "# A\nx\n## C\nz\na\n# B\n"), ("# A", "a", "A", "# A\na\n"),
            ("# A\n\n\n", "a", "A", "# A\na\n\n\n"), ("# A\n```\n# B\n```\nx\n", "a", "A", "# A\n```\n# B\n```\nx\na\n"),
        ] as [(String, String, String?, String)])
    func additions_goToTheEndOfTheirSection(text: String, added: String, heading: String?, expected: String) throws {
        let edit = try #require(Passages.addition(bytes(added), to: bytes(text), under: heading.map { bytes($0) }))
        #expect(String(decoding: [edit].applied(to: bytes(text)), as: UTF8.self) == expected)
    }

    @Test(arguments: ["", "# A\n# A\n", "#A\n", "```\n# A\n```\n", "####### A\n", "# a\n"])
    func headingsThatDoNotOccurOnce_areRefused(text: String) {
        #expect(Passages.addition(bytes("a"), to: bytes(text), under: bytes("A")) == nil)
    }

    /// An addition removes nothing, and its lines are lines of the result.
    @Test(arguments: seeds(200))
    func additions_keepTheText(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = random.text(lengthMax: 40)
        let edit = try #require(Passages.addition(bytes("added"), to: text))
        let result = [edit].applied(to: text)
        #expect(edit.start == edit.end && result.starts(with: text))
        let isOpen = !text.isEmpty && text.last != UInt8(ascii: "\n")
        let lines = String(decoding: result.dropFirst(text.count), as: UTF8.self)
        let ends = isOpen ? ["\nadded\n", "\r\nadded\r\n"] : ["added\n", "added\r\n"]
        #expect(ends.contains(lines) && (lines == ends[0]) == (LineEnds(of: text).adapted(bytes("\n")) == bytes("\n")))
    }
}
