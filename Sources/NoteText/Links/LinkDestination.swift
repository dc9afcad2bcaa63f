/// The destination of an inline link, an image or a reference definition (CommonMark, section 4.7).
struct LinkDestination {
    /// The byte range of the destination, without `<` and `>`.
    let range: Range<Int>
    /// The offset after it, and after a `>`.
    let end: Int

    private init(range: Range<Int>, end: Int) {
        self.range = range
        self.end = end
    }

    /// Reads the destination at an offset; nil if there is none on this line.
    ///
    /// - Parameter steps: increased by the number of examined bytes.
    /// - Complexity: O(bytes up to the end of the destination); without `<` at most
    ///   `LinkLimits.targetBytesMax`.
    static func read(in text: ArraySlice<UInt8>, at start: Int, countingSteps steps: inout Int) -> LinkDestination? {
        var offset = start
        defer { steps += offset - start }
        guard start < text.endIndex, text[start] == UInt8(ascii: "<") else {
            return end(ofPlainIn: text, from: &offset) ? LinkDestination(range: start..<offset, end: offset) : nil
        }
        offset += 1
        while offset < text.endIndex, !"<>\n".utf8.contains(text[offset]) {
            let isEscape =
                text[offset] == UInt8(ascii: "\\") && offset + 1 < text.endIndex && text[offset + 1] != UInt8(ascii: "\n")
            offset += isEscape ? 2 : 1
        }
        guard offset < text.endIndex, text[offset] == UInt8(ascii: ">") else { return nil }
        return LinkDestination(range: start + 1..<offset, end: offset + 1)
    }

    /// Moves the offset to the end of a destination without `<`. Returns whether its parentheses match.
    private static func end(ofPlainIn text: ArraySlice<UInt8>, from offset: inout Int) -> Bool {
        let start = offset
        var depth = 0
        while offset < text.endIndex, offset - start <= LinkLimits.targetBytesMax {
            let byte = text[offset]
            if byte <= UInt8(ascii: " ") || byte == 0x7F { break }
            if byte == UInt8(ascii: "\\"), offset + 1 < text.endIndex, isPunctuation(text[offset + 1]) {
                offset += 1
            } else if byte == UInt8(ascii: "(") {
                depth += 1
                if depth > LinkLimits.parenthesesMax { return false }
            } else if byte == UInt8(ascii: ")") {
                if depth == 0 { break }
                depth -= 1
            }
            offset += 1
        }
        return depth == 0
    }

    /// The link to this destination; nil if it leads outside the notes, or only to a fragment.
    func link(in text: ArraySlice<UInt8>) -> Link? {
        let raw = text[range]
        guard let first = raw.first, raw.count <= LinkLimits.targetBytesMax, first != UInt8(ascii: "#"),
            !raw.starts(with: "//".utf8)
        else { return nil }
        let hash = raw.firstIndex(of: UInt8(ascii: "#")) ?? raw.endIndex
        let fragment = hash < raw.endIndex ? ByteString(validUTF8: Array(raw[(hash + 1)...])) : nil
        if Self.hasScheme(raw) {
            guard raw.starts(with: "note:".utf8) else { return nil }
            let id = raw.startIndex + 5..<max(hash, raw.startIndex + 5)
            return Link(
                kind: .id, range: id, target: ByteString(validUTF8: Array(text[id])),
                fragment: fragment?.isEmpty == true ? nil : fragment)
        }
        let written = raw[..<hash]
        let query = written.firstIndex(of: UInt8(ascii: "?"))
        return Link(
            kind: .path, range: range.lowerBound..<hash, target: Self.decoded(written),
            targetBeforeQuery: query.map { Self.decoded(written[..<$0]) }, fragment: fragment)
    }

    /// Whether the target starts with a scheme of two or more characters.
    private static func hasScheme(_ raw: ArraySlice<UInt8>) -> Bool {
        guard let first = raw.first, isLetter(first) else { return false }
        let scheme = raw.prefix { isLetter($0) || isDigit($0) || "+.-".utf8.contains($0) }
        return scheme.count >= 2 && scheme.endIndex < raw.endIndex && raw[scheme.endIndex] == UInt8(ascii: ":")
    }

    /// The target without backslash escapes, `&amp;` and percent escapes, undone once in this order.
    /// Percent escapes that do not decode to UTF-8 stay as written.
    static func decoded(_ written: ArraySlice<UInt8>) -> ByteString {
        guard written.contains(where: { "\\&%".utf8.contains($0) }) else { return ByteString(validUTF8: Array(written)) }
        var plain: [UInt8] = []
        var offset = written.startIndex
        while offset < written.endIndex {
            let isEscape =
                written[offset] == UInt8(ascii: "\\") && offset + 1 < written.endIndex && isPunctuation(written[offset + 1])
            if isEscape { offset += 1 }
            plain.append(written[offset])
            offset += 1
        }
        plain.replace("&amp;".utf8, with: "&".utf8)
        var bytes: [UInt8] = []
        offset = 0
        while offset < plain.count {
            if plain[offset] == UInt8(ascii: "%"), offset + 2 < plain.count, let high = hexDigit(plain[offset + 1]),
                let low = hexDigit(plain[offset + 2])
            {
                bytes.append(high << 4 | low)
                offset += 3
            } else {
                bytes.append(plain[offset])
                offset += 1
            }
        }
        return ByteString(checkedUTF8: bytes) ?? ByteString(validUTF8: plain)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte & 0xF }
        let letter = byte | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f") ? letter - UInt8(ascii: "a") + 10 : nil
    }
}
