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

    /// The joined text, with the changes that a program made to its own part of it.
    ///
    /// - Parameters:
    ///   - joined: a text that has all lines of the program's text, in their order.
    ///   - old: the program's text that was joined.
    ///   - new: the program's new text.
    /// - Returns: nil if a line of the old text is missing.
    /// - Complexity: as `LineHunks.between`.
    static func rebased(_ joined: [UInt8], from old: LineMarks, to new: [UInt8]) -> [UInt8]? {
        let lineFeed = UInt8(ascii: "\n")
        let (lines, newLines) = (LineMarks.split(joined), LineMarks.split(new))
        guard let places = old.places(in: lines) else { return nil }
        var result: [ArraySlice<UInt8>] = []
        var position = 0
        for hunk in LineHunks.between(old.lines, newLines.map { LineMarks.Line($0) }) {
            // New lines stand where the first removed one stood, or after the line before them.
            let first = hunk.old.lowerBound
            let start = hunk.old.isEmpty && first > 0 ? places[first - 1] + 1 : first < places.count ? places[first] : lines.count
            result += lines[position..<start]
            position = start
            result += newLines[hunk.new]
            for place in places[hunk.old] {
                result += lines[position..<place]
                position = place + 1
            }
        }
        let isTerminated: Bool
        if position < lines.count {
            isTerminated = (places.last == lines.count - 1 ? new : joined).last == lineFeed
        } else {
            isTerminated = result.last != newLines.last || new.last == lineFeed
        }
        result += lines[position...]
        return Array(result.joined(separator: [lineFeed])) + (isTerminated && !result.isEmpty ? [lineFeed] : [])
    }
}
