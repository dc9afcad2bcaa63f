/// A text cut into its lines, each with its LF; the last may lack one. A CR stays in its line; an empty text has no lines.
package struct Lines {
    let text: [UInt8]
    /// Where each line starts, in bytes, then where the text ends.
    package let bounds: [Int]

    /// - Complexity: O(text).
    package init(_ text: [UInt8]) {
        var bounds = [0]
        for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
            bounds.append(offset + 1)
        }
        if bounds[bounds.count - 1] != text.count { bounds.append(text.count) }
        self.text = text
        self.bounds = bounds
    }

    package var count: Int { bounds.count - 1 }

    /// Whether the last line lacks its LF; an empty text has no line to lack one.
    package var endsUnterminated: Bool { text.last.map { $0 != UInt8(ascii: "\n") } ?? true }

    package subscript(line: Int) -> ArraySlice<UInt8> { text[bounds[line]..<bounds[line + 1]] }

    /// The bytes of several lines.
    subscript(lines: Range<Int>) -> ArraySlice<UInt8> { text[bounds[lines.lowerBound]..<bounds[lines.upperBound]] }
}
