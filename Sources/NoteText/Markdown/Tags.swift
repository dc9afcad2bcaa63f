import TextMerge

/// Limits of the tags of one note.
package enum TagLimits {
    /// The number of tags of a text that count, which are the first ones.
    package static let tagsMax = 1_000
    /// The number of tag words of a text that count, including repetitions of a tag.
    package static let wordsMax = 10_000
    /// The length of a tag as written, in bytes. A longer word is no tag.
    package static let bytesMax = 255
}

/// The tags of a text: `#tag` words outside code, and `tags:` of YAML front matter. Lower case,
/// sorted by bytes, without duplicates.
///
/// A tag word is a `#` at the start of a line, or after white space or `(`, followed by a letter
/// and then any number of letters, digits, `_`, `-` and `/`. Code means fenced code blocks and code
/// spans as in CommonMark. Letters and digits are the Unicode categories L and Nd. Daemons built
/// with different Unicode versions can therefore disagree about a tag; this is harmless, because
/// merging does not depend on tags.
package enum Tags {
    /// Computes the tags of a text that count: the first ones, as `TagLimits` states.
    ///
    /// - Parameter isLimited: false to compute all tags. Stores of unreleased versions have all.
    /// - Complexity: O(bytes).
    package static func of(_ text: [UInt8], isLimited: Bool = true) -> [ByteString] {
        var tags = TagCollector(isLimited: isLimited)
        var body = text[...]
        if let frontMatter = FrontMatter(text) {
            if !isLimited || frontMatter.end <= FrontMatter.bytesMax {
                for tag in frontMatter.tags { tags.add(tag) }
            }
            body = text[frontMatter.end...]
        }
        if mayHaveTag(text, from: body.startIndex) {
            for paragraph in Paragraphs(body) {
                if tags.isFull { break }
                collect(from: paragraph, into: &tags)
            }
        }
        return tags.found.sorted()
    }

    /// Whether a `#` is before a byte with which a letter may begin. Most texts without tags have none, and need no
    /// search for code.
    private static func mayHaveTag(_ text: [UInt8], from start: Int) -> Bool {
        var offset = start
        while let hash = text.firstOffset(of: UInt8(ascii: "#"), from: offset) {
            offset = hash + 1
            if offset < text.count, text[offset] >= 0x80 || isLetter(Unicode.Scalar(text[offset])) { return true }
        }
        return false
    }

    private static func collect(from paragraph: ArraySlice<UInt8>, into tags: inout TagCollector) {
        guard paragraph.contains(UInt8(ascii: "#")) else { return }
        var spans = CodeSpans(in: paragraph)
        var offset = paragraph.startIndex
        while !tags.isFull, let hash = paragraph[offset...].firstIndex(of: UInt8(ascii: "#")) {
            if let after = spans.end(ofSpanContaining: hash) {
                offset = after
                continue
            }
            offset = hash + 1
            guard hash == paragraph.startIndex || opensTag(endingAt: hash, in: paragraph) else { continue }
            let length = tagLength(paragraph[offset...])
            guard length > 0 else { continue }
            tags.add(ByteString(validUTF8: Array(paragraph[offset..<offset + length])))
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
        if tag.utf8.allSatisfy({ $0 < 0x80 }) {
            return ByteString(validUTF8: tag.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 })
        }
        var lower = ""
        for scalar in String(decoding: tag.utf8, as: UTF8.self).unicodeScalars {
            lower += scalar.properties.lowercaseMapping
        }
        return ByteString(lower)
    }
}

/// The tags found so far in a text.
private struct TagCollector {
    let isLimited: Bool
    /// In lower case.
    private(set) var found: Set<ByteString> = []
    private var words = 0

    init(isLimited: Bool) {
        self.isLimited = isLimited
    }

    /// Whether no further tag counts.
    var isFull: Bool { isLimited && (found.count == TagLimits.tagsMax || words == TagLimits.wordsMax) }

    mutating func add(_ word: ByteString) {
        guard !isFull, !isLimited || word.utf8.count <= TagLimits.bytesMax else { return }
        words += 1
        found.insert(Tags.lowercased(word))
    }
}
