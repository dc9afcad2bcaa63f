import TextMerge

/// Joins two texts that have no common version: all lines of both stand in the result.
enum TextJoin {
    /// The first text, with the lines that only the second one has. Where the texts differ, the lines of
    /// the first come first.
    ///
    /// - Complexity: as `LineDiff.edits`.
    static func joined(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        let lineFeed = UInt8(ascii: "\n")
        var result: [UInt8] = []
        var position = 0
        for edit in LineDiff.edits(from: one, to: other) where !edit.replacement.isEmpty {
            result += one[position..<edit.end]
            position = edit.end
            var lines = edit.replacement[...]
            if let last = result.last {
                // An edit at the end may begin with the line feed of the line before.
                let isAfterLine = edit.start < edit.end && one[edit.start] == lineFeed
                if isAfterLine, last == lineFeed, lines.first == lineFeed { lines = lines.dropFirst() }
                if last != lineFeed, lines.first != lineFeed { result.append(lineFeed) }
            }
            result += lines
            if position < one.count, result.last != lineFeed { result.append(lineFeed) }
        }
        return result + one[position...]
    }
}
