/// The title of a text, cut at 200 Unicode scalars: the `title:` of its front matter; otherwise the
/// first line after the front matter that is not blank, without leading `#` and spaces; otherwise the
/// first of the front matter's `aliases:`. Empty if there is none of these.
///
/// The title of a file is its pointer line (`FileContent`). No other text has such a title, so a title tells whether
/// a note is a file: a text that would have one has none.
package enum Title {
    /// Maximum length of a title, in Unicode scalars.
    package static let scalarsMax = 200

    /// Computes the title of a text.
    ///
    /// - Complexity: O(bytes up to the end of the first line after the front matter that is not blank).
    package static func of(_ text: [UInt8]) -> ByteString {
        if let content = FileContent.first(of: text) { return ByteString(validUTF8: content.line) }
        let title = titleOfText(text)
        return FileContent(line: title.utf8) == nil ? title : ByteString(validUTF8: [])
    }

    private static func titleOfText(_ text: [UInt8]) -> ByteString {
        let matter = FrontMatter(text)
        if let title = matter?.title { return cut(title[...]) }
        for line in TextLines(text, from: matter?.end ?? FrontMatter.start(of: text)) where !line.allSatisfy(isBlank) {
            let title = line.drop { $0 == UInt8(ascii: "#") || isBlank($0) }
            return cut(title.last == UInt8(ascii: "\r") ? title.dropLast() : title)
        }
        return matter?.firstAlias.map { cut($0.utf8[...]) } ?? ByteString(validUTF8: [])
    }

    private static func cut(_ title: ArraySlice<UInt8>) -> ByteString {
        ByteString(validUTF8: Array(title.prefix(bytes(ofScalars: scalarsMax, in: title))))
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
