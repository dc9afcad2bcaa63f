import TextMerge

/// Moves offsets of one text to the corresponding ones of another.
struct OffsetMap {
    private let edits: [Edit]
    private let end: Int

    /// - Complexity: that of `TextDiff`.
    init(from base: [UInt8], to text: [UInt8]) {
        edits = TextDiff.edits(from: base, to: text)
        end = text.count
    }

    /// The range of the other text that covers what a range has become.
    func range(_ range: Range<Int>) -> Range<Int> {
        let start = offset(range.lowerBound, isEnd: false)
        return start..<max(start, offset(range.upperBound, isEnd: !range.isEmpty))
    }

    /// - Parameter isEnd: whether a place in replaced bytes moves after the replacement, not before it.
    private func offset(_ offset: Int, isEnd: Bool) -> Int {
        var growth = 0
        for edit in edits {
            if edit.start > offset || edit.start == offset && isEnd { break }
            if edit.end > offset || edit.end == offset && edit.start < offset && !isEnd && edit.replacement.isEmpty {
                return min(edit.start + growth + (isEnd ? edit.replacement.count : 0), end)
            }
            growth += edit.growth
        }
        return min(offset + growth, end)
    }
}
