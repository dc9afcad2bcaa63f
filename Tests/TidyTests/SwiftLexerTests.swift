import Testing

@Suite struct SwiftLexerTests {
    private func words(_ text: String) -> [String] {
        SwiftLexer(text).tokens.map { $0.kind == .string ? "\"\($0.text)\"" : $0.text }
    }

    @Test func comments_areNotCode() {
        #expect(words("a // b \"c\n d /* e /* f */ g */ h") == ["a", "d", "h"])
        #expect(SwiftLexer("/* a\nb */ // c").comments.map(\.line) == [1, 2])
    }

    @Test func strings_areOneToken() {
        #expect(words(#"f("a \" // b", c)"#) == ["f", "(", #""a \" // b""#, ",", "c", ")"])
        #expect(words(##"#"a"b"# + "c""##) == [#""a"b""#, "+", #""c""#])
        #expect(words("\"\"\"\n a \"b\" c\n \"\"\" d") == ["\"\n a \"b\" c\n \"", "d"])
        #expect(words(#"["", "x"]"#) == ["[", #""""#, ",", #""x""#, "]"])
    }

    @Test func interpolations_areCode() {
        #expect(words(#""a\(b(c) + "d")e" f"#) == [#""a\(b(c) + "d")e""#, "b", "(", "c", ")", "+", #""d""#, "f"])
        #expect(words(##"#"a\(b)\#(c)"#"##) == [##""a\(b)\#(c)""##, "c"])
    }

    @Test func tokens_haveLineAndLeadingSpace() {
        let tokens = SwiftLexer("a!\n  b !c /* */d").tokens
        #expect(tokens.map(\.line) == [1, 1, 2, 2, 2, 2])
        #expect(tokens.map(\.isSpaced) == [true, false, true, true, false, true])
    }

    @Test func quotedWords_areWords() {
        #expect(words("case `true`, x1, 12") == ["case", "true", ",", "x1", ",", "12"])
    }

    @Test func unfinishedFiles_end() {
        for text in ["\"a", "\"\"\"a\"", "/* a", "\"\\(a", "`a", "#", "\"\\"] { _ = SwiftLexer(text) }
    }
}
