import Testing

/// Checks that every case of `docs/causality.md` §4 has a test with its number in the name, or is
/// listed here as impossible.
@Suite struct CaseListTests {
    private static let numbers = 1...41

    /// Cases that the daemon cannot produce, and why.
    private static let notApplicable = [
        18: "no context outlives its revisions: nothing that is known is forgotten",
        37: "no part of a version is ever dropped",
        39: "what is known are the committed revisions; there is no clock beside them that could run ahead",
    ]

    /// The test files for each kind of claim: version sets, merged texts, responses to writers, and
    /// what clients receive.
    private static let layers = [
        "CausalityTests": [1...17, 19...36, 38...38, 40...40].flatMap(Array.init),
        "TextMergeTests": [1...17, 20...20, 22...25, 30...30, 38...38, 40...40].flatMap(Array.init),
        "NotesModelTests": [1...17, 26...26, 36...36, 38...38, 40...41].flatMap(Array.init),
        "NotesEngineTests": [41],
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

    /// The number in `case05_…`; nil for any other name.
    private static func number(in name: String) -> Int? {
        guard name.hasPrefix("case"), name.dropFirst(6).first == "_" else { return nil }
        return Int(name.dropFirst(4).prefix(2))
    }

    @Test func everyCase_isTestedOrListedAsImpossible() {
        let all = tested.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        for number in Self.numbers {
            let isTested = all.contains(number)
            let reason = Self.notApplicable[number]
            #expect(isTested || reason != nil, "case \(number) is neither tested nor listed as impossible")
            #expect(!isTested || reason == nil, "case \(number) is tested, but listed as impossible")
        }
    }

    @Test func everyLayer_testsItsCases() {
        for (target, numbers) in Self.layers {
            #expect(tested[target] ?? [] == Set(numbers), "\(target)")
        }
    }

    /// The page may omit cases that concern the exchange, but every case that it lists must be
    /// tested.
    @Test func everyCaseOfThePage_isTested() throws {
        let all = tested.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        let rows = try Repository.text("docs/causality.md").split(separator: "\n").compactMap { line in
            line.hasPrefix("| ") ? Int(line.dropFirst(2).prefix { $0.isNumber }) : nil
        }
        #expect(rows.count > 30 && Set(rows).count == rows.count)
        for number in rows { #expect(all.contains(number), "case \(number) of the page") }
    }
}
