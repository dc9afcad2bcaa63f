/// The texts that a writer makes from those that it has received. Insertions are next to tokens and
/// removals cover whole tokens, so no token is ever split.
extension Writer {
    private static let linesMax = 24

    /// A whole text with some lines removed and one or two added, sometimes without a last LF.
    func rewritten(_ text: [UInt8]) -> [UInt8] {
        var lines = lines(of: text)
        if let last = lines.last, last.last != UInt8(ascii: "\n") { lines[lines.count - 1].append(UInt8(ascii: "\n")) }
        let surplus = max(0, lines.count - Self.linesMax)
        for _ in 0..<(surplus + dice.below(3)) where !lines.isEmpty { lines.remove(at: dice.below(lines.count)) }
        for _ in 0...dice.below(2) { lines.insert(Array(newLine().utf8), at: dice.below(lines.count + 1)) }
        return dice.chance(0.15) ? lines.flatMap(\.self).dropLast() : lines.flatMap(\.self)
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

    /// Sorted edits: one in a random line, possibly more within two lines of it, and in a long text
    /// possibly more in any line.
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
