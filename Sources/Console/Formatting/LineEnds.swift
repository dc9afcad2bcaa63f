/// How the lines of a text end, so that what a command adds ends in the same way.
package struct LineEnds: Sendable {
    /// Whether the text has lines, and all end with CR LF.
    private let areWithReturn: Bool

    /// - Complexity: O(text).
    package init(of text: [UInt8]) {
        var (before, hasLine, isMixed) = (UInt8(0), false, false)
        for byte in text where !isMixed {
            if byte == UInt8(ascii: "\n") { (hasLine, isMixed) = (true, before != UInt8(ascii: "\r")) }
            before = byte
        }
        areWithReturn = hasLine && !isMixed
    }

    /// How a line ends; an unterminated last line ends as the line before it.
    ///
    /// - Complexity: O(line).
    package init(ofLineAt offset: Int, in text: [UInt8]) {
        let lineFeed = UInt8(ascii: "\n")
        let end = text[offset...].firstIndex(of: lineFeed) ?? text[..<offset].lastIndex(of: lineFeed)
        areWithReturn = end.map { $0 > 0 && text[$0 - 1] == UInt8(ascii: "\r") } ?? false
    }

    /// A text with these line ends.
    package func adapted(_ text: [UInt8]) -> [UInt8] {
        guard areWithReturn else { return text }
        var result: [UInt8] = []
        for byte in text {
            if byte == UInt8(ascii: "\n"), result.last != UInt8(ascii: "\r") { result.append(UInt8(ascii: "\r")) }
            result.append(byte)
        }
        return result
    }
}
