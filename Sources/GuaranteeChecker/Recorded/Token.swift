/// The words by which it is told what became of what a writer inserted: `‹client.number›`, each inserted by one write alone.
///
/// The brackets take three bytes of UTF-8, one unit of UTF-16 and one scalar, so offsets of the three encodings differ.
package enum Token {
    package static func text(_ client: Int, _ number: Int) -> String { "‹\(client).\(number)›" }

    private static let opening: [UInt8] = Array("‹".utf8)
    private static let closing: [UInt8] = Array("›".utf8)

    /// How often each stands in a text.
    package static func counts(in text: [UInt8]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for range in ranges(in: text) { counts[String(decoding: text[range], as: UTF8.self), default: 0] += 1 }
        return counts
    }

    /// Where each stands, with its brackets.
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
