import NoteText
import TestKit
import Testing

@Suite struct TitleAndTagsTests {
    @Test(arguments: [
        ("", ""), ("\n \t\n", ""), ("# Hello\nworld", "Hello"), ("\r\n\r\n## A # b \r\nx", "A # b "), ("###", ""),
        ("  # # x", "x"), ("plain", "plain"), ("#tag first", "tag first"),
    ])
    func title_isFirstNonBlankLine(text: String, title: String) {
        #expect(Title.of(bytes(text)) == ByteString(title))
    }

    @Test(arguments: [
        ("---\ntitle: My trip\ntags: [a]\n---\n# Rome\n", "My trip"), ("---\ntags: [a]\n---\n\n# Rome\n", "Rome"),
        ("---\ntitle: \"A \\\"b\\\"\"\n---\n", "A \"b\""), ("---\ntitle: 'it''s' \n---\n", "it's"),
        ("---\ntitle: C# notes # draft\n---\n", "C# notes"), ("---\r\ntitle: x\r\n---\r\n", "x"),
        ("---\ntitle:\n---\nbody", "body"), ("---\ntitle: ''\n---\nbody", "body"), ("---\ntitle: |\n  a\n---\nbody", "body"),
        ("---\naliases: [Roma, b]\n---\n", "Roma"), ("---\naliases:\n- Roma\n---\ntext", "text"), ("---\na: b\n---\n", ""),
        ("---\ntitle: x\n", "---"), ("x\n---\ntitle: y\n---\n", "x"), ("\u{FEFF}# Hello", "Hello"),
        ("\u{FEFF}---\ntitle: x\n---\n", "x"),
    ])
    func title_comesFromFrontMatter_orFollowsIt(text: String, title: String) {
        #expect(Title.of(bytes(text)) == ByteString(title))
    }

    @Test func title_isCutAt200Scalars() {
        let title = Title.of(bytes(String(repeating: "é", count: 500)))
        #expect(title == ByteString(String(repeating: "é", count: 200)))
        let shorter = String(repeating: "é", count: 150)
        #expect(Title.of(bytes(shorter)) == ByteString(shorter), "more bytes than that, and fewer scalars")
    }

    @Test(
        arguments: [
            ("", []), ("#todo", ["todo"]), ("a #b (#c) d#e", ["b", "c"]), ("# heading", []),
            ("#1 #a1 #a_b-c/d.", ["a1", "a_b-c/d"]),
            ("#ÄPFEL #äpfel", ["äpfel"]), ("`#no` #yes", ["yes"]), ("``a ` #no`` #yes", ["yes"]), ("` #open", ["open"]),
            ("```\n#no\n```\n#yes", ["yes"]), ("~~~\n#no\n```\n#no\n~~~\n#yes", ["yes"]), ("```\n#no", []),
            ("`a\n#no`\n\n`\n#yes", ["yes"]), ("x\u{00A0}#nbsp", ["nbsp"]), ("##two", []), ("#b #a #b", ["a", "b"]),
            ("----\n#x", ["x"]), ("a\n```\n#no\n```", []), ("#a\n```\n#no\n```\n#b", ["a", "b"]),
            ("```\n    ```\n#no\n```\n#yes", ["yes"]), ("#yes `", ["yes"]), ("`#no` `` #open`", ["open"]), ("\n \n#a", ["a"]),
            ("x#no (#a)", ["a"]), ("#a `#no` #b", ["a", "b"]), ("#a\n~~~\n#no\n~~~\n#b", ["a", "b"]),
            ("a `\n\n#yes `", ["yes"]), ("~~~ a~b\n#no\n~~~\n#yes", ["yes"]), ("~~~\n~~~ x\n#no\n~~~\n#yes", ["yes"]),
            ("#a☃b #☃", ["a"]),
        ] as [(String, [String])])
    func tags_areReadOutsideCode(text: String, tags: [String]) {
        #expect(Tags.of(bytes(text)) == tags.map { ByteString($0) })
    }

    @Test(
        arguments: [
            ("---\ntags: [A, \"b c\", '#d']\n---\n#e", ["a", "b c", "d", "e"]), ("---\ntags: a, b\n---\n", ["a", "b"]),
            ("---\ntags: a b\n...\n", ["a", "b"]), ("---\r\ntags:\r\n  - a\r\n- b\r\nother: x\r\n---\r\n", ["a", "b"]),
            ("---\ntags: [a\n---\n", []), ("---\ntags: a\n", []), ("---\n#no\ntags:\n---\n", []), ("x\n---\ntags: a\n---\n", []),
            ("---\ntags: a\n---", ["a"]), ("---\ntags: no\n#b\n", ["b"]), ("---\ntitle: x\n---\n#b", ["b"]),
            ("---\ntags:\n- a\n\n- b\n---\n", ["a", "b"]), ("---\ntags: [a, \"\", '#', b]\n---\n", ["a", "b"]),
            ("---\ntags: [a b]\n---\n", ["a b"]), ("---\ntags: a b, c\n---\n", ["a b", "c"]),
        ] as [(String, [String])])
    func tags_areReadFromFrontMatter(text: String, tags: [String]) {
        #expect(Tags.of(bytes(text)) == tags.map { ByteString($0) })
    }

    /// Tags in upper and lower case, with repetitions, in front matter and in the text.
    @Test(arguments: seeds(10)) func firstTagsOfTheTextCount(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = (0..<3 * TagLimits.tagsMax).map { _ in
            (random.chance(0.5) ? "tag" : "TÄG") + "\(random.below(2 * TagLimits.tagsMax))"
        }
        let inMatter = random.below(200)
        let text =
            "---\ntags: [" + words.prefix(inMatter).joined(separator: ", ") + "]\n---\n"
            + words.dropFirst(inMatter).map { "#\($0)" + (random.chance(0.1) ? "\n\n" : " ") }.joined()
        var first: [String] = []
        for word in words.map({ $0.lowercased() }) where first.count < TagLimits.tagsMax && !first.contains(word) {
            first.append(word)
        }
        #expect(first.count == TagLimits.tagsMax)
        #expect(Tags.of(bytes(text)) == first.map { ByteString($0) }.sorted(), "seed \(seed)")
        #expect(Set(Tags.of(bytes(text), isLimited: false)) == Set(words.map { ByteString($0.lowercased()) }), "seed \(seed)")
    }

    @Test func wordsThatAreTags_haveLimits() {
        let repeated = String(repeating: "#a ", count: TagLimits.wordsMax - 1)
        #expect(Tags.of(bytes(repeated + "#b #c")) == ["a", "b"])
        let longest = String(repeating: "x", count: TagLimits.bytesMax)
        #expect(Tags.of(bytes("#\(longest) #\(longest)y #z")) == [ByteString(longest), "z"])
        #expect(Tags.of(bytes("---\ntags: [\(longest), \(longest)y]\n---\n")) == [ByteString(longest)])
        let matter = "---\ntags: [a]\nx: " + String(repeating: "y", count: FrontMatter.bytesMax) + "\n---\n"
        #expect(Tags.of(bytes(matter + "#b")) == ["b"])
    }

    @Test func tags_takeLinearTimeOnUnmatchedBackticks() {
        // Runs of increasing length have no partner; a search for the partner of each would be
        // quadratic.
        let runs = (1...1_000).map { String(repeating: "`", count: $0) }.joined(separator: " ")
        #expect(Tags.of(bytes(runs + " #end")) == ["end"])
    }
}
