import NoteText
import TestKit
import Testing

@testable import NotesSearch

struct SearchMarksTests {
    private func marked(_ query: String, _ text: String) throws -> [String] {
        let bytes = Array(text.utf8)
        let ranges = try SearchMarks().ranges(of: SearchQuery(parsing: ByteString(query)), in: bytes)
        return ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test func words_areFoundAsTheIndexFindsThem() throws {
        #expect(try marked("oat", "Oat ÓAT oats goat") == ["Oat", "ÓAT"])
        #expect(try marked("oa*", "oats, OAT") == ["oats", "OAT"])
        #expect(try marked("\"oat milk\"", "oat, milk oat bread") == ["oat, milk"])
        #expect(try marked("oat milk", "milk or oat") == ["milk", "oat"])
        #expect(try marked("oat -milk", "milk or oat") == ["oat"])
        #expect(try marked("漢 b", "a漢字b b") == ["漢", "b", "b"])
        #expect(try marked("name:oat", "oat").isEmpty && marked("oat", "").isEmpty)
    }

    @Test func overlappingMatches_areOne() throws {
        #expect(try marked("\"a b\" \"b c\"", "a b c") == ["a b c"])
    }

    @Test(arguments: seeds(50))
    func ranges_areAscendingAndInTheText(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = random.utf8(random.below(400))
        let ranges = try SearchMarks().ranges(of: SearchQuery(parsing: "a* OR b OR 漢"), in: text)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        #expect(ranges.allSatisfy { !$0.isEmpty && $0.upperBound <= text.count })
    }
}
