/// The reading of wiki links.
enum WikiLinkScanner {
    /// The links in a line of front matter, where neither code nor escapes exist.
    static func links(ofLine line: ArraySlice<UInt8>, in text: [UInt8]) -> [Link] {
        var links: [Link] = []
        var open: Int?
        var offset = line.startIndex
        while offset + 1 < line.endIndex {
            if text[offset] == UInt8(ascii: "["), text[offset + 1] == UInt8(ascii: "[") {
                // Of three brackets the last two open the link.
                open = offset
                offset += 1
            } else if text[offset] == UInt8(ascii: "]"), text[offset + 1] == UInt8(ascii: "]"), let start = open {
                if offset >= start + 2 {
                    let isEmbed = start > line.startIndex && text[start - 1] == UInt8(ascii: "!")
                    link(inside: start + 2..<offset, isEmbed: isEmbed, in: text).map { links.append($0) }
                    open = nil
                    offset += 2
                } else {
                    offset += 1
                }
            } else {
                offset += 1
            }
        }
        return links
    }

    /// The link between `[[` and `]]`; nil if it has neither a target nor a fragment, or is too long.
    static func link(inside range: Range<Int>, isEmbed: Bool, in text: [UInt8]) -> Link? {
        guard range.count <= 2 * LinkLimits.targetBytesMax else { return nil }
        var (start, end) = (range.lowerBound, range.upperBound)
        if let pipe = text[range].firstIndex(of: UInt8(ascii: "|")) {
            // Tables need `\|`; the backslash belongs to neither side.
            end = pipe > start && text[pipe - 1] == UInt8(ascii: "\\") ? pipe - 1 : pipe
        }
        var fragment: ByteString?
        if let hash = text[start..<end].firstIndex(of: UInt8(ascii: "#")) {
            fragment = ByteString(validUTF8: Array(text[trimmed(hash + 1..<end, in: text)]))
            end = hash
        }
        let target = trimmed(start..<end, in: text)
        (start, end) = (target.lowerBound, target.upperBound)
        guard start < end || fragment?.isEmpty == false, end - start <= LinkLimits.targetBytesMax else { return nil }
        return Link(
            kind: isEmbed ? .embed : .wiki, range: target, target: ByteString(validUTF8: Array(text[target])), fragment: fragment)
    }

    /// The range without white space of any script at its ends.
    private static func trimmed(_ range: Range<Int>, in text: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, let (scalar, length) = firstScalar(text[start..<end]), scalar.properties.isWhitespace {
            start += length
        }
        while start < end {
            var last = end - 1
            while last > start, text[last] & 0xC0 == 0x80 { last -= 1 }
            guard firstScalar(text[last..<end])?.scalar.properties.isWhitespace == true else { break }
            end = last
        }
        return start..<end
    }
}
