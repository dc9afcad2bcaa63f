/// A simple application of the protocol's edits, independent of the daemon's implementation.
package enum Splicing {
    /// The units in which a session counts offsets.
    package enum Encoding: String, CaseIterable, Sendable {
        case utf8 = "utf-8"
        case utf16 = "utf-16"
        case utf32 = "utf-32"
    }

    /// A replacement of a range of a text.
    package struct Edit: Hashable, Sendable {
        /// Offset of the first unit of the range.
        package var start: Int
        /// Offset after the last unit of the range.
        package var end: Int
        /// The replacement, in UTF-8.
        package var text: [UInt8]

        /// An edit that replaces `start..<end` by `text`.
        package init(start: Int, end: Int, text: [UInt8]) {
            (self.start, self.end, self.text) = (start, end, text)
        }

        /// Reads an edit; nil if the value is not one.
        init?(_ value: Value) {
            guard let start = value["start"]?.number, let end = value["end"]?.number, let text = value["text"]?.bytes else {
                return nil
            }
            self.init(start: start, end: end, text: text)
        }
    }

    /// The edited text; nil if an edit does not fit the text.
    package static func apply(_ edits: [Edit], to text: [UInt8], _ encoding: Encoding) -> [UInt8]? {
        let places = places(of: text, encoding)
        var result: [UInt8] = []
        var done = 0
        for edit in edits {
            guard places.indices.contains(edit.start), places.indices.contains(edit.end), let start = places[edit.start],
                let end = places[edit.end], start >= done, end >= start
            else { return nil }
            result += text[done..<start] + edit.text
            done = end
        }
        return result + text[done...]
    }

    /// A range of a text in the units of another encoding; nil if it does not fit the text.
    static func range(_ range: Range<Int>, of text: [UInt8], from: Encoding, to: Encoding) -> Range<Int>? {
        let places = places(of: text, from)
        guard places.indices.contains(range.lowerBound), places.indices.contains(range.upperBound),
            let start = places[range.lowerBound], let end = places[range.upperBound]
        else { return nil }
        return count(text[..<start], to)..<count(text[..<end], to)
    }

    /// Number of units in a text.
    package static func count(_ text: some Sequence<UInt8>, _ encoding: Encoding) -> Int {
        places(of: Array(text), encoding).count - 1
    }

    /// The byte offset of each unit and of the end; nil inside a character.
    private static func places(of text: [UInt8], _ encoding: Encoding) -> [Int?] {
        var places: [Int?] = []
        for (index, byte) in text.enumerated() {
            let isWithin = byte & 0xC0 == 0x80
            switch encoding {
            case .utf8: places.append(isWithin ? nil : index)
            case .utf16:
                if !isWithin { places.append(index) }
                if byte >= 0xF0 { places.append(nil) }
            case .utf32: if !isWithin { places.append(index) }
            }
        }
        return places + [text.count]
    }
}
