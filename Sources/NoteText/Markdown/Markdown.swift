/// The paragraphs of a text, as slices: runs of lines between blank lines and outside fenced code; on
/// request also outside HTML comments that start at the start of a line and end somewhere, which hide
/// the rest of their last line too (CommonMark §4.6).
///
/// A fence (CommonMark §4.5) is a line that starts with at most three spaces and at least three
/// backticks or tildes. It ends at a line with at least as many of the same character, or at the
/// end of the text.
struct Paragraphs: Sequence, IteratorProtocol {
    private let text: ArraySlice<UInt8>
    private var offset: Int
    /// Comments from this offset on are read as text: they do not end, or the caller wants them.
    private var openComment: Int

    init(_ text: ArraySlice<UInt8>, hidesComments: Bool = false) {
        self.text = text
        offset = text.startIndex
        openComment = hidesComments ? text.endIndex : text.startIndex
    }

    mutating func next() -> ArraySlice<UInt8>? {
        var start: Int?
        while offset < text.endIndex {
            let line = offset..<(text[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex)
            if let end = endOfComment(startingIn: line) {
                offset = end
                if let start { return text[start..<line.lowerBound] }
            } else if let fence = Fence(opening: text[line]) {
                if let start { return text[start..<line.lowerBound] }
                offset = Swift.min(line.upperBound + 1, text.endIndex)
                skip(to: fence)
            } else if text[line].allSatisfy(isBlank) {
                offset = Swift.min(line.upperBound + 1, text.endIndex)
                if let start { return text[start..<line.lowerBound] }
            } else {
                if start == nil { start = line.lowerBound }
                offset = Swift.min(line.upperBound + 1, text.endIndex)
            }
        }
        return start.map { text[$0..<text.endIndex] }
    }

    /// The offset after the last line of a comment that starts in this line; nil if none does.
    private mutating func endOfComment(startingIn line: Range<Int>) -> Int? {
        guard line.lowerBound < openComment else { return nil }
        let content = text[line].drop { $0 == UInt8(ascii: " ") }
        guard content.startIndex - line.lowerBound <= 3, content.starts(with: "<!--".utf8) else { return nil }
        let dashes = content.startIndex + 2
        var offset = dashes
        while let close = text[offset...].firstIndex(of: UInt8(ascii: ">")) {
            if close >= dashes + 2, text[close - 1] == UInt8(ascii: "-"), text[close - 2] == UInt8(ascii: "-") {
                let end = text[close...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
                return Swift.min(end + 1, text.endIndex)
            }
            offset = close + 1
        }
        openComment = line.lowerBound
        return nil
    }

    private mutating func skip(to fence: Fence) {
        while offset < text.endIndex {
            let end = text[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            defer { offset = Swift.min(end + 1, text.endIndex) }
            if fence.isClosed(by: text[offset..<end]) { return }
        }
    }
}

/// An opening code fence.
private struct Fence {
    let mark: UInt8
    let length: Int

    init?(opening line: ArraySlice<UInt8>) {
        let content = line.drop { $0 == UInt8(ascii: " ") }
        guard content.startIndex - line.startIndex <= 3, let mark = content.first,
            mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~")
        else { return nil }
        let length = content.prefix { $0 == mark }.count
        // The info string after a backtick fence contains no backtick; otherwise the line is a
        // paragraph with a code span.
        guard length >= 3, mark == UInt8(ascii: "~") || !content.dropFirst(length).contains(mark) else { return nil }
        self.mark = mark
        self.length = length
    }

    func isClosed(by line: ArraySlice<UInt8>) -> Bool {
        let content = line.drop { $0 == UInt8(ascii: " ") }
        guard content.startIndex - line.startIndex <= 3 else { return false }
        let run = content.prefix { $0 == mark }.count
        return run >= length && content.dropFirst(run).allSatisfy(isBlank)
    }
}

/// The code spans of one paragraph (CommonMark §6.1): from a run of backticks to the next run of
/// the same length.
///
/// Query the offsets in ascending order. The initializer pairs the runs from the end, so the cost
/// is linear even if many runs have no partner.
struct CodeSpans {
    private var spans: [Range<Int>] = []
    private var next = 0

    init(in paragraph: ArraySlice<UInt8>) {
        var runs: [Range<Int>] = []
        var offset = paragraph.startIndex
        while let start = paragraph[offset...].firstIndex(of: UInt8(ascii: "`")) {
            let end = paragraph[start...].firstIndex { $0 != UInt8(ascii: "`") } ?? paragraph.endIndex
            runs.append(start..<end)
            offset = end
        }
        var closing = [Int?](repeating: nil, count: runs.count)
        var latest: [Int: Int] = [:]
        for index in runs.indices.reversed() {
            closing[index] = latest[runs[index].count]
            latest[runs[index].count] = index
        }
        var index = 0
        while index < runs.count {
            if let close = closing[index] {
                spans.append(runs[index].lowerBound..<runs[close].upperBound)
                index = close + 1
            } else {
                index += 1
            }
        }
    }

    /// The end of the code span that starts at the offset; nil if none does.
    mutating func end(ofSpanAt offset: Int) -> Int? {
        let end = end(ofSpanContaining: offset)
        return end != nil && spans[next].lowerBound == offset ? end : nil
    }

    /// The end of the code span that contains the offset; nil if none does.
    mutating func end(ofSpanContaining offset: Int) -> Int? {
        while next < spans.count, spans[next].upperBound <= offset { next += 1 }
        return next < spans.count && spans[next].contains(offset) ? spans[next].upperBound : nil
    }
}
