import NoteText
import TestKit
import Testing

@Suite struct LinksTests {
    private func targets(_ text: String) -> [String] { Links.of(bytes(text)).map { $0.target.description } }

    @Test(
        arguments: [
            ("[[a]] and [[b]]", ["a", "b"]), ("[[a]] <!-- [[b]] --> [[c]]", ["a", "c"]), ("[[a]] <!-- [[b]]", ["a", "b"]),
            ("<!--\n[[a]]\n\n[[b]] --> [[c]]\n[[d]]", ["d"]), ("<!-- x\n\n[[a]]", ["a"]),
            ("x <!-- [[a]]\n\n--> [[b]]", ["a", "b"]),
            ("```\n<!--\n```\n[[a]]\n-->", ["a"]), ("<!-->\n[[a]]", ["a"]), ("```\n[[a]]\n```\n[[b]]", ["b"]),
            ("`[[a]] [[b]]` [[c]]", ["c"]), ("\\`[[a]]`", ["a"]), ("![a](b) ![[c]]", ["b", "c"]), ("[![a](b)](c)", ["b", "c"]),
            ("[[a](b)](c)", ["b"]), ("[a [b](c) d](e)", ["c"]), ("[x](a \"t\") [y](b 't') [z](c (t))", ["a", "b", "c"]),
            ("[x](a \"t) [y](b)", ["b"]), ("[x](a(b)c)", ["a(b)c"]), ("[x](a(b)", []), ("[x](a\\(b)", ["a(b"]),
            ("[x]( a )", ["a"]),
            ("[x](\na)", []), ("[a]: b\n[c]: d 'e'\n[f]: g h\n", ["b", "d"]), ("[a]: <b c>\n", ["b c"]), ("[a\\]]: b", ["b"]),
            ("    [a]: b", []), ("`[a]: b`", []), ("[x](mailto:a)", []), ("[x](c:/a)", ["c:/a"]), ("<x:[[a]]>", ["a"]),
            ("<xy:[[a]]> [[b]]", ["b"]), ("[x](%C3%A9) [x](%FF) [x](%2) [x](%zz)", ["é", "%FF", "%2", "%zz"]),
            ("[x](a&amp;amp;b)", ["a&amp;b"]), ("[x](%2526)", ["%26"]), ("[[a\\]] [[b]]", ["b"]), ("[[a]b]]", ["a]b"]),
            ("---\nup: \"[[a]] ![[b]] [[[c]]]\"\n---\n[[d]]", ["a", "b", "c", "d"]), ("---\n`[[a]]`\n---", ["a"]),
            ("\u{FEFF}[[a]]", ["a"]), ("[[a\u{A0}]]", ["a"]), ("- [ ] [[a]]\n- [x] [b](c)", ["a", "c"]),
            ("[[a]\n[[b]]", ["b"]), ("[[a]](b) [[c]](d e)", ["b", "c"]), ("[x](a?b#c)", ["a?b"]),
            ("[a]: b?[[c]]\n[d]: e[f](g)\n[[h]]", ["b?[[c]]", "e[f](g)", "h"]), ("[[ #h ]] [[#]]", [""]),
        ] as [(String, [String])])
    func links_areReadOutsideCodeAndComments(text: String, targets expected: [String]) {
        #expect(targets(text) == expected)
    }

    @Test(
        arguments: [
            ("[[plan#^b1\\|s]]", 2..<6, "plan", "^b1"), ("![[ é # x ]]", 4..<6, "é", "x"),
            ("[x](<a b#c d>)", 5..<8, "a b", "c d"),
            ("[x](a%20b#c%20d)", 4..<9, "a b", "c%20d"), ("[x](note:1#2)", 9..<10, "1", "2"), ("[x](a#)", 4..<5, "a", ""),
        ] as [(String, Range<Int>, String, String)])
    func range_isThatOfTheTargetAsWritten(text: String, range: Range<Int>, target: String, fragment: String) {
        let links = Links.of(bytes(text))
        #expect(links.map(\.range) == [range])
        #expect(links.first?.target == ByteString(target) && links.first?.fragment == ByteString(fragment))
    }

    @Test func limits_areThoseThatAreNamed() {
        #expect(Links.of(bytes(String(repeating: "[[a]] ", count: LinkLimits.linksMax + 1))).count == LinkLimits.linksMax)
        #expect(Links.of(bytes("[[" + String(repeating: "a", count: LinkLimits.targetBytesMax) + "]]")).count == 1)
        #expect(Links.of(bytes("[[" + String(repeating: "a", count: LinkLimits.targetBytesMax + 1) + "]]")).isEmpty)
        #expect(Links.of(bytes("[x](" + String(repeating: "a", count: LinkLimits.targetBytesMax + 1) + ")")).isEmpty)
        #expect(Links.of(bytes(String(repeating: "[[", count: 20_000) + "a]]")).count == 1)
        let deep = LinkLimits.parenthesesMax
        for (depth, count) in [(deep, 1), (deep + 1, 0)] {
            let target = String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
            #expect(Links.of(bytes("[x](\(target))")).count == count)
        }
        let matter = "---\nup: [[a]]\n#" + String(repeating: "x", count: FrontMatter.bytesMax) + "\n---\n"
        #expect(targets(matter) == ["a"], "longer front matter is read as text")
        let aliases = (0...LinkLimits.aliasesMax).map(String.init).joined(separator: ",")
        #expect(NoteLabels(name: nil, text: bytes("---\naliases: [\(aliases)]\n---\n")).aliases.count == LinkLimits.aliasesMax)
    }

    /// Four times the text takes about four times the work, which is counted in bytes examined.
    @Test(arguments: [
        "[", "[[", "]]", "[[a", "`[[", "![[", "[a](", "[a](<", "[a](b \"", "[a](b (x", "[a](b '", "](", "<a:", "<ab:", "<!--",
        "[a]:",
        "[a]: b\n", "[a]: <", "[[a]] ", "\\", "[[a]](", "[[a|", "``[[`", "(((", "- [", "---\n", "[[]]", "&amp;[[", "[\\", "](<\\",
        "[a](b\\(", "[x](  ", "[a]: b \"", "<!--\n", "-->", "[!--->[[", "`\n", "```\n[[", "[a](((((", "![", "![a](b)", "[[a]](b)",
    ])
    func work_isLinear(pattern: String) {
        func steps(_ size: Int) -> Int {
            var steps = 0
            let text = String(repeating: pattern, count: size / pattern.utf8.count) + "["
            _ = Links.of(bytes(text), countingSteps: &steps)
            return steps
        }
        let (small, large) = (steps(2_000), steps(8_000))
        #expect(large <= 5 * small + 10_000, "\(small) steps, then \(large)")
        #expect(large <= 8_000 * 60)
    }

    /// A paragraph with far more links than count is not read to its end.
    @Test(arguments: ["[[a]] ", "[a](b) ", "[a]: b\n"])
    func linksPastTheLimit_areNotRead(pattern: String) {
        let text = bytes(String(repeating: pattern, count: 10 * LinkLimits.linksMax))
        var steps = 0
        let links = Links.of(text, countingSteps: &steps)
        #expect(links == Array(Links.of(Array(text.prefix(2 * text.count / 10))).prefix(LinkLimits.linksMax)))
        #expect(links.count == LinkLimits.linksMax && steps < 5 * text.count / 2, "\(steps) steps for \(text.count) bytes")
    }

    /// Any text yields links whose ranges are inside it, in order and on character boundaries.
    @Test(arguments: seeds(300))
    func ranges_areInOrderAndOnBoundaries(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "[[", "]]", "[", "](", ")", "|", "#", "\\", "`", "<", ">", "<!--", "-->", "\n", "\n\n", "```\n", "a", "é", " ", "]: ",
            "%20", "&amp;", "![", "!", "---\n", "note:", "\"", "?", "(", "\u{A0}",
        ]
        let text = bytes((0..<generator.below(40)).map { _ in generator.pick(pieces) }.joined())
        let links = Links.of(text)
        var end = 0
        for link in links {
            #expect(link.range.lowerBound >= end && link.range.upperBound <= text.count, "seed \(seed): \(string(text))")
            end = link.range.upperBound
            #expect(ByteString(checkedUTF8: Array(text[link.range])) != nil, "seed \(seed): \(string(text))")
            #expect(ByteString(checkedUTF8: link.target.utf8) != nil, "seed \(seed): \(string(text))")
        }
        #expect(Links.of(text) == links)
    }

    @Test(
        arguments: [
            ("aliases: [a b, \"c, d\", '#e']", ["a b", "\"c", "d\"", "#e"]), ("aliases: a b, c", ["a b", "c"]),
            ("alias: \"a, b\"", ["a, b"]),
            ("aliases:\n- a b\n- 'c'\nid: x y\nalias: z", ["a b", "c", "x y", "z"]), ("aliases: # none", []), ("aliases: [a", []),
            ("id: 7", ["7"]), (" id: 7", []), ("ids: 7", []),
        ] as [(String, [String])])
    func aliases_areReadFromFrontMatter(matter: String, aliases: [String]) {
        let labels = NoteLabels(name: nil, text: bytes("---\n\(matter)\n---\n# T\n"))
        #expect(labels.aliases == aliases.map { ByteString($0) })
        #expect(labels.title == "T")
    }

    @Test(
        arguments: [
            ("202301011230 My note", "202301011230"), ("a/20230101-x", "20230101"), ("2023010 x", nil), ("20230101", nil),
            ("k7x2_t", "k7x2"), ("K7x2 t", nil), ("k7X2 t", "k7x2"), ("abcd e", nil), ("1a b", nil), ("20230101 x/y", nil),
        ] as [(String, String?)])
    func leadingID_isTheFirstWordOfTheLastPart(note: String, id: String?) {
        #expect(NoteLabels(name: name(note), text: []).leadingID == id.map { ByteString($0) })
    }
}
