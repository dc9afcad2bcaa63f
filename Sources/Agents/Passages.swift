import Console
import NoteText
import TextMerge

/// A passage of a text and what replaces it.
struct Passage: Hashable {
    let old: [UInt8]
    let new: [UInt8]
    /// How often `old` must occur. All occurrences are replaced.
    let count: Int
}

/// Why passages do not fit a text. The number counts the passages from 0.
enum PassageFault: Error, Hashable {
    case empty(Int)
    /// The number of occurrences, at most one more than `Passages.countMax`.
    case occurs(Int, times: Int)
    case overlaps(Int)
}

/// Finds passages in a text by their exact bytes.
enum Passages {
    /// Most occurrences of one passage.
    static let countMax = 1_000

    /// The edits that replace the passages. A passage may differ from the text in its line ends, since models
    /// write LF; if it then occurs too often, its exact bytes count. What replaces it has the line ends of its place.
    ///
    /// - Throws: `PassageFault` unless each passage occurs as often as it says, with occurrences that
    ///   overlap counted too, and no two occurrences overlap.
    static func edits(_ passages: [Passage], in text: [UInt8]) throws(PassageFault) -> [Edit] {
        var found: [(edit: Edit, index: Int)] = []
        for (index, passage) in passages.enumerated() {
            guard !passage.old.isEmpty else { throw .empty(index) }
            var places = places(ofLines: passage.old, in: text)
            if places.count != passage.count {
                let exact = offsets(of: passage.old, in: text)
                if exact.count == passage.count { places = exact.map { $0..<$0 + passage.old.count } }
            }
            guard places.count == passage.count else { throw .occurs(index, times: places.count) }
            for place in places {
                let new = LineEnds(ofLineAt: place.lowerBound, in: text).adapted(passage.new)
                found.append((Edit(start: place.lowerBound, end: place.upperBound, replacement: new), index))
            }
        }
        found.sort { ($0.edit.start, $0.index) < ($1.edit.start, $1.index) }
        for (one, next) in zip(found, found.dropFirst()) where next.edit.start < one.edit.end { throw .overlaps(next.index) }
        return found.map(\.edit)
    }

    /// The occurrences of a part, with CR LF and LF as equal.
    ///
    /// - Complexity: O(text + part).
    private static func places(ofLines part: [UInt8], in text: [UInt8]) -> [Range<Int>] {
        let (lines, starts) = withoutReturns(text)
        let (part, _) = withoutReturns(part)
        return offsets(of: part, in: lines).map { offset in
            let start = starts[offset]
            // A line end at the start of the part has its CR.
            let isAfterReturn = part[0] == UInt8(ascii: "\n") && start > 0 && text[start - 1] == UInt8(ascii: "\r")
            return start - (isAfterReturn ? 1 : 0)..<starts[offset + part.count - 1] + 1
        }
    }

    /// A text with LF for CR LF, and where each byte was.
    private static func withoutReturns(_ text: [UInt8]) -> (text: [UInt8], offsets: [Int]) {
        let kept = text.indices.filter {
            text[$0] != UInt8(ascii: "\r") || $0 + 1 == text.count || text[$0 + 1] != UInt8(ascii: "\n")
        }
        return (kept.map { text[$0] }, kept)
    }

    /// The offsets of the occurrences, ascending, overlapping ones too; of more than `countMax`, only one
    /// more.
    ///
    /// The algorithm is that of Knuth, Morris and Pratt (1977), so that no passage makes the search slow.
    /// - Precondition: `part` is not empty.
    /// - Complexity: O(text + part).
    private static func offsets(of part: [UInt8], in text: [UInt8]) -> [Int] {
        // For each prefix of the part, the length of its longest proper prefix that it also ends with.
        var borders = [0]
        for index in part.indices.dropFirst() {
            var length = borders[index - 1]
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            borders.append(part[index] == part[length] ? length + 1 : 0)
        }
        var offsets: [Int] = []
        var matched = 0
        for (index, byte) in text.enumerated() where offsets.count <= countMax {
            while matched > 0, matched == part.count || byte != part[matched] { matched = borders[matched - 1] }
            if byte == part[matched] { matched += 1 }
            if matched == part.count { offsets.append(index + 1 - matched) }
        }
        return offsets
    }

    /// The lines of a text that have the most words in common with the first line of a passage that
    /// has any, for an agent that remembers a text inexactly.
    static func nearest(to part: [UInt8], in text: [UInt8]) -> [(number: Int, text: [UInt8])] {
        let wanted = Lines(part)
        guard let words = (0..<min(wanted.count, linesMax)).lazy.map({ self.words(wanted[$0]) }).first(where: { !$0.isEmpty })
        else { return [] }
        let lines = Lines(text)
        let scores = (0..<min(lines.count, linesMax)).map { (line: $0, score: words.intersection(self.words(lines[$0])).count) }
        let best = scores.filter { $0.score > 0 }.sorted { ($1.score, $0.line) < ($0.score, $1.line) }.prefix(nearestMax)
        return best.sorted { $0.line < $1.line }.map { found in
            let line = lines[found.line]
            return (
                found.line + 1,
                ToolText.beginning(of: Array(line.last == UInt8(ascii: "\n") ? line.dropLast() : line), bytesMax: lineBytesMax)
            )
        }
    }

    private static func words(_ line: ArraySlice<UInt8>) -> Set<String> {
        let text = String(decoding: line.prefix(lineBytesMax * 4), as: UTF8.self).lowercased()
        return Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    /// Most lines that are compared.
    private static let linesMax = 20_000
    /// Lines in a message.
    private static let nearestMax = 3
    /// Bytes of a line in a message.
    private static let lineBytesMax = 200

    // MARK: Appending

    /// The edit that adds a text at the end of another, or at the end of the section under a heading.
    /// The added text starts on a new line and ends with a line feed.
    ///
    /// - Parameter heading: the heading without its marks; nil for the end of the text.
    /// - Returns: nil unless the text has exactly one such heading.
    static func addition(_ added: [UInt8], to text: [UInt8], under heading: [UInt8]? = nil) -> Edit? {
        let lines = Lines(text)
        var end = lines.count
        if let heading {
            let headings = Headings.of(lines)
            let found = headings.filter { $0.title == heading }
            guard found.count == 1, let section = found.first else { return nil }
            end = headings.first { $0.line > section.line && $0.level <= section.level }?.line ?? lines.count
            // Blank lines stay between the sections.
            while end > section.line + 1, isBlank(lines[end - 1]) { end -= 1 }
        }
        let offset = lines.bounds[end]
        let isOpen = offset > 0 && text[offset - 1] != UInt8(ascii: "\n")
        let closing: [UInt8] = added.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
        let addition = (isOpen ? [UInt8(ascii: "\n")] : []) + added + closing
        return Edit(start: offset, end: offset, replacement: LineEnds(of: text).adapted(addition))
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { Headings.trimmed(line).isEmpty }
}
