/// The line diff, which yields the found edits: what a saved text changed in its base, in whole
/// lines.
///
/// The daemon that takes a write computes it once and stores it with the revision; no other daemon
/// computes it again. So releases may differ in the edits that they find without making daemons
/// disagree. One release always finds the same edits: the work is limited by steps, not by time,
/// and hash order has no influence.
///
/// 1. Lines end at LF; a CR stays in its line. Lines are equal if their bytes are.
/// 2. Common lines at the start, then at the end, are left alone.
/// 3. In between, lines that the other text does not have are left out. Myers' algorithm in linear
///    space (`MyersDiff`, which defines tie-breaks and a cap) matches the rest.
/// 4. Each run of unmatched lines is a hunk. A hunk that only adds or only removes may fit equally
///    well some lines higher or lower. It is moved up if it then touches the hunk above, and the
///    two become one; otherwise it is moved down as far as possible. So a repeated line is added
///    after its equals, and a change is found in the same way whatever other changes are made.
///
/// The lines are those of the kept sequences (`KeptEdits`), so an unterminated last line equals the
/// same line with its LF. The edits are of the texts themselves. An edit at the end therefore may
/// start with the LF of the line before, if one of the texts does not show that LF.
///
/// Worked example of step 4: the base is `a b`, the text `a b b`, one letter a line. The added line
/// could be before or after the existing b; it is found after it.
package enum LineDiff {
    /// The edits that turn `base` into `text`: ascending, not touching, none empty.
    ///
    /// - Complexity: O(lines + cap) steps and O(bytes).
    package static func edits(from base: [UInt8], to text: [UInt8]) -> [Edit] {
        let common = base.commonPrefix(with: text)
        guard common < max(base.count, text.count) else { return [] }
        if let edit = changedLine(from: base, to: text, differingAt: common) { return [edit] }
        let (kept, keptText) = (keptForm(of: base), keptForm(of: text))
        let (old, new) = (Lines(kept), Lines(keptText))
        let hunks = hunks(old, new)
        let ends = TextEnds(base: base, isBaseShortened: kept.count > base.count, isTextShortened: keptText.count > text.count)
        guard let last = hunks.last, last.old.upperBound == old.count else {
            return hunks.map { $0.edit(old, new) } + ends.change
        }
        return hunks.dropLast().map { $0.edit(old, new) } + [ends.shown(last.edit(old, new))]
    }

    /// The text that the walk keeps for a text: the same, with an LF if it has lines and the last
    /// one is not terminated.
    private static func keptForm(of text: [UInt8]) -> [UInt8] {
        text.isEmpty || text.last == UInt8(ascii: "\n") ? text : text + [UInt8(ascii: "\n")]
    }

    /// How two texts end, compared with their kept sequences.
    private struct TextEnds {
        let base: [UInt8]
        let isBaseShortened: Bool
        let isTextShortened: Bool

        /// The edit if the last lines are equal: it adds or removes the last LF, if necessary.
        var change: [Edit] {
            if isBaseShortened == isTextShortened { return [] }
            return isBaseShortened
                ? [Edit(start: base.count, end: base.count, replacement: [UInt8(ascii: "\n")])]
                : [Edit(start: base.count - 1, end: base.count, replacement: [])]
        }

        /// The last edit of the kept sequence as one of the base.
        func shown(_ edit: Edit) -> Edit {
            var replacement = edit.replacement
            if isTextShortened, !replacement.isEmpty { replacement.removeLast() }
            if edit.start > base.count {
                // Only the LF that the base does not show is before the edit.
                return Edit(start: base.count, end: base.count, replacement: [UInt8(ascii: "\n")] + replacement)
            }
            // A text that ends where the edit starts does not show the LF before it.
            let start = isTextShortened && replacement.isEmpty && edit.replacement.isEmpty ? edit.start - 1 : edit.start
            return Edit(start: start, end: base.count, replacement: replacement)
        }
    }

    /// The edit if one line became another, both with their LF, and all else is the same; otherwise
    /// nil.
    ///
    /// A shortcut for what most saves are. The general steps would find the same edit: nothing is
    /// left to match between the common lines, and a hunk that both adds and removes does not move.
    private static func changedLine(from base: [UInt8], to text: [UInt8], differingAt offset: Int) -> Edit? {
        let newline = UInt8(ascii: "\n")
        guard let oldEnd = base.firstOffset(of: newline, from: offset), let newEnd = text.firstOffset(of: newline, from: offset),
            base.count - oldEnd == text.count - newEnd, base.commonSuffix(with: text) >= base.count - oldEnd
        else { return nil }
        let start = (base[..<offset].lastIndex(of: newline) ?? -1) + 1
        return Edit(start: start, end: oldEnd + 1, replacement: Array(text[start...newEnd]))
    }

    /// The differing regions, ascending, with at least one equal line between any two.
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
        return placed(hunks, old, new)
    }

    /// Pairs of equal lines, ascending in both texts: as many as Myers' algorithm finds below its
    /// cap.
    private static func matches(_ old: Lines, _ oldRange: Range<Int>, _ new: Lines, _ newRange: Range<Int>) -> [(Int, Int)] {
        guard !oldRange.isEmpty, !newRange.isEmpty else { return [] }
        // The first lines of both ranges differ, so one line against one has nothing to match.
        if oldRange.count == 1, newRange.count == 1 { return [] }
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

    /// Moves the hunks that only add or only remove to their final places (step 4), and joins hunks
    /// that then touch.
    private static func placed(_ hunks: [LineHunk], _ old: Lines, _ new: Lines) -> [LineHunk] {
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

/// A range of lines of the base that became a range of lines of the text. At most one of the two is
/// empty.
package struct LineHunk: Hashable {
    /// The lines of the base.
    package var old: Range<Int>
    /// The lines of the text.
    package var new: Range<Int>

    package init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }

    /// The edit that the hunk is, in bytes.
    func edit(_ oldLines: Lines, _ newLines: Lines) -> Edit {
        Edit(start: oldLines.bounds[old.lowerBound], end: oldLines.bounds[old.upperBound], replacement: Array(newLines[new]))
    }

    /// Whether the hunk could as well be one line higher: it only adds or only removes, and its
    /// last line equals the line above it.
    func canRise(_ oldLines: Lines, _ newLines: Lines) -> Bool {
        if old.isEmpty { return newLines[new.upperBound - 1] == oldLines[old.lowerBound - 1] }
        if new.isEmpty { return oldLines[old.upperBound - 1] == oldLines[old.lowerBound - 1] }
        return false
    }

    /// Whether the hunk could as well be one line lower: it only adds or only removes, and its
    /// first line equals the line below it.
    func canSink(_ oldLines: Lines, _ newLines: Lines) -> Bool {
        if old.isEmpty { return newLines[new.lowerBound] == oldLines[old.upperBound] }
        if new.isEmpty { return oldLines[old.lowerBound] == oldLines[old.upperBound] }
        return false
    }

    /// Moves the hunk down by some lines (up if negative).
    mutating func move(by lines: Int) {
        old = old.lowerBound + lines..<old.upperBound + lines
        new = new.lowerBound + lines..<new.upperBound + lines
    }

    /// This hunk and the next one, which follows without a line in between, as one.
    func joined(_ next: LineHunk) -> LineHunk {
        LineHunk(old: old.lowerBound..<next.old.upperBound, new: new.lowerBound..<next.new.upperBound)
    }
}
