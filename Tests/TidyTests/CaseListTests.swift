import Testing

/// Every case of `docs/causality.md` §4 is held by a test that has its number in its name, or is said here not to arise.
@Suite struct CaseListTests {
    private static let numbers = 1...40

    /// Cases that nothing here can bring about, and why.
    private static let notApplicable = [
        18: "no context outlives its revisions: nothing that is known is forgotten",
        37: "no part of a version is ever dropped",
        39: "what is known are the committed revisions; there is no clock beside them that could run ahead",
    ]

    /// Where each kind of claim is held: sets, what is shown, what a writer is answered, what a client sees.
    private static let layers = [
        "CausalityTests": [1...17, 19...36, 38...38, 40...40].flatMap(Array.init),
        "TextMergeTests": [1...17, 20...20, 22...25, 30...30, 38...38, 40...40].flatMap(Array.init),
        "NotesModelTests": [1...17, 26...26, 36...36, 38...38, 40...40].flatMap(Array.init),
        "EndToEndTests": [1...17, 19...19, 25...26, 33...36, 38...38, 40...40].flatMap(Array.init),
    ]

    private let tested: [String: Set<Int>]

    init() throws {
        var tested: [String: Set<Int>] = [:]
        for source in try Repository.swiftSources() where source.isTest {
            for (index, token) in source.tokens.enumerated() where token.text == "func" {
                guard let name = source.token(index + 1)?.text, let number = Self.number(in: name) else { continue }
                tested[source.target, default: []].insert(number)
            }
        }
        self.tested = tested
    }

    /// That of `case05_…`; nil where the name is another.
    private static func number(in name: String) -> Int? {
        guard name.hasPrefix("case"), name.dropFirst(6).first == "_" else { return nil }
        return Int(name.dropFirst(4).prefix(2))
    }

    @Test func everyCase_isTestedOrNamedAsNotArising() {
        let all = tested.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        for number in Self.numbers {
            let isTested = all.contains(number)
            let reason = Self.notApplicable[number]
            #expect(isTested || reason != nil, "case \(number) is neither tested nor said not to arise")
            #expect(!isTested || reason == nil, "case \(number) is tested, and said not to arise")
        }
    }

    @Test func everyLayer_holdsItsCases() {
        for (target, numbers) in Self.layers {
            #expect(tested[target] ?? [] == Set(numbers), "\(target)")
        }
    }

    /// The page may leave out what concerns exchange; what it lists is tested.
    @Test func everyCaseOfThePage_isTested() throws {
        let all = tested.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        let rows = try Repository.text("docs/causality.md").split(separator: "\n").compactMap { line in
            line.hasPrefix("| ") ? Int(line.dropFirst(2).prefix { $0.isNumber }) : nil
        }
        #expect(rows.count > 30 && Set(rows).count == rows.count)
        for number in rows { #expect(all.contains(number), "case \(number) of the page") }
    }
}
