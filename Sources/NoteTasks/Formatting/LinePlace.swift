import Console
import TextMerge

/// Describes a range of a text by its line numbers, counted from 1.
enum LinePlace {
    /// - Parameter range: a byte range that begins at the start of a line.
    static func words(_ range: Range<Int>, in text: [UInt8]) -> String {
        guard let (first, last) = lines(range, in: text) else {
            let before = number(of: range.lowerBound, in: text)
            return range.lowerBound >= text.count ? "at the end" : "before line \(before)"
        }
        return first == last ? "line \(first)" : "lines \(first)-\(last)"
    }

    /// The first and last lines that the range touches; nil if it is empty.
    static func lines(_ range: Range<Int>, in text: [UInt8]) -> (first: Int, last: Int)? {
        let range = range.clamped(to: 0..<text.count)
        guard !range.isEmpty else { return nil }
        return (number(of: range.lowerBound, in: text), number(of: range.upperBound - 1, in: text))
    }

    /// The number of the line that contains a byte.
    private static func number(of offset: Int, in text: [UInt8]) -> Int {
        text.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}

/// Text by others within notesctl's own output, indented so that none of its lines can pass for
/// notesctl's.
package enum TextBlock {
    /// - Parameter linesMax: the most lines to return; if the text has more, the last of them says
    ///   how many are omitted.
    package static func lines(_ text: [UInt8], indent: Int, linesMax: Int = .max) -> [String] {
        var lines = SafeText.text(String(decoding: text, as: UTF8.self)).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        let space = String(repeating: " ", count: indent)
        guard lines.count > linesMax, linesMax > 0 else { return lines.map { space + $0 } }
        let kept = linesMax == 1 ? 1 : linesMax - 1
        return lines.prefix(kept).map { space + $0 }
            + (linesMax == 1 ? [] : [space + "… and \(counted(lines.count - kept, "more line"))"])
    }
}
