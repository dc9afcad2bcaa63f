import NotesModel
import NotesWire
import TestKit
import Testing

/// The parser against test suites of other projects.
@Suite struct JSONSuiteTests {
    private static let folder = "JSONTestSuite"

    /// Texts that RFC 8259 allows and this protocol rejects: duplicate member names.
    private static let stricterHere: Set<String> = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    /// Texts that RFC 8259 leaves to the parser and that are accepted here: numbers of any size
    /// stay as they are written.
    private static let acceptedHere: Set<String> = [
        "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
        "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
        "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
        "i_number_very_big_negative_int.json",
    ]

    private func fault(of name: String) throws -> JSONFault? {
        let text = try Fixture.bytes("\(Self.folder)/\(name)")
        do {
            _ = try JSONDocument(parsing: text, depthMax: 32)
            return nil
        } catch {
            #expect((0...text.count).contains(error.offset), "\(name): \(error)")
            return error
        }
    }

    @Test func suite_isWhole() throws {
        let names = try Fixture.names(in: Self.folder)
        let counts = Dictionary(grouping: names, by: { $0.prefix(2) }).mapValues(\.count)
        #expect(counts == ["y_": 95, "n_": 188, "i_": 35])
    }

    @Test func texts_thatMustBeAcceptedAre() throws {
        for name in try Fixture.names(in: Self.folder) where name.hasPrefix("y_") {
            let fault = try fault(of: name)
            if Self.stricterHere.contains(name) {
                #expect(fault?.reason == .duplicateMember, "\(name)")
            } else {
                #expect(fault == nil, "\(name)")
            }
        }
    }

    @Test func texts_thatMustBeRefusedAre() throws {
        for name in try Fixture.names(in: Self.folder) where name.hasPrefix("n_") {
            #expect(try fault(of: name) != nil, "\(name)")
        }
    }

    @Test func texts_thatAreLeftToTheParserAreDecidedOnce() throws {
        for name in try Fixture.names(in: Self.folder) where name.hasPrefix("i_") {
            #expect(try (fault(of: name) == nil) == Self.acceptedHere.contains(name), "\(name)")
        }
    }

    @Test func naughtyStrings_comeBackByteForByte() throws {
        let strings = try Fixture.naughtyStrings()
        #expect(strings.count == 515)
        for naughty in strings {
            var writer = JSONWriter()
            writer.string(naughty)
            #expect(try Tree(parsing: writer.bytes) == .string(naughty.utf8))
        }
    }

    @Test func utf8_isHeldToTheStressTest() throws {
        let lines = try Fixture.bytes("utf8-stress-test.txt").split(separator: UInt8(ascii: "\n"))
        var refused = 0
        for line in lines {
            let isValid = String(validating: line, as: UTF8.self) != nil
            var writer = JSONWriter()
            writer.string(line)
            let tree = try? Tree(parsing: writer.bytes)
            #expect(tree == (isValid ? .string(Array(line)) : nil), "\(string(line))")
            #expect((UTF8Sequence.firstFault(in: Array(line)) == nil) == isValid, "\(string(line))")
            refused += isValid ? 0 : 1
        }
        #expect(refused == 68)
    }

    /// Every sequence of up to four bytes from both sides of the range limits in table 3-7 of the
    /// Unicode standard.
    @Test func utf8_isTheStandardLibrarys() {
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
