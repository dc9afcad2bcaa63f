import NoteText
import TextMerge

/// The sections of a text: each from a heading to the next one of its level or a higher one.
struct Sections {
    struct Section: Hashable {
        let level: Int
        /// The heading without its marks.
        let title: [UInt8]
        /// The bytes of the heading's line without its end.
        let line: Range<Int>
        /// The bytes of the section, with its heading and the sections in it.
        let range: Range<Int>
    }

    let all: [Section]
    private let lines: Lines

    /// - Complexity: O(bytes + headings).
    init(_ text: [UInt8]) {
        let lines = Lines(text)
        let headings = Headings.of(lines)
        var ends = Array(repeating: text.count, count: headings.count)
        var open: [Int] = []
        for (index, heading) in headings.enumerated() {
            while let last = open.last, headings[last].level >= heading.level {
                ends[last] = lines.bounds[heading.line]
                open.removeLast()
            }
            open.append(index)
        }
        all = zip(headings, ends).map { heading, end in
            let bounds = lines.bounds[heading.line]..<lines.bounds[heading.line + 1]
            let line = text[bounds].reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            return Section(
                level: heading.level, title: heading.title, line: bounds.lowerBound..<bounds.lowerBound + line.count,
                range: bounds.lowerBound..<end)
        }
        self.lines = lines
    }

    /// The section that has its heading on the line of an offset.
    func section(withHeadingAt offset: Int) -> Section? {
        all.first { $0.line.lowerBound <= offset && offset <= $0.line.upperBound }
    }

    /// The bytes that the fragment of a link means: a section, or the line of a block that ends with `^name`.
    ///
    /// In `a#b`, the section `b` is in the section `a`. Headings are compared by their letters and digits, in
    /// any case, so that both `My heading` and `my-heading` mean "My heading".
    func range(of fragment: ByteString) -> (line: Range<Int>, range: Range<Int>)? {
        if fragment.utf8.first == UInt8(ascii: "^") { return block(fragment) }
        var outer = 0..<lines.text.count
        var found: Section?
        for part in fragment.utf8.split(separator: UInt8(ascii: "#")) {
            let wanted = Self.key(LinkFragment.decoded(Array(part)))
            let inside = all.first { outer.contains($0.line.lowerBound) && $0 != found && Self.key($0.title) == wanted }
            guard let section = inside else { return nil }
            (found, outer) = (section, section.range)
        }
        return found.map { ($0.line, $0.range) }
    }

    private func block(_ mark: ByteString) -> (line: Range<Int>, range: Range<Int>)? {
        for number in 0..<lines.count {
            let line = Headings.trimmed(lines[number])
            guard line.suffix(mark.utf8.count).elementsEqual(mark.utf8) else { continue }
            let before = line.dropLast(mark.utf8.count)
            guard before.last.map({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) ?? true else { continue }
            return (line.startIndex..<line.endIndex, line.startIndex..<line.endIndex)
        }
        return nil
    }

    /// The letters and digits of a heading or fragment, in lower case; all of it if it has none.
    private static func key(_ text: [UInt8]) -> String {
        let text = String(decoding: text, as: UTF8.self).lowercased()
        let key = text.filter { $0.isLetter || $0.isNumber }
        return key.isEmpty ? text : key
    }
}

/// Fragments of links, as they are written.
enum LinkFragment {
    /// A fragment without percent escapes.
    static func decoded(_ fragment: [UInt8]) -> [UInt8] {
        guard fragment.contains(UInt8(ascii: "%")),
            let path = FileURI.path(of: "file:///" + String(decoding: fragment, as: UTF8.self))
        else { return fragment }
        return Array(path.utf8.dropFirst())
    }

    /// The fragment for a heading in a wiki link: its title without the characters that end the target.
    static func wiki(_ title: [UInt8]) -> String {
        String(decoding: title, as: UTF8.self).split { " #|^[]\t".contains($0) }.joined(separator: " ")
    }

    /// The fragment for a heading in a path link, as GitHub makes it.
    static func path(_ title: [UInt8]) -> String {
        String(decoding: title, as: UTF8.self).lowercased().compactMap { character in
            if character == " " { return "-" }
            return character.isLetter || character.isNumber || "-_".contains(character) ? String(character) : nil
        }.joined()
    }
}
