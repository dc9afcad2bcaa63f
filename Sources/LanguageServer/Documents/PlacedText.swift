import NotesModel
import TextMerge

/// A place in a text: the number of a line and the number of code units before the place in it, both
/// from 0.
struct TextPlace: Hashable, Comparable, Sendable {
    let line: Int
    let character: Int

    static func < (left: TextPlace, right: TextPlace) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

/// A text with the unit in which an editor counts, and the offsets at which its lines start.
///
/// A line ends at LF, CR LF or CR, as in the Language Server Protocol. An empty line follows an end of
/// line at the end of the text.
struct PlacedText: Sendable {
    let bytes: [UInt8]
    /// UTF-8 or UTF-16.
    let encoding: PositionEncoding
    private let starts: [Int]

    /// - Complexity: O(bytes).
    init(_ bytes: [UInt8], _ encoding: PositionEncoding) {
        (self.bytes, self.encoding) = (bytes, encoding)
        var starts = [0]
        var offset = 0
        var feed = bytes.firstOffset(of: Self.feed, from: 0)
        var carriage = bytes.firstOffset(of: Self.carriage, from: 0)
        while true {
            while let found = feed, found < offset { feed = bytes.firstOffset(of: Self.feed, from: offset) }
            while let found = carriage, found < offset { carriage = bytes.firstOffset(of: Self.carriage, from: offset) }
            guard let end = [feed, carriage].compactMap({ $0 }).min() else { break }
            let isPair = bytes[end] == Self.carriage && end + 1 < bytes.count && bytes[end + 1] == Self.feed
            offset = end + (isPair ? 2 : 1)
            starts.append(offset)
        }
        self.starts = starts
    }

    private static let feed = UInt8(ascii: "\n")
    private static let carriage = UInt8(ascii: "\r")

    /// The number of lines.
    var count: Int { starts.count }

    /// The bytes of a line without its end.
    func range(ofLine line: Int) -> Range<Int> {
        let start = starts[line]
        guard line + 1 < starts.count else { return start..<bytes.count }
        var end = starts[line + 1] - 1
        if bytes[end] == Self.feed, end > start, bytes[end - 1] == Self.carriage { end -= 1 }
        return start..<end
    }

    /// The number of the line of an offset.
    ///
    /// - Complexity: O(log lines).
    func line(of offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The byte offset of a place. A place after the end of its line means the end of the line, one after
    /// the last line the end of the text, and one inside a character the start of the character.
    ///
    /// - Complexity: O(bytes of the line).
    func offset(of place: TextPlace) -> Int {
        guard place.line < starts.count else { return bytes.count }
        let line = range(ofLine: max(place.line, 0))
        var (offset, units) = (line.lowerBound, 0)
        while offset < line.upperBound {
            var next = offset + 1
            while next < line.upperBound, bytes[next].isContinuation { next += 1 }
            units += Self.units(bytes[offset], next - offset, encoding)
            if units > place.character { break }
            offset = next
        }
        return offset
    }

    /// The place of a byte offset on a character boundary. An offset inside an end of line is at the end of
    /// its line.
    ///
    /// - Complexity: O(bytes of the line).
    func place(of offset: Int) -> TextPlace {
        let line = line(of: offset)
        let range = range(ofLine: line)
        var (at, units) = (range.lowerBound, 0)
        while at < min(offset, range.upperBound) {
            var next = at + 1
            while next < range.upperBound, bytes[next].isContinuation { next += 1 }
            units += Self.units(bytes[at], next - at, encoding)
            at = next
        }
        return TextPlace(line: line, character: units)
    }

    /// The number of code units of a character with this first byte.
    private static func units(_ lead: UInt8, _ length: Int, _ encoding: PositionEncoding) -> Int {
        switch encoding {
        case .utf8: length
        case .utf16: lead >= 0xF0 ? 2 : 1
        case .utf32: 1
        }
    }

    /// The text with other bytes in place of a range. Places in the wrong order are exchanged.
    func replacing(_ start: TextPlace, _ end: TextPlace, with replacement: [UInt8]) -> PlacedText {
        let (first, last) = (offset(of: min(start, end)), offset(of: max(start, end)))
        return PlacedText(bytes[..<first] + replacement + bytes[last...], encoding)
    }
}
