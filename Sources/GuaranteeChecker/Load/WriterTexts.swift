/// The texts that a writer makes of those that it was shown. A token is never cut: what is inserted stands beside tokens, what is
/// removed are whole ones.
extension Writer {
    private static let linesMax = 24

    /// A whole text: some lines less, one or two more. A last line without LF is left as it is, since of that one a daemon may take
    /// parts to be the same.
    func rewritten(_ text: [UInt8]) -> [UInt8] {
        var lines = lines(of: text)
        if let last = lines.last, last.last != UInt8(ascii: "\n") {
            return text + [UInt8(ascii: "\n")] + Array(newLine().utf8)
        }
        let surplus = max(0, lines.count - Self.linesMax)
        for _ in 0..<(surplus + dice.below(3)) where !lines.isEmpty { lines.remove(at: dice.below(lines.count)) }
        for _ in 0...dice.below(2) { lines.insert(Array(newLine().utf8), at: dice.below(lines.count + 1)) }
        return lines.flatMap(\.self)
    }

    private func lines(of text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for byte in text {
            line.append(byte)
            if byte == UInt8(ascii: "\n") {
                lines.append(line)
                line = []
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// One edit in some lines, two at most apart from a target, sorted.
    func edits(of text: [UInt8]) -> [Splicing.Edit] {
        let lines = lines(of: text)
        guard !lines.isEmpty else { return [Splicing.Edit(start: 0, end: 0, text: Array(newLine().utf8))] }
        let target = dice.below(lines.count)
        var edits: [Splicing.Edit] = []
        var position = 0
        for (index, line) in lines.enumerated() {
            if index == target || abs(index - target) < 3 && dice.chance(0.15) || lines.count > Self.linesMax && dice.chance(0.1)
            {
                edits.append(edit(in: line, at: position))
            }
            position += Splicing.count(line, encoding)
        }
        return edits
    }

    private func edit(in line: [UInt8], at position: Int) -> Splicing.Edit {
        let length = Splicing.count(line, encoding)
        let ranges = Token.ranges(in: line)
        func edit(_ start: Int, _ end: Int, _ text: String) -> Splicing.Edit {
            Splicing.Edit(
                start: position + Splicing.count(line[..<start], encoding),
                end: position + Splicing.count(line[..<end], encoding),
                text: Array(text.utf8))
        }
        let isTerminated = line.last == UInt8(ascii: "\n")
        switch dice.below(ranges.isEmpty ? 3 : 6) {
        case 0: return Splicing.Edit(start: position, end: position, text: Array(newLine().utf8))
        case 1: return edit(line.count - (isTerminated ? 1 : 0), line.count - (isTerminated ? 1 : 0), newToken())
        case 2: return Splicing.Edit(start: position, end: position + length, text: [])
        case 3:
            let start = dice.pick(ranges).lowerBound
            return edit(start, start, newToken())
        case 4:
            let range = dice.pick(ranges)
            return edit(range.lowerBound, range.upperBound, "")
        default:
            let range = dice.pick(ranges)
            return edit(range.lowerBound, range.upperBound, newToken())
        }
    }

    func json(_ edits: [Splicing.Edit]) -> String {
        "[" + edits.map { "{\"start\":\($0.start),\"end\":\($0.end),\"text\":\(quoted($0.text))}" }.joined(separator: ",") + "]"
    }
}
