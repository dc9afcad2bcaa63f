import Testing

@Suite struct LanguageRuleTests {
    @Test(arguments: [
        "/// The user and his notes.", "// It is told at once.", "// A page for who writes one.", "// Clients are told later.",
        "/// This mends the row.", "/// Whoever writes last is merged.",
    ])
    func habits_areFound(line: String) {
        #expect(!LanguageRule.findings(path: "Sources/A/A.swift", text: line).isEmpty, "\(line)")
    }

    @Test(arguments: [
        "/// The user and their notes.", "let his = 1", "/// `his` is a name.", "// The word \"he\" is quoted.",
        "/// A user with access may write.", "/// Amended by the commit.",
    ])
    func plainLines_areAccepted(line: String) {
        #expect(LanguageRule.findings(path: "Sources/A/A.swift", text: line) == [], "\(line)")
    }
}
