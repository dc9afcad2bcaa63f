import TextMerge

/// The title of a text: its first line that is not blank, without leading `#` and spaces, cut at
/// 200 Unicode scalars. Empty if there is no such line.
package enum Title {
    /// Maximum length of a title, in Unicode scalars.
    package static let scalarsMax = 200

    /// Computes the title of a text.
    ///
    /// - Complexity: O(bytes up to the end of the first line that is not blank).
    package static func of(_ text: [UInt8]) -> ByteString {
        for line in Lines(text) where !line.allSatisfy(isBlank) {
            var title = line.drop { $0 == UInt8(ascii: "#") || isBlank($0) }
            if title.last == UInt8(ascii: "\r") { title = title.dropLast() }
            return ByteString(validUTF8: Array(title.prefix(bytes(ofScalars: scalarsMax, in: title))))
        }
        return ByteString(validUTF8: [])
    }

    private static func bytes(ofScalars limit: Int, in utf8: ArraySlice<UInt8>) -> Int {
        if utf8.count <= limit { return utf8.count }
        var scalars = 0
        for (offset, byte) in utf8.enumerated() where byte & 0xC0 != 0x80 {
            if scalars == limit { return offset }
            scalars += 1
        }
        return utf8.count
    }
}

/// Whether the byte is a space, a tab or the CR of a line ending.
func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
}

/// The lines of a text as slices, split at LF. A CR stays in its line. A final LF does not start
/// another line.
struct Lines: Sequence, IteratorProtocol {
    private let text: [UInt8]
    private var offset = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard offset < text.count else { return nil }
        let end = text.firstOffset(of: UInt8(ascii: "\n"), from: offset) ?? text.count
        defer { offset = end + 1 }
        return text[offset..<end]
    }
}
