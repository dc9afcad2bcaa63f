import TestKit
import Testing

@testable import GuaranteeChecker

/// The checker's own parser of JSON, compared with the daemon's.
@Suite struct ValueTests {
    /// The value that the daemon's parser reads; nil if it refuses the text.
    private func oracle(_ text: [UInt8]) -> Value? {
        (try? JSONTree(parsing: text, depthMax: ValueParser.depthMax)).map(Value.init)
    }

    @Test(arguments: seeds(60))
    func randomValues_matchTheOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let tree = random.tree(depth: 4)
            #expect(Value(parsing: tree.text) == Value(tree), "seed \(seed): \(string(tree.text))")
        }
    }

    /// Damaged texts, of which some are still JSON, with white space and escapes in them.
    @Test(arguments: seeds(60))
    func damagedTexts_matchTheOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "\\", "\\u0041", "\\ud83d", "\\ude00", "\\u00", "\\n", "{", "}", "[", "]", ",", ":", " ", "\t", "\n", "0", "-",
            ".5",
            "E+1", "true", "null", "é", "\u{FEFF}", "\u{0}", "\"a\":1,\"\\u0061\":2",
        ]
        for _ in 0..<20 {
            var text = random.tree(depth: 3).text
            for _ in 0..<1 + random.below(4) {
                let index = random.below(text.count + 1)
                switch random.below(4) {
                case 0 where index < text.count: text[index] = UInt8(random.below(256))
                case 1 where index < text.count: text.remove(at: index)
                case 2: text.removeSubrange(index...)
                default: text.insert(contentsOf: Array(random.pick(pieces).utf8), at: index)
                }
                #expect(Value(parsing: text) == oracle(text), "seed \(seed): \(text)")
            }
        }
    }

    @Test func foreignSuite_matchesTheOracle() throws {
        let entries = try ForeignTexts.jsonSuite()
        #expect(entries.count > 300)
        for entry in entries { #expect(Value(parsing: entry.bytes) == oracle(entry.bytes), "\(entry.name)") }
    }

    @Test func names_areEqualOnlyByBytes() throws {
        let value = try #require(Value(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)))
        #expect(value["\u{E9}"] == .integer(1) && value["e\u{301}"] == .integer(2))
        #expect(Value(parsing: Array(#"{"a":1,"\u0061":2}"#.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("-0", .integer(0)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .decimal(Array("9223372036854775808".utf8))), ("1.0", .decimal(Array("1.0".utf8))),
            ("01", nil), ("+1", nil), ("1.", nil), ("1e", nil), ("-", nil), (".5", nil), ("NaN", nil),
        ] as [(String, Value?)])
    func numbers_areIntegersOrText(text: String, value: Value?) {
        #expect(Value(parsing: Array(text.utf8)) == value)
    }

    @Test func nesting_isLimited() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(Value(parsing: nested(ValueParser.depthMax)) != nil)
        #expect(Value(parsing: nested(ValueParser.depthMax + 1)) == nil)
        #expect(Value(parsing: Array(String(repeating: "{\"a\":", count: 100_000).utf8)) == nil)
    }

    @Test(arguments: seeds(20))
    func quotedTexts_areReadBack(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = random.text(lengthMax: 40) + Array(0..<0x20)
        #expect(Value(parsing: Array(quoted(text).utf8)) == .string(text), "seed \(seed)")
    }
}

extension Value {
    fileprivate init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(Int(number))
        case .decimal(let text): self = .decimal(text)
        case .string(let bytes): self = .string(bytes)
        case .array(let elements): self = .array(elements.map { Value($0) })
        case .object(let members):
            self = .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, Value($0.value)) }))
        }
    }
}
