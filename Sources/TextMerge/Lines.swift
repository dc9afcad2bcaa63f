/// A text cut into its lines, each with its LF; the last may lack one. A CR stays in its line; an empty text has no lines.
package struct Lines {
    let text: [UInt8]
    /// Where each line starts, in bytes, then where the text ends.
    package let bounds: [Int]

    /// - Complexity: O(text).
    package init(_ text: [UInt8]) {
        var bounds = [0]
        var start = 0
        while let end = text.firstOffset(of: UInt8(ascii: "\n"), from: start) {
            start = end + 1
            bounds.append(start)
        }
        if bounds[bounds.count - 1] != text.count { bounds.append(text.count) }
        self.text = text
        self.bounds = bounds
    }

    package var count: Int { bounds.count - 1 }

    /// Whether the last line lacks its LF; an empty text has no line to lack one.
    package var endsUnterminated: Bool { text.last.map { $0 != UInt8(ascii: "\n") } ?? true }

    /// How many lines both begin with.
    ///
    /// - Complexity: O(bytes of these).
    func commonLines(atStartOf other: Lines) -> Int {
        let bytes = text.commonPrefix(with: other.text)
        var lines = 0
        // Lines that begin at one place and lie in what is common end at one place, but for the last of a text.
        while lines < min(count, other.count), bounds[lines + 1] <= bytes, bounds[lines + 1] == other.bounds[lines + 1] {
            lines += 1
        }
        return lines
    }

    /// How many lines both end with, the first `start` of each left out.
    ///
    /// - Complexity: O(bytes of these).
    func commonLines(atEndOf other: Lines, below start: Int) -> Int {
        let bytes = text.commonSuffix(with: other.text)
        var lines = 0
        while lines < min(count, other.count) - start {
            let length = text.count - bounds[count - lines - 1]
            guard length <= bytes, length == other.text.count - other.bounds[other.count - lines - 1] else { break }
            lines += 1
        }
        return lines
    }

    package subscript(line: Int) -> ArraySlice<UInt8> { text[bounds[line]..<bounds[line + 1]] }

    /// The bytes of several lines.
    subscript(lines: Range<Int>) -> ArraySlice<UInt8> { text[bounds[lines.lowerBound]..<bounds[lines.upperBound]] }
}
