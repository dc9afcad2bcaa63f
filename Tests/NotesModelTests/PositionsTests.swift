import NotesModel
import TestKit
import Testing
import TextMerge

@Suite struct PositionsTests {
    /// a, é (2 bytes), € (3), 😀 (4; 2 units of UTF-16), b
    private let text = bytes("aé€😀b")

    @Test(arguments: [
        (PositionEncoding.utf8, [0, 1, 3, 6, 10, 11]), (.utf16, [0, 1, 2, 3, 5, 6]), (.utf32, [0, 1, 2, 3, 4, 5]),
    ])
    func positions_agreeInEveryEncoding(encoding: PositionEncoding, offsets: [Int]) throws {
        let places = [0, 1, 3, 6, 10, 11]
        let edits = offsets.map { PositionedEdit(start: $0, end: $0, text: bytes("x")) }
        let inBytes = try Positions.bytes(of: edits, in: text, encoding: encoding)
        #expect(inBytes.map(\.start) == places)
        #expect(Positions.stated(inBytes, in: text, encoding: encoding) == edits)
    }

    @Test(arguments: [
        (PositionEncoding.utf8, 2, InvalidEdit.Fault.insideCharacter(offset: 2)), (.utf8, 12, .pastEnd(length: 11)),
        (.utf16, 4, .insideCharacter(offset: 4)), (.utf16, 7, .pastEnd(length: 6)), (.utf32, 6, .pastEnd(length: 5)),
        (.utf8, -1, .negative), (.utf16, Int.max, .pastEnd(length: 6)),
    ])
    func invalidPositions_areRefused(encoding: PositionEncoding, offset: Int, fault: InvalidEdit.Fault) {
        #expect(throws: InvalidEdit(index: 1, fault: fault)) {
            let edits = [
                PositionedEdit(start: 0, end: 0, text: []), PositionedEdit(start: offset, end: max(offset, 0), text: []),
            ]
            _ = try Positions.bytes(of: edits, in: text, encoding: encoding)
        }
    }

    @Test func unorderedPositions_areRefused() {
        #expect(throws: InvalidEdit(index: 1, fault: .overlapsPrevious)) {
            let edits = [PositionedEdit(start: 0, end: 3, text: []), PositionedEdit(start: 1, end: 3, text: [])]
            _ = try Positions.bytes(of: edits, in: text, encoding: .utf8)
        }
        #expect(throws: InvalidEdit(index: 0, fault: .startAfterEnd)) {
            _ = try Positions.bytes(of: [PositionedEdit(start: 3, end: 1, text: [])], in: text, encoding: .utf8)
        }
    }

    @Test func positions_roundTripOnRandomTexts() throws {
        for seed in seeds(200) {
            var random = SeededGenerator(seed: seed)
            let scalars = (0..<random.below(40)).map { _ in random.pick(["a", "\n", "é", "€", "😀", "\u{301}", "\r\n"]) }
            let text = bytes(scalars.joined())
            var edits: [Edit] = []
            var offset = 0
            for scalar in scalars {
                if random.chance(0.3) {
                    edits.append(
                        Edit(start: offset, end: offset + scalar.utf8.count, replacement: bytes(random.pick(["", "ü", "zz"]))))
                }
                offset += scalar.utf8.count
            }
            for encoding in PositionEncoding.allCases {
                let stated = Positions.stated(edits, in: text, encoding: encoding)
                #expect(try Positions.bytes(of: stated, in: text, encoding: encoding) == edits, "seed \(seed), \(encoding)")
            }
        }
    }
}
