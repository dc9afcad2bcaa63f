import StrictJSON
import TestKit
import Testing

@Suite struct JSONTests {
    private func fault(_ text: String, depthMax: Int = 32) -> JSONFault? {
        fault(bytes(text), depthMax: depthMax)
    }

    private func fault(_ text: [UInt8], depthMax: Int = 32) -> JSONFault? {
        do {
            _ = try JSONDocument(parsing: text, depthMax: depthMax)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: seeds(60))
    func writtenJSON_roundTrips(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let tree = random.tree(depth: 4)
            let text = tree.text
            #expect(try JSONTree(parsing: text) == tree, "seed \(seed): \(string(text))")
            // A value inside a longer text has its own bytes as its source.
            let value = try JSONDocument(parsing: bytes("[1, ") + text + bytes(" ]"), depthMax: 32).root
            let last = Array(value.elements).last
            #expect(last.map { Array($0.source) } == text, "seed \(seed)")
        }
    }

    @Test(arguments: seeds(30))
    func parse_neverTrapsOnDamagedTexts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = random.tree(depth: 4).text
        for _ in 0..<60 where !text.isEmpty {
            switch random.below(3) {
            case 0: text[random.below(text.count)] = UInt8(random.below(256))
            case 1: text.remove(at: random.below(text.count))
            default: text.insert(random.pick(bytes("\"\\u{}[],:0-")), at: random.below(text.count))
            }
            if let fault = fault(text) { #expect((0...text.count).contains(fault.offset), "seed \(seed)") }
        }
    }

    @Test(arguments: [
        ("", 0, JSONFault.Reason.unexpectedEnd), ("[1,2", 4, .unexpectedEnd), ("{\"a\"", 4, .unexpectedEnd),
        ("nul", 3, .unexpectedEnd), ("\"a", 2, .unexpectedEnd), ("\"a\\", 3, .unexpectedEnd), ("-", 1, .unexpectedEnd),
        ("\u{FEFF}{}", 0, .byteOrderMark), ("[1,]", 3, .unexpectedByte(UInt8(ascii: "]"))),
        ("{\"a\":1,}", 7, .unexpectedByte(UInt8(ascii: "}"))), ("{} {}", 3, .unexpectedByte(UInt8(ascii: "{"))),
        ("[1}", 2, .unexpectedByte(UInt8(ascii: "}"))), ("\u{0}", 0, .unexpectedByte(0)), ("01", 0, .invalidNumber),
        ("[1.]", 1, .invalidNumber), ("\"a\tb\"", 2, .controlCharacter), ("\"ab\\x\"", 3, .invalidEscape),
        ("\"\\u12G4\"", 1, .invalidEscape), ("\"\\uD800\"", 1, .loneSurrogate), ("\"ab\\uDC00\"", 3, .loneSurrogate),
        ("\"\\uD800\\u0041\"", 1, .loneSurrogate), ("{\"a\":1,\"a\":2}", 7, .duplicateMember),
        ("{\"a\":1,\"\\u0061\":2}", 7, .duplicateMember),
    ])
    func fault_hasOffsetAndReason(text: String, offset: Int, reason: JSONFault.Reason) {
        #expect(fault(text) == JSONFault(offset: offset, reason: reason))
    }

    @Test func utf8Fault_isAtFirstInvalidByte() {
        #expect(fault(bytes("[\"é") + [0xE2, 0x82] + bytes("\"]")) == JSONFault(offset: 4, reason: .invalidUTF8))
        #expect(fault([0xFF]) == JSONFault(offset: 0, reason: .unexpectedByte(0xFF)))
    }

    @Test func depth_isCountedFromTheOutermostBracket() {
        func nested(_ depth: Int) -> [UInt8] {
            bytes(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        #expect(fault(nested(32)) == nil)
        #expect(fault(nested(33)) == JSONFault(offset: 32, reason: .tooDeep(limit: 32)))
        #expect(fault(String(repeating: "[", count: 100_000)) == JSONFault(offset: 32, reason: .tooDeep(limit: 32)))
        #expect(fault(String(repeating: "{\"a\":", count: 100_000))?.reason == .tooDeep(limit: 32))
        #expect(fault(nested(5_000), depthMax: 5_000) == nil)
    }

    @Test func memberNames_areComparedUnescaped() throws {
        // NFC and NFD forms are different names, although Swift's strings compare equal. A name and
        // its escaped form are the same.
        #expect(fault("{\"\u{E9}\":1,\"e\u{301}\":2}") == nil)
        for count in [3, 16, 17, 500] {
            let members = (0..<count).map { "\"\($0)\":[\($0)]" }
            #expect(fault("{\(members.joined(separator: ","))}") == nil, "\(count)")
            let twins = members + ["\"\\u0031\":0"]
            let text = "{\(twins.joined(separator: ","))}"
            #expect(fault(text) == JSONFault(offset: text.utf8.count - 11, reason: .duplicateMember), "\(count)")
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
            ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("\"1\"", nil), ("true", nil),
        ] as [(String, Int64?)])
    func integer_hasNoFractionOrExponent(text: String, integer: Int64?) throws {
        #expect(try JSONDocument(parsing: bytes(text), depthMax: 1).root.integer == integer)
    }

    @Test func escapes_followTheRFC() throws {
        let text = #"["\"\\\/\b\f\n\r\t","\u0041\u00e9\u20AC\uD83D\ude00","a\u0000b"]"#
        let tree = try JSONTree(parsing: bytes(text))
        #expect(tree == .array([.string(bytes("\"\\/\u{8}\u{C}\n\r\t")), .string(bytes("Aé€😀")), .string([97, 0, 98])]))
        #expect(try JSONDocument(parsing: bytes(text), depthMax: 2).hasNull)
        #expect(try !JSONDocument(parsing: bytes(#"["\\u0000"]"#), depthMax: 2).hasNull)
    }

    @Test func writer_escapesOnlyRequiredCharacters() {
        var writer = JSONWriter()
        writer.string("\u{0}\u{8}\t\n\u{C}\r\u{1F} \"\\/\u{7F}é\u{2028}😀")
        #expect(string(writer.bytes) == "\"\\u0000\\u0008\\t\\n\\u000c\\r\\u001f \\\"\\\\/\u{7F}é\u{2028}😀\"")
    }

    @Test func writer_separatesWithCommas() {
        var writer = JSONWriter(bytes("> "))
        for _ in 0..<2 {
            writer.object { object in
                object.member("a", 1)
                object.name("b")
                object.array { array in
                    array.object { _ in }
                    array.array { _ in }
                    array.null()
                }
                object.member("c", true)
            }
            writer.endLine()
        }
        #expect(string(writer.bytes) == "> {\"a\":1,\"b\":[{},[],null],\"c\":true}\n{\"a\":1,\"b\":[{},[],null],\"c\":true}\n")
    }
}
