import NotesModel
import TestKit
import Testing

@testable import LanguageServer

/// L10: places in UTF-8 and UTF-16, against an implementation that counts characters of strings.
@Suite struct PlacedTextTests {
    private static let parts = ["a", "é", "e\u{301}", "𝄞", "👩‍👩‍👧", "\u{FEFF}", " ", "\n", "\r\n", "\r", "漢", "[[", "\t"]

    private func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in Self.parts.randomElement(using: &generator) ?? "" }.joined()
    }

    /// The lines of a text with their ends, by scalars.
    private func lines(_ text: String) -> [(content: [Unicode.Scalar], end: [Unicode.Scalar])] {
        var lines: [(content: [Unicode.Scalar], end: [Unicode.Scalar])] = [([], [])]
        for scalar in text.unicodeScalars {
            let last = lines.count - 1
            if scalar == "\n", lines[last].content.isEmpty, last > 0, lines[last - 1].end == ["\r"] {
                lines[last - 1].end.append(scalar)
            } else if scalar == "\n" || scalar == "\r" {
                lines[last].end = [scalar]
                lines.append(([], []))
            } else {
                lines[last].content.append(scalar)
            }
        }
        return lines
    }

    private func units(_ scalars: some Sequence<Unicode.Scalar>, _ encoding: PositionEncoding) -> Int {
        scalars.reduce(0) { $0 + (encoding == .utf8 ? UTF8.width($1) : UTF16.width($1)) }
    }

    @Test(arguments: [PositionEncoding.utf8, .utf16], seeds(200))
    func places_areThoseOfANaiveCount(_ encoding: PositionEncoding, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = text(&generator)
        let placed = PlacedText(Array(text.utf8), encoding)
        let lines = lines(text)
        #expect(placed.count == lines.count)
        var offset = 0
        for (number, line) in lines.enumerated() {
            for index in 0...line.content.count {
                let before = line.content[..<index]
                let place = TextPlace(line: number, character: units(before, encoding))
                let byte = offset + units(before, .utf8)
                #expect(placed.offset(of: place) == byte)
                #expect(placed.place(of: byte) == place)
                #expect(placed.line(of: byte) == number)
                // Inside a character of more than one unit.
                if index < line.content.count, units([line.content[index]], encoding) > 1 {
                    #expect(placed.offset(of: TextPlace(line: number, character: place.character + 1)) == byte)
                }
            }
            let end = offset + units(line.content, .utf8)
            #expect(placed.range(ofLine: number) == offset..<end)
            #expect(placed.offset(of: TextPlace(line: number, character: 1 << 30)) == end)
            offset = end + units(line.end, .utf8)
        }
        #expect(placed.offset(of: TextPlace(line: lines.count, character: 0)) == offset)
    }

    @Test(arguments: [PositionEncoding.utf8, .utf16], seeds(200))
    func replacements_areThoseOfStrings(_ encoding: PositionEncoding, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var text = text(&generator)
        var placed = PlacedText(Array(text.utf8), encoding)
        for _ in 0..<5 {
            let scalars = Array(text.unicodeScalars)
            let bounds = (0..<2).map { _ in Int.random(in: 0...scalars.count, using: &generator) }.sorted()
            // A place inside CR LF cannot be named.
            if bounds.contains(where: { $0 > 0 && $0 < scalars.count && scalars[$0 - 1] == "\r" && scalars[$0] == "\n" }) {
                continue
            }
            let replacement = self.text(&generator)
            let offsets = bounds.map { units(scalars[..<$0], .utf8) }
            placed = placed.replacing(placed.place(of: offsets[0]), placed.place(of: offsets[1]), with: Array(replacement.utf8))
            var result = String.UnicodeScalarView(scalars[..<bounds[0]])
            result.append(contentsOf: replacement.unicodeScalars)
            result.append(contentsOf: scalars[bounds[1]...])
            text = String(result)
            #expect(placed.bytes == Array(text.utf8))
        }
    }

    /// A text of the largest size that a note can have.
    @Test func fourMebibytes_areCountedRight() {
        let line = Array("a 𝄞 line with é in it\r\n".utf8)
        let count = (4 << 20) / line.count
        let placed = PlacedText(Array(repeatElement(line, count: count).joined()), .utf16)
        #expect(placed.count == count + 1)
        let place = TextPlace(line: count - 1, character: 5)
        #expect(placed.offset(of: place) == (count - 1) * line.count + 7)
        #expect(placed.place(of: (count - 1) * line.count + 7) == place)
    }
}

@Suite struct OffsetMapTests {
    private func mapped(_ range: Range<Int>, _ base: String, _ text: String) -> String {
        let range = OffsetMap(from: Array(base.utf8), to: Array(text.utf8)).range(range)
        return String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }

    @Test func ranges_followTheirLines() {
        #expect(mapped(2..<6, "a\nb\nc\nd\n", "new\na\nb\nc\nd\n") == "b\nc\n")
        #expect(mapped(2..<6, "a\nb\nc\nd\n", "a\nb\nc\nd\nnew\n") == "b\nc\n")
        #expect(mapped(2..<6, "a\nb\nc\nd\n", "a\nb\nnew\nc\nd\n") == "b\nnew\nc\n")
        #expect(mapped(2..<6, "a\nb\nc\nd\n", "a\nd\n") == "")
    }

    @Test(arguments: seeds(300)) func ranges_stayInTheText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<2).map { _ in
            (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                ["a", "b", "é", "\n"].randomElement(using: &generator) ?? ""
            }
            .joined()
        }
        let (base, text) = (Array(texts[0].utf8), Array(texts[1].utf8))
        let start = Int.random(in: 0...base.count, using: &generator)
        let range = start..<Int.random(in: start...base.count, using: &generator)
        let found = OffsetMap(from: base, to: text).range(range)
        #expect(found.lowerBound >= 0 && found.upperBound <= text.count)
        #expect(OffsetMap(from: base, to: base).range(range) == range)
    }
}
