import TextMerge

/// A line divided into words, white space and single marks.
///
/// A word consists of ASCII letters, digits, `_` and characters of two bytes or more. Characters
/// from U+3000 on are words of their own, because most scripts there use no spaces.
struct Words {
    /// The offsets at which the parts start, relative to the line, followed by its length.
    let bounds: [Int]
    private let line: [UInt8]

    private enum Kind { case word, space, mark, character }

    /// - Complexity: O(line).
    init(_ line: [UInt8]) {
        var bounds: [Int] = []
        var last: Kind?
        for (offset, byte) in line.enumerated() where !byte.isContinuation || offset == 0 {
            let kind = Self.kind(of: byte)
            if kind != last || kind == .mark || kind == .character { bounds.append(offset) }
            last = kind
        }
        self.line = line
        self.bounds = bounds + [line.count]
    }

    /// A text of which every character is a part.
    init(characters text: [UInt8]) {
        line = text
        bounds = text.indices.filter { !text[$0].isContinuation || $0 == 0 } + [text.count]
    }

    var count: Int { bounds.count - 1 }

    subscript(index: Int) -> ArraySlice<UInt8> { line[bounds[index]..<bounds[index + 1]] }

    subscript(range: Range<Int>) -> ArraySlice<UInt8> { line[bounds[range.lowerBound]..<bounds[range.upperBound]] }

    /// The parts without white space.
    var visible: [ArraySlice<UInt8>] { (0..<count).filter { Self.kind(of: line[bounds[$0]]) != .space }.map { self[$0] } }

    /// The number of times that each part occurs, without white space.
    var counts: [ArraySlice<UInt8>: Int] { visible.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    static func isPartOfWord(_ byte: UInt8) -> Bool { byte.isContinuation || [.word, .character].contains(kind(of: byte)) }

    private static func kind(of byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "_"), 0x80..<0xE3:
            .word
        case 0x09...0x0D, 0x20: .space
        case 0xE3...: .character
        default: .mark
        }
    }

    /// The regions in which two lines differ, as ranges of parts.
    ///
    /// - Complexity: O((n + m) d) steps for d differing parts, at most `stepsMax`.
    static func hunks(_ old: Words, _ new: Words) -> [LineHunk] {
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ part: ArraySlice<UInt8>) -> Int {
            let number = numbers[part] ?? numbers.count
            numbers[part] = number
            return number
        }
        let (olds, news) = ((0..<old.count).map { number(old[$0]) }, (0..<new.count).map { number(new[$0]) })
        var hunks: [LineHunk] = []
        var from = (old: 0, new: 0)
        for match in MyersDiff.matches(olds, news, stepsMax: stepsMax) + [(old.count, new.count)] {
            if from.old < match.0 || from.new < match.1 {
                hunks.append(LineHunk(old: from.old..<match.0, new: from.new..<match.1))
            }
            from = (match.0 + 1, match.1 + 1)
        }
        return hunks
    }

    /// Steps after which a comparison of words ends and leaves the rest unmatched.
    private static let stepsMax = 20_000
}
