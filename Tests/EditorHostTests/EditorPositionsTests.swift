import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

@testable import EditorHost

/// Positions of editors, against the counting of Swift's strings.
struct EditorPositionsTests {
    private static let units = PositionEncoding.allCases.flatMap { encoding in
        [false, true].map { EditorPositions(encoding: encoding, hasLines: $0) }
    }

    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<random.below(12)).flatMap { _ in Array(random.pick(["a", "é", "€", "😀", "\n", "b\n", "\r\n"]).utf8) }
    }

    private static func count(_ bytes: some Sequence<UInt8>, _ encoding: PositionEncoding) -> Int {
        let string = String(decoding: Array(bytes), as: UTF8.self)
        return switch encoding {
        case .utf8: string.utf8.count
        case .utf16: string.utf16.count
        case .utf32: string.unicodeScalars.count
        }
    }

    /// Every character boundary has a place, which counts what is before it, and the place leads back.
    @Test(arguments: seeds(60))
    func places_countWhatIsBefore_andLeadBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = Self.text(&random)
        let offsets = (0...text.count).filter { $0 == text.count || text[$0] & 0xC0 != 0x80 }
        for positions in Self.units {
            let places = positions.places(ofBytes: offsets, in: text)
            for (offset, place) in zip(offsets, places) {
                let before = text[..<offset]
                let line = before.count { $0 == 0x0A }
                let start = (before.lastIndex(of: 0x0A) ?? -1) + 1
                let wanted: EditorPlace =
                    positions.hasLines
                    ? .line(line, column: Self.count(text[start..<offset], positions.encoding))
                    : .unit(Self.count(before, positions.encoding))
                #expect(place == wanted, "seed \(seed)")
            }
            #expect(try positions.bytes(of: places, in: text) == offsets, "seed \(seed)")
            #expect(positions.count(text) == Self.count(text, positions.encoding))
        }
    }

    /// Places outside the text, behind the end of a line and inside a character are faults.
    @Test(arguments: [
        ("utf-8", "[1]"), ("utf-8", "[9]"), ("utf-16", "[1]"), ("utf-32", "[4]"), ("utf-8 lines", "[[0,1]]"),
        ("utf-8 lines", "[[0,5]]"), ("utf-8 lines", "[[2,0]]"), ("utf-16 lines", "[[0,3]]"), ("utf-32", "[[0,0]]"),
        ("utf-8 lines", "[0]"),
    ])
    func placesThatAreNone_areFaults(unit: String, places: String) throws {
        let text = Array("😀\nb".utf8)
        let positions = try EditorPositions(reading: try JSONDocument(parsing: Array("\"\(unit)\"".utf8), depthMax: 2).root)
        let stated = try JSONDocument(parsing: Array(places.utf8), depthMax: 4).root.elements.map { try EditorPlace(reading: $0) }
        #expect(throws: ParamFault.self) { try positions.bytes(of: stated, in: text) }
    }

    @Test(arguments: ["utf-7", "utf-8 line", "utf-8  lines", "", "UTF-8"])
    func otherUnits_areFaults(_ unit: String) throws {
        let value = try JSONDocument(parsing: Array("\"\(unit)\"".utf8), depthMax: 2).root
        #expect(throws: ParamFault.self) { try EditorPositions(reading: value) }
    }
}
