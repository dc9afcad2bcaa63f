import TextMerge

/// The tags of a text: `#tag` words outside code, and `tags:` of YAML front matter. Lower case,
/// sorted by bytes, without duplicates.
///
/// A tag word is a `#` at the start of a line, or after white space or `(`, followed by a letter
/// and then any number of letters, digits, `_`, `-` and `/`. Code means fenced code blocks and code
/// spans as in CommonMark. Letters and digits are the Unicode categories L and Nd. Daemons built
/// with different Unicode versions can therefore disagree about a tag; this is harmless, because
/// merging does not depend on tags.
package enum Tags {
    /// Computes the tags of a text.
    ///
    /// - Complexity: O(bytes).
    package static func of(_ text: [UInt8]) -> [ByteString] {
        var tags: Set<ByteString> = []
        var body = text[...]
        if let frontMatter = FrontMatter(text) {
            for tag in frontMatter.tags { tags.insert(lowercased(tag)) }
            body = text[frontMatter.end...]
        }
        if text.firstOffset(of: UInt8(ascii: "#"), from: body.startIndex) != nil {
            for paragraph in Paragraphs(body) { collect(from: paragraph, into: &tags) }
        }
        return tags.sorted()
    }

    private static func collect(from paragraph: ArraySlice<UInt8>, into tags: inout Set<ByteString>) {
        guard paragraph.contains(UInt8(ascii: "#")) else { return }
        var spans = CodeSpans(in: paragraph)
        var offset = paragraph.startIndex
        while let hash = paragraph[offset...].firstIndex(of: UInt8(ascii: "#")) {
            if let after = spans.end(ofSpanContaining: hash) {
                offset = after
                continue
            }
            offset = hash + 1
            guard hash == paragraph.startIndex || opensTag(endingAt: hash, in: paragraph) else { continue }
            let length = tagLength(paragraph[offset...])
            guard length > 0 else { continue }
            tags.insert(lowercased(ByteString(validUTF8: Array(paragraph[offset..<offset + length]))))
            offset += length
        }
    }

    /// Whether the character before the `#` is white space or `(`.
    private static func opensTag(endingAt hash: Int, in text: ArraySlice<UInt8>) -> Bool {
        var start = hash - 1
        while start > text.startIndex, text[start] & 0xC0 == 0x80 { start -= 1 }
        let scalar = firstScalar(text[start..<hash])?.scalar
        return scalar == "(" || scalar?.properties.isWhitespace == true
    }

    /// The length in bytes of the tag word at the start of the slice; 0 when there is none.
    private static func tagLength(_ text: ArraySlice<UInt8>) -> Int {
        var offset = text.startIndex
        while let (scalar, length) = firstScalar(text[offset...]) {
            guard isLetter(scalar) || offset > text.startIndex && continuesTag(scalar) else { break }
            offset += length
        }
        return offset - text.startIndex
    }

    private static func continuesTag(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "-" || scalar == "/" || scalar.properties.generalCategory == .decimalNumber
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value | 0x20 >= 0x61 && scalar.value | 0x20 <= 0x7A }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// Converts a tag to the lower-case form in which tags are stored and filters search for them.
    package static func lowercased(_ tag: ByteString) -> ByteString {
        var lower = ""
        for scalar in String(decoding: tag.utf8, as: UTF8.self).unicodeScalars {
            lower += scalar.properties.lowercaseMapping
        }
        return ByteString(lower)
    }
}

/// The first scalar of valid UTF-8 and its length in bytes; nil at the end.
func firstScalar(_ utf8: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let lead = utf8.first else { return nil }
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    let slice = utf8.prefix(length)
    let mask: UInt8 = length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07
    let value = slice.dropFirst().reduce(UInt32(lead & mask)) { $0 << 6 | UInt32($1 & 0x3F) }
    return Unicode.Scalar(value).map { ($0, slice.count) }
}
