package import TextMerge

/// The edits that a client states for what a user did to a text.
///
/// The edits are whole lines, from line start to line start. They are words only where lines became
/// as many lines, each alike its former self (`isAlike`). So what the daemon merges character by
/// character with the writes of others is what the user did, and not a coincidence of equal letters.
package enum StatedDiff {
    /// The edits that turn `old` into `new`: ascending, not touching, none empty. No edit divides a
    /// UTF-8 character.
    ///
    /// - Parameter caret: the offset in `new` at which the user typed last. Where an insertion or a
    ///   removal inside a line could be at several places with the same result, it is placed there.
    /// - Precondition: both texts are UTF-8.
    /// - Complexity: that of `LineDiff.hunks`, and that of `Words.hunks` for each changed line.
    package static func edits(from old: [UInt8], to new: [UInt8], caret: Int? = nil) -> [Edit] {
        guard !old.isSame(as: new) else { return [] }
        let (oldLines, newLines) = (Lines(old), Lines(new))
        var edits: [Edit] = []
        for hunk in hunks(oldLines, newLines) {
            let pairs = Array(zip(hunk.old, hunk.new))
            if hunk.old.count == hunk.new.count, pairs.allSatisfy({ isAlike(Array(oldLines[$0]), Array(newLines[$1])) }) {
                for (line, other) in pairs {
                    let place = caret.map { $0 - newLines.bounds[other] }
                    edits += inside(Array(oldLines[line]), Array(newLines[other]), caret: place)
                        .map { $0.moved(by: oldLines.bounds[line]) }
                }
            } else {
                edits.append(whole(hunk, oldLines, newLines))
            }
        }
        return edits.normalized()
    }

    /// The regions in which two texts differ. Where a line moved over another one, the first of the two
    /// is removed and put after the other.
    static func hunks(_ old: Lines, _ new: Lines) -> [LineHunk] {
        // The line diff prefers to take lines of its second text.
        LineDiff.hunks(new, old).flatMap { parts(of: LineHunk(old: $0.new, new: $0.old), old, new) }
    }

    /// A hunk, divided at lines in which only text was inserted, or from which only text was removed, if
    /// all lines of the shorter side that are not blank are such lines. Someone who typed at the end of
    /// a line and began another one did not replace the line.
    private static func parts(of hunk: LineHunk, _ old: Lines, _ new: Lines) -> [LineHunk] {
        let isGrowth = hunk.old.count <= hunk.new.count
        let (few, many) = isGrowth ? (hunk.old, hunk.new) : (hunk.new, hunk.old)
        let (fewer, more) = isGrowth ? (old, new) : (new, old)
        var pairs: [(few: Int, many: Int)] = []
        var next = many.lowerBound
        for line in few where fewer[line].contains(where: { $0 > 0x20 }) {
            guard pairs.count < partsMax,
                let other = (next..<many.upperBound).first(where: {
                    more[$0].count > fewer[line].count && span(Array(fewer[line]), Array(more[$0])).isOneStep
                })
            else { return [hunk] }
            pairs.append((line, other))
            next = other + 1
        }
        var parts: [LineHunk] = []
        var from = (few: few.lowerBound, many: many.lowerBound)
        func add(_ few: Range<Int>, _ many: Range<Int>) {
            guard !few.isEmpty || !many.isEmpty else { return }
            parts.append(isGrowth ? LineHunk(old: few, new: many) : LineHunk(old: many, new: few))
        }
        for pair in pairs {
            add(from.few..<pair.few, from.many..<pair.many)
            add(pair.few..<pair.few + 1, pair.many..<pair.many + 1)
            from = (pair.few + 1, pair.many + 1)
        }
        add(from.few..<few.upperBound, from.many..<many.upperBound)
        return parts
    }

    private static let newline = UInt8(ascii: "\n")

    /// Most lines at which a hunk is divided; a longer hunk is one change.
    private static let partsMax = 200

    /// The edits that turn `old` into `new`, as short as comparing words makes them, so that offsets
    /// in the text between them keep their places.
    ///
    /// - Complexity: that of `edits(from:to:caret:)`, and that of `Words.hunks` for each edit.
    package static func shortEdits(from old: [UInt8], to new: [UInt8]) -> [Edit] {
        edits(from: old, to: new).flatMap { edit in
            guard edit.start < edit.end, !edit.replacement.isEmpty else { return [edit] }
            return words(Array(old[edit.start..<edit.end]), edit.replacement).map { $0.moved(by: edit.start) }
        }.normalized()
    }

    /// A hunk as an edit of whole lines. A line without LF at the end of a text is left where it is, as
    /// far as the bytes are the same: its neighbours would otherwise change with it.
    private static func whole(_ hunk: LineHunk, _ old: Lines, _ new: Lines) -> Edit {
        let edit = Edit(
            start: old.bounds[hunk.old.lowerBound], end: old.bounds[hunk.old.upperBound], replacement: Array(new[hunk.new]))
        let isOpen =
            hunk.old.upperBound == old.count && old.endsUnterminated || hunk.new.upperBound == new.count && new.endsUnterminated
        guard isOpen else { return edit }
        return edit.trimmingCommonPrefix(in: old.text).trimmingCommonSuffix(in: old.text)
    }

    /// Whether a line is another one changed, and not another line: one insertion or removal makes
    /// the difference, or the lines share half of the words of the shorter and a third of those of
    /// the longer.
    ///
    /// - Complexity: O(bytes).
    static func isAlike(_ line: [UInt8], _ other: [UInt8]) -> Bool {
        let (counts, others) = (Words(line).counts, Words(other).counts)
        guard !counts.isEmpty, !others.isEmpty else { return false }
        if span(line, other).isOneStep { return true }
        let common = counts.reduce(0) { $0 + min($1.value, others[$1.key] ?? 0) }
        let (count, otherCount) = (counts.values.reduce(0, +), others.values.reduce(0, +))
        return 2 * common >= min(count, otherCount) && 3 * common >= max(count, otherCount)
    }

    /// The edits that turn a line into a line that is alike, relative to the line.
    static func inside(_ line: [UInt8], _ other: [UInt8], caret: Int? = nil) -> [Edit] {
        let span = span(line, other)
        guard span.isOneStep else { return words(line, other) }
        let (old, new) = (span.prefix..<line.count - span.suffix, span.prefix..<other.count - span.suffix)
        let (long, piece) = old.isEmpty ? (other, new) : (line, old)
        guard !piece.isEmpty else { return [] }
        let start = place(of: piece, in: long, caret: caret.map { old.isEmpty ? $0 - piece.count : $0 })
        if old.isEmpty { return [Edit(start: start, end: start, replacement: Array(other[start..<start + piece.count]))] }
        return [Edit(start: start, end: start + piece.count, replacement: [])]
    }

    /// A line without its end, and its words.
    struct WordLine {
        let bytes: [UInt8]
        let words: [ArraySlice<UInt8>]

        init(_ line: ArraySlice<UInt8>) {
            bytes = Array(line.last == newline ? line.dropLast() : line)
            words = Words(bytes).visible
        }
    }

    /// Whether a line may be another one, of two words or more, that is elsewhere: with one insertion or one
    /// removal, or with all words of the shorter one.
    static func mayBeMoved(_ line: WordLine, _ other: WordLine) -> Bool {
        line.words.count > 1 && other.words.count > 1 && (span(line.bytes, other.bytes).isOneStep || isGrown(line, other))
    }

    /// Whether each word of a line is, or begins, a word of another one, in the same order, or each of two
    /// words or more of the other one is in the line.
    static func isGrown(_ line: WordLine, _ other: WordLine) -> Bool {
        func isPart(_ few: [ArraySlice<UInt8>], of many: [ArraySlice<UInt8>]) -> Bool {
            guard few.count <= many.count else { return false }
            var rest = few[...]
            for word in many { if let next = rest.first, word.starts(with: next) { rest.removeFirst() } }
            return rest.isEmpty
        }
        return !line.words.isEmpty && isPart(line.words, of: other.words)
            || other.words.count > 1 && isPart(other.words, of: line.words)
    }

    /// The only line of a text that a line of another one may be; nil if there are several, or if it may
    /// also be another line. The lines that both texts share at both ends do not count.
    ///
    /// - Complexity: O(bytes).
    static func onlyLine(for number: Int, of old: Lines, in new: Lines) -> Int? {
        let prefix = old.commonLines(atStartOf: new)
        let suffix = old.commonLines(atEndOf: new, below: prefix)
        let line = WordLine(old[number])
        let places = (prefix..<new.count - suffix).filter { mayBeMoved(line, WordLine(new[$0])) }
        guard places.count == 1 else { return nil }
        let other = WordLine(new[places[0]])
        let isOther = (prefix..<old.count - suffix).contains {
            $0 != number && (old[$0] == new[places[0]] || mayBeMoved(WordLine(old[$0]), other))
        }
        return isOther ? nil : places[0]
    }

    /// The edits that turn a word into another one: the letters that were typed or removed, if only one of
    /// the two happened, otherwise what is between the ends that the words have in common.
    static func letters(_ word: [UInt8], _ other: [UInt8]) -> [Edit] {
        let edits = parts(Words(characters: word), Words(characters: other))
        if edits.allSatisfy({ $0.start == $0.end }) || edits.allSatisfy(\.replacement.isEmpty) { return edits }
        let span = span(word, other)
        let middle = other[span.prefix..<other.count - span.suffix]
        return [Edit(start: span.prefix, end: word.count - span.suffix, replacement: Array(middle))]
    }

    /// The bytes that two lines have in common at both ends, in whole characters.
    private struct Span {
        let prefix: Int
        let suffix: Int
        /// Whether one line is the other with one insertion.
        let isOneStep: Bool
    }

    private static func span(_ line: [UInt8], _ other: [UInt8]) -> Span {
        let shortest = min(line.count, other.count)
        var prefix = 0
        while prefix < shortest, line[prefix] == other[prefix] { prefix += 1 }
        while prefix > 0, [line, other].contains(where: { prefix < $0.count && $0[prefix].isContinuation }) { prefix -= 1 }
        var suffix = 0
        while suffix < shortest - prefix, line[line.count - 1 - suffix] == other[other.count - 1 - suffix] { suffix += 1 }
        while suffix > 0, line[line.count - suffix].isContinuation { suffix -= 1 }
        return Span(prefix: prefix, suffix: suffix, isOneStep: prefix + suffix == shortest)
    }

    /// The start of a piece of a line that may as well be further left: `caret` if it may be there,
    /// otherwise the start of a word if one is in reach.
    private static func place(of piece: Range<Int>, in line: [UInt8], caret: Int?) -> Int {
        func isEdge(_ offset: Int) -> Bool {
            offset == 0 || offset >= line.count || !Words.isPartOfWord(line[offset - 1]) || !Words.isPartOfWord(line[offset])
        }
        var start = piece.lowerBound
        if let caret, caret >= 0, caret < start, !line[caret].isContinuation,
            line[caret..<start].elementsEqual(line[caret + piece.count..<start + piece.count])
        {
            return caret
        }
        if start == caret { return start }
        while start > 0, !isEdge(start), line[start - 1] == line[start - 1 + piece.count] { start -= 1 }
        return isEdge(start) ? start : piece.lowerBound
    }

    private static func words(_ line: [UInt8], _ other: [UInt8]) -> [Edit] { parts(Words(line), Words(other)) }

    private static func parts(_ old: Words, _ new: Words) -> [Edit] {
        Words.hunks(old, new).map { hunk in
            Edit(
                start: old.bounds[hunk.old.lowerBound], end: old.bounds[hunk.old.upperBound], replacement: Array(new[hunk.new]))
        }
    }
}

extension Edit {
    /// The edit, moved to a text in which everything is `offset` bytes further on.
    func moved(by offset: Int) -> Edit { Edit(start: start + offset, end: end + offset, replacement: replacement) }
}
