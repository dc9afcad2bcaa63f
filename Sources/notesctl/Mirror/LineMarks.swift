/// A text as a list of hashes of its lines: all that the mirror keeps of the texts that it put into a
/// file.
struct LineMarks: Hashable, Sendable {
    /// A line: 63 bits of a hash, and in the lowest bit whether the line *tells*. A line with at least
    /// eight letters and digits tells; blank lines, list marks and short words occur in any text.
    struct Line: Hashable, Sendable {
        let bits: UInt64

        init(bits: UInt64) {
            self.bits = bits
        }

        /// Hashes a line with FNV-1a. Collisions only make the rule less exact, and a person who can
        /// write the lines can write any text anyway.
        init(_ line: some Sequence<UInt8>) {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            var letters = 0
            for byte in line {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                let isLetter =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte >= 0xC0
                if isLetter { letters += 1 }
            }
            bits = hash & ~1 | (letters >= Self.lettersMin ? 1 : 0)
        }

        var tells: Bool { bits & 1 == 1 }

        /// Any number from 1 to 16 gave the same results with real notes.
        private static let lettersMin = 8
    }

    let lines: [Line]

    init(lines: [Line]) {
        self.lines = lines
    }

    init(_ text: [UInt8]) {
        var parts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        lines = parts.map { Line($0) }
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
}
