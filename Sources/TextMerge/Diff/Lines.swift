/// A text divided into lines, each with its LF; the last one may lack it. A CR stays in its line.
/// An empty text has no lines.
package struct Lines {
    package let text: [UInt8]
    /// The offsets in bytes at which the lines start, followed by the length of the text.
    package let bounds: [Int]

    /// Divides a text into lines.
    ///
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

    /// The number of lines.
    package var count: Int { bounds.count - 1 }

    /// Whether the text does not end with LF; true for an empty text.
    package var endsUnterminated: Bool { text.last.map { $0 != UInt8(ascii: "\n") } ?? true }

    /// The number of lines that both texts begin with.
    ///
    /// - Complexity: O(bytes of these lines).
    package func commonLines(atStartOf other: Lines) -> Int {
        let bytes = text.commonPrefix(with: other.text)
        var lines = 0
        // Lines that start at the same offset and are within the common bytes also end at the same
        // offset, except for the last line of a text.
        while lines < min(count, other.count), bounds[lines + 1] <= bytes, bounds[lines + 1] == other.bounds[lines + 1] {
            lines += 1
        }
        return lines
    }

    /// The number of lines that both texts end with, not counting the first `start` lines of each.
    ///
    /// - Complexity: O(bytes of these lines).
    package func commonLines(atEndOf other: Lines, below start: Int) -> Int {
        let bytes = text.commonSuffix(with: other.text)
        var lines = 0
        while lines < min(count, other.count) - start {
            let length = text.count - bounds[count - lines - 1]
            guard length <= bytes, length == other.text.count - other.bounds[other.count - lines - 1] else { break }
            lines += 1
        }
        return lines
    }

    /// The bytes of a line, with its LF.
    package subscript(line: Int) -> ArraySlice<UInt8> { text[bounds[line]..<bounds[line + 1]] }

    /// The bytes of several lines.
    package subscript(lines: Range<Int>) -> ArraySlice<UInt8> { text[bounds[lines.lowerBound]..<bounds[lines.upperBound]] }
}

/// The byte that ends a line.
let lineFeed = UInt8(ascii: "\n")
