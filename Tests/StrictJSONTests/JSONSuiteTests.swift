import StrictJSON
import TestKit
import Testing

/// The parser on an external test suite.
@Suite struct JSONSuiteTests {
    /// RFC 8259 lets these pass; this protocol does not: a member twice in one object is refused.
    private static let stricterHere: Set<String> = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    /// Left to the parser, and accepted here: numbers of any size are kept as they were written.
    private static let acceptedHere: Set<String> = [
        "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
        "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
        "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
        "i_number_very_big_negative_int.json",
    ]

    private func fault(of entry: TarArchive.Entry) -> JSONFault? {
        do {
            _ = try JSONDocument(parsing: entry.bytes, depthMax: 32)
            return nil
        } catch {
            #expect((0...entry.bytes.count).contains(error.offset), "\(entry.name): \(error)")
            return error
        }
    }

    @Test func suite_isComplete() throws {
        let names = try ForeignTexts.jsonSuite().map(\.name)
        let counts = Dictionary(grouping: names, by: { $0.prefix(2) }).mapValues(\.count)
        #expect(counts == ["y_": 95, "n_": 188, "i_": 35])
    }

    @Test func requiredTexts_areAccepted() throws {
        for entry in try ForeignTexts.jsonSuite() where entry.name.hasPrefix("y_") {
            let fault = fault(of: entry)
            if Self.stricterHere.contains(entry.name) {
                #expect(fault?.reason == .duplicateMember, "\(entry.name)")
            } else {
                #expect(fault == nil, "\(entry.name)")
            }
        }
    }

    @Test func invalidTexts_areRefused() throws {
        for entry in try ForeignTexts.jsonSuite() where entry.name.hasPrefix("n_") {
            #expect(fault(of: entry) != nil, "\(entry.name)")
        }
    }

    @Test func implementationDefinedTexts_haveFixedResults() throws {
        for entry in try ForeignTexts.jsonSuite() where entry.name.hasPrefix("i_") {
            #expect((fault(of: entry) == nil) == Self.acceptedHere.contains(entry.name), "\(entry.name)")
        }
    }

    @Test func naughtyStrings_roundTrip() throws {
        let strings = try ForeignTexts.naughtyStrings()
        #expect(strings.count == 515)
        for naughty in strings {
            var writer = JSONWriter()
            writer.string(naughty)
            #expect(try JSONTree(parsing: writer.bytes) == .string(naughty))
        }
    }

    @Test func utf8_passesTheStressTest() throws {
        let lines = try ForeignTexts.utf8StressTest().split(separator: UInt8(ascii: "\n"))
        var refused = 0
        for line in lines {
            let isValid = String(validating: line, as: UTF8.self) != nil
            var writer = JSONWriter()
            writer.string(line)
            let tree = try? JSONTree(parsing: writer.bytes)
            #expect(tree == (isValid ? .string(Array(line)) : nil), "\(string(line))")
            #expect((UTF8Sequence.firstFault(in: Array(line)) == nil) == isValid, "\(string(line))")
            refused += isValid ? 0 : 1
        }
        #expect(refused == 68)
    }

    /// Every sequence of up to four bytes on either side of a border in table 3-7 of the Unicode standard.
    @Test func utf8_matchesStandardLibrary() {
        let borders: [UInt8] = [
            0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0,
            0xF1,
            0xF3, 0xF4, 0xF5, 0xFF,
        ]
        var sequences: [[UInt8]] = [[]]
        for length in 1...3 {
            sequences = sequences.flatMap { sequence in borders.map { sequence + [$0] } }
            for sequence in sequences {
                let isValid = String(validating: sequence, as: UTF8.self) != nil
                #expect((UTF8Sequence.firstFault(in: sequence) == nil) == isValid, "\(length) bytes: \(sequence)")
            }
        }
        for lead: UInt8 in [0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5] {
            for rest in sequences {
                let isValid = String(validating: [lead] + rest, as: UTF8.self) != nil
                #expect((UTF8Sequence.firstFault(in: [lead] + rest) == nil) == isValid, "\([lead] + rest)")
            }
        }
    }
}
