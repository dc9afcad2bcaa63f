import TextMerge

/// The lines of a text as slices, split at LF. A CR stays in its line. A final LF does not start
/// another line.
struct TextLines: Sequence, IteratorProtocol {
    private let text: [UInt8]
    private var offset: Int
    private let end: Int

    /// - Parameter offset: the start of the first line.
    init(_ text: [UInt8], from offset: Int = 0) {
        self.init(text, within: offset..<text.count)
    }

    /// - Parameter range: the bytes to split.
    init(_ text: [UInt8], within range: Range<Int>) {
        self.text = text
        offset = range.lowerBound
        end = range.upperBound
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard offset < end else { return nil }
        let lineEnd = Swift.min(text.firstOffset(of: UInt8(ascii: "\n"), from: offset) ?? end, end)
        defer { offset = lineEnd + 1 }
        return text[offset..<lineEnd]
    }
}
