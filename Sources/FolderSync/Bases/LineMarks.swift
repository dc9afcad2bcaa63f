/// A text as a list of hashes of its lines: all that the mirror keeps of the texts that a file has had.
struct LineMarks: Hashable, Sendable {
    /// A line: 62 bits of a hash, and two bits about its letters. A *letter* is a letter or a digit.
    ///
    /// A line with at least eight letters *tells*; blank lines, list marks and short words occur in any
    /// text. A line without a letter, such as a blank line, is never missed.
    struct Line: Hashable, Sendable {
        let bits: UInt64

        init(bits: UInt64) {
            self.bits = bits
        }

        /// Hashes a line with FNV-1a. Collisions only make the rule less exact, and a person who can
        /// write the lines can write any text anyway.
        init(_ line: some Collection<UInt8>) {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in line { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            let letters = Letters.count(line)
            bits = hash & ~3 | (letters > 0 ? 2 : 0) | (letters >= Self.lettersMin ? 1 : 0)
        }

        /// Whether the line has at least eight letters.
        var tells: Bool { bits & 1 == 1 }
        /// Whether the line has any letter.
        var hasLetter: Bool { bits & 2 == 2 }

        /// Any number from 1 to 16 gave the same results with real notes.
        private static let lettersMin = 8
    }

    let lines: [Line]

    init(lines: [Line]) {
        self.lines = lines
    }

    init(_ text: [UInt8]) {
        lines = Self.split(text).map { Line($0) }
    }

    /// The lines of a text without their LF. An unterminated last line equals the same line with its LF.
    static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        return parts
    }

    /// The lines that tell.
    var telling: Set<Line> { Set(lines.filter(\.tells)) }

    /// How often each line occurs.
    var counts: [Line: Int] { lines.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    /// The lines that occur more often here than in another text, with the difference.
    func surplus(over other: LineMarks) -> [Line: Int] {
        let others = other.counts
        return counts.reduce(into: [:]) { result, line in
            let more = line.value - others[line.key, default: 0]
            if more > 0 { result[line.key] = more }
        }
    }

    /// The lines of this text, found in a text that has all of them in this order, and perhaps others.
    /// Nil if the other text lacks any.
    ///
    /// A joined text has all lines of the program's text from which the mirror made it (`TextJoin`), so
    /// the program's text can be read although no version has it.
    func found(in text: [UInt8]) -> [ArraySlice<UInt8>]? {
        let others = Self.split(text)
        return places(in: others).map { $0.map { others[$0] } }
    }

    /// The indices of the lines of this text in a text that has all of them in this order. Nil if it lacks any.
    func places(in others: [ArraySlice<UInt8>]) -> [Int]? {
        var places: [Int] = []
        for (index, line) in others.enumerated() where places.count < lines.count && Line(line) == lines[places.count] {
            places.append(index)
        }
        return places.count == lines.count ? places : nil
    }
}
