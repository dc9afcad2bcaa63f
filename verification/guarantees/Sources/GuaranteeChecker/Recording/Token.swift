/// Unique words, `‹client.number›`, that trace what became of a writer's insertions. Each is
/// inserted by exactly one write.
///
/// The brackets take three bytes in UTF-8 but one unit in UTF-16 and UTF-32, so the offsets of the
/// encodings differ.
package enum Token {
    /// The token with these numbers.
    package static func text(_ client: Int, _ number: Int) -> String { "‹\(client).\(number)›" }

    private static let opening: [UInt8] = Array("‹".utf8)
    private static let closing: [UInt8] = Array("›".utf8)

    /// Number of occurrences of each token in a text.
    package static func counts(in text: [UInt8]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for range in ranges(in: text) { counts[String(decoding: text[range], as: UTF8.self), default: 0] += 1 }
        return counts
    }

    /// Byte ranges of the tokens in a text, including their brackets.
    package static func ranges(in text: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        var index = 0
        while index + 3 <= text.count {
            if text[index] != 0xE2 {
                index += 1
            } else if text[index..<index + 3].elementsEqual(opening) {
                start = index
                index += 3
            } else if text[index..<index + 3].elementsEqual(closing) {
                if let begin = start { ranges.append(begin..<index + 3) }
                start = nil
                index += 3
            } else {
                index += 1
            }
        }
        return ranges
    }
}
