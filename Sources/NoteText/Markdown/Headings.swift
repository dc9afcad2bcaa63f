package import TextMerge

/// A heading that begins with `#`.
package struct Heading: Hashable, Sendable {
    /// The number of its line, from 0, where lines end with LF.
    package let line: Int
    /// The number of `#`, from 1 to 6.
    package let level: Int
    /// The heading without its marks and the white space around it.
    package let title: [UInt8]
}

/// The headings of a text that begin with `#`, outside front matter and fenced code.
package enum Headings {
    /// The headings in order.
    ///
    /// - Complexity: O(bytes).
    package static func of(_ lines: Lines) -> [Heading] {
        guard lines.text.firstOffset(of: UInt8(ascii: "#"), from: 0) != nil else { return [] }
        let body = FrontMatter.bodyStart(of: lines.text)
        var headings: [Heading] = []
        var fence: [UInt8]?
        for number in 0..<lines.count where lines.bounds[number] >= body {
            let line = trimmed(lines[number])
            if let open = fence {
                // A fence ends at a line of at least as many of its marks and nothing else.
                if line.starts(with: open), line.allSatisfy({ $0 == open[0] }) { fence = nil }
                continue
            }
            if let mark = line.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") {
                let run = line.prefix { $0 == mark }
                if run.count >= 3 { fence = Array(run) }
                continue
            }
            let level = line.prefix { $0 == UInt8(ascii: "#") }.count
            guard (1...6).contains(level), let space = line.dropFirst(level).first, space == UInt8(ascii: " ") else { continue }
            headings.append(Heading(line: number, level: level, title: Array(trimmed(line.dropFirst(level)))))
        }
        return headings
    }

    /// The bytes without white space at both ends.
    package static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let rest = line.drop(while: isSpace)
        return rest[..<(rest.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? rest.startIndex)]
    }
}
