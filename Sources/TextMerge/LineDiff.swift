/// The found edits: what a whole text that was saved changed in its base, in whole lines.
///
/// Made once, by the daemon that took the write, and stored with the revision; never made again elsewhere. So another
/// release may find other edits without two daemons ever disagreeing, but one release always finds the same: the diff is
/// bounded by steps, not by time, and no order of hashing is in it.
///
/// 1. Lines are split at LF; a CR stays in its line; lines are equal when their bytes are.
/// 2. Common lines at the start, then at the end, are left alone.
/// 3. In between, lines that the other text does not have are set aside, and Myers' algorithm in linear space (`MyersDiff`, which
///    states its tie-breaks and its cap) matches the rest.
/// 4. Each run of lines that are not matched is a hunk. A hunk that only adds or only removes, and could as well stand some
///    lines higher or lower, is moved up where it then touches the hunk above, the two being one; otherwise down as far as
///    it goes. So a repeated line is added after its equals, and one change is found the same beside other changes.
/// 5. *Final newline*: a hunk that takes in an unterminated last line is cut to where base and text begin to differ, so that
///    an appended line goes with the LF before it, and two that append to one unterminated line do not both write it.
package enum LineDiff {
    /// The edits that make `text` of `base`: ascending, not touching, none empty.
    ///
    /// - Complexity: O(lines + cap) and O(bytes).
    package static func edits(from base: [UInt8], to text: [UInt8]) -> [Edit] {
        let common = base.commonPrefix(with: text)
        guard common < max(base.count, text.count) else { return [] }
        if let edit = changedLine(from: base, to: text, differingAt: common) { return [edit] }
        let old = Lines(base)
        let new = Lines(text)
        return hunks(old, new).map { hunk in
            let edit = hunk.edit(old, new)
            let takesInLast =
                (hunk.old.upperBound == old.count && old.endsUnterminated)
                || (hunk.new.upperBound == new.count && new.endsUnterminated)
            return takesInLast ? edit.trimmingCommonPrefix(in: base) : edit
        }
    }

    /// The edit where one line became another, both with their LF, and all else is the same; nil for anything else.
    ///
    /// It is what most saves are, and what the steps above find then: nothing is left to match between the common lines, a hunk
    /// that both adds and removes does not move, and one that ends with an LF in both texts is not cut.
    private static func changedLine(from base: [UInt8], to text: [UInt8], differingAt offset: Int) -> Edit? {
        let newline = UInt8(ascii: "\n")
        guard let oldEnd = base.firstOffset(of: newline, from: offset), let newEnd = text.firstOffset(of: newline, from: offset),
            base.count - oldEnd == text.count - newEnd, base.commonSuffix(with: text) >= base.count - oldEnd
        else { return nil }
        let start = (base[..<offset].lastIndex(of: newline) ?? -1) + 1
        return Edit(start: start, end: oldEnd + 1, replacement: Array(text[start...newEnd]))
    }

    /// The differing regions, ascending, with at least one equal line between two.
    package static func hunks(_ old: Lines, _ new: Lines) -> [LineHunk] {
        let prefix = old.commonLines(atStartOf: new)
        let suffix = old.commonLines(atEndOf: new, below: prefix)
        let oldEnd = old.count - suffix
        let newEnd = new.count - suffix
        let matches = matches(old, prefix..<oldEnd, new, prefix..<newEnd)
        var hunks: [LineHunk] = []
        var from = (old: prefix, new: prefix)
        for match in matches + [(oldEnd, newEnd)] {
            if from.old < match.0 || from.new < match.1 {
                hunks.append(LineHunk(old: from.old..<match.0, new: from.new..<match.1))
            }
            from = (match.0 + 1, match.1 + 1)
        }
        return settled(hunks, old, new)
    }

    /// Pairs of equal lines, ascending in both, as many as Myers' algorithm finds under its cap.
    private static func matches(_ old: Lines, _ oldRange: Range<Int>, _ new: Lines, _ newRange: Range<Int>) -> [(Int, Int)] {
        guard !oldRange.isEmpty, !newRange.isEmpty else { return [] }
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        var oldNumbers: [Int] = []
        for line in oldRange {
            let number = numbers[old[line]] ?? numbers.count
            numbers[old[line]] = number
            oldNumbers.append(number)
        }
        var inBoth = [Bool](repeating: false, count: numbers.count)
        var newLines: [Int] = []
        var newNumbers: [Int] = []
        for line in newRange {
            guard let number = numbers[new[line]] else { continue }
            inBoth[number] = true
            newLines.append(line)
            newNumbers.append(number)
        }
        let kept = oldNumbers.indices.filter { inBoth[oldNumbers[$0]] }
        let pairs = MyersDiff.matches(kept.map { oldNumbers[$0] }, newNumbers)
        return pairs.map { (oldRange.lowerBound + kept[$0.0], newLines[$0.1]) }
    }

    /// Moves each hunk that only adds or only removes up to the hunk before it, where the lines allow, otherwise down as far
    /// as they allow; where it reaches another, the two are one.
    private static func settled(_ hunks: [LineHunk], _ old: Lines, _ new: Lines) -> [LineHunk] {
        var result: [LineHunk] = []
        var rest = Array(hunks.reversed())
        while var hunk = rest.popLast() {
            let above = result.last?.old.upperBound ?? -1
            let below = rest.last?.old.lowerBound ?? old.count
            var raised = hunk
            while raised.old.lowerBound > max(above, 0), raised.canRise(old, new) { raised.move(by: -1) }
            if let previous = result.last, raised.old.lowerBound == above {
                result.removeLast()
                rest.append(previous.joined(raised))
                continue
            }
            while hunk.old.upperBound < below, hunk.canSink(old, new) { hunk.move(by: 1) }
            if let next = rest.last, hunk.old.upperBound == below {
                rest[rest.count - 1] = hunk.joined(next)
            } else {
                result.append(hunk)
            }
        }
        return result
    }
}

/// Lines of the base that became other lines of the text.
package struct LineHunk: Hashable {
    package var old: Range<Int>
    package var new: Range<Int>

    func edit(_ oldLines: Lines, _ newLines: Lines) -> Edit {
        Edit(start: oldLines.bounds[old.lowerBound], end: oldLines.bounds[old.upperBound], replacement: Array(newLines[new]))
    }

    /// Whether the line above could as well stand below: the hunk only adds or only removes, and ends with an equal one.
    func canRise(_ oldLines: Lines, _ newLines: Lines) -> Bool {
        if old.isEmpty { return newLines[new.upperBound - 1] == oldLines[old.lowerBound - 1] }
        if new.isEmpty { return oldLines[old.upperBound - 1] == oldLines[old.lowerBound - 1] }
        return false
    }

    /// Whether the line below could as well stand above: the hunk only adds or only removes, and begins with an equal one.
    func canSink(_ oldLines: Lines, _ newLines: Lines) -> Bool {
        if old.isEmpty { return newLines[new.lowerBound] == oldLines[old.upperBound] }
        if new.isEmpty { return oldLines[old.lowerBound] == oldLines[old.upperBound] }
        return false
    }

    mutating func move(by lines: Int) {
        old = old.lowerBound + lines..<old.upperBound + lines
        new = new.lowerBound + lines..<new.upperBound + lines
    }

    /// This hunk and the one that follows it without a line between.
    func joined(_ next: LineHunk) -> LineHunk {
        LineHunk(old: old.lowerBound..<next.old.upperBound, new: new.lowerBound..<next.new.upperBound)
    }
}
