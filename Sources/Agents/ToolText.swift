import NoteTasks
import NotesModel
import NotesWire
import TextMerge

/// Pieces of text that fit the limits of a result.
enum ToolText {
    /// A part of a note's text that ends at the end of a line, or within a line that exceeds the limit.
    struct Page: Hashable {
        /// The bytes of the part.
        let text: ArraySlice<UInt8>
        /// Number of the line at which the next part begins, from 1; nil at the end of the text.
        var nextLine: Int?
        /// Offset in bytes in that line at which the next part begins; nil for its start.
        var nextByte: Int?
    }

    /// The part of a text that begins at a line and at a byte of it. Offsets past the end give an empty
    /// page; an offset within a character is moved to the character's start.
    ///
    /// - Parameters:
    ///   - line: from 1.
    ///   - count: most lines of the page.
    ///   - bytesMax: most bytes of the page; at least 4, the length of the longest character.
    static func page(_ lines: Lines, of text: [UInt8], from line: Int, byte: Int = 0, lines count: Int, bytesMax: Int) -> Page {
        let first = line - 1
        guard first < lines.count else { return Page(text: []) }
        let start = characterStart(min(lines.bounds[first] + min(byte, text.count), lines.bounds[first + 1]), in: text)
        var last = first
        while last < min(first + min(count, lines.count), lines.count), lines.bounds[last + 1] - start <= bytesMax { last += 1 }
        if last == first {
            // Not even one line fits.
            let end = characterStart(start + bytesMax, in: text)
            return Page(text: text[start..<end], nextLine: line, nextByte: end - lines.bounds[first])
        }
        return Page(text: text[start..<max(start, lines.bounds[last])], nextLine: last < lines.count ? last + 1 : nil)
    }

    /// The offset, or that of the start of the character that it lies in.
    private static func characterStart(_ offset: Int, in text: [UInt8]) -> Int {
        var start = min(offset, text.count)
        while start > 0, start < text.count, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }

    /// The beginning of a text, at most `bytesMax` bytes, cut between characters.
    static func beginning(of text: [UInt8], bytesMax: Int) -> [UInt8] {
        text.count <= bytesMax ? text : Array(text[..<characterStart(bytesMax, in: text)])
    }

    /// The difference of two texts in the unified format.
    struct Diff: Hashable {
        /// Whole lines, each with its LF; empty if the texts are equal. The last line of a cut diff says so.
        let text: [UInt8]
        /// Whether lines are missing because the limit was reached.
        let isCut: Bool
    }

    private static let cut = Array("(cut; read the note to see all)\n".utf8)

    /// - Parameter names: the names of the two texts.
    static func diff(from old: [UInt8], to new: [UInt8], names: (String, String)) -> Diff {
        var text: [UInt8] = []
        for line in UnifiedDiff.lines(from: old, to: new, names: names) {
            guard text.count + line.bytes.count + cut.count < ToolLimits.diffBytes else {
                return Diff(text: text + cut, isCut: true)
            }
            text += line.bytes + [UInt8(ascii: "\n")]
        }
        return Diff(text: text, isCut: false)
    }
}
