import NoteText
import TextMerge

/// The renaming of a heading: the edits of its text, and those of fragments that mean it.
struct HeadingRename {
    /// The text with the heading, before.
    private let before: Sections
    private let after: Sections
    private let section: Sections.Section
    /// The bytes of the title.
    let titleRange: Range<Int>
    private let title: [UInt8]

    /// - Returns: nil if a heading cannot have this title.
    init?(_ section: Sections.Section, in text: [UInt8], to title: [UInt8]) {
        guard let range = Self.titleRange(of: section, in: text) else { return nil }
        let title = Array(Headings.trimmed(title[...]))
        guard !title.isEmpty, !title.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { return nil }
        (self.section, self.title, titleRange) = (section, title, range)
        before = Sections(text)
        after = Sections(text[..<range.lowerBound] + title + text[range.upperBound...])
    }

    /// The bytes of a heading's title; nil if it has none.
    static func titleRange(of section: Sections.Section, in text: [UInt8]) -> Range<Int>? {
        let title = Headings.trimmed(Headings.trimmed(text[section.line]).dropFirst(section.level))
        return title.isEmpty ? nil : title.startIndex..<title.endIndex
    }

    /// The edit of the heading.
    var titleEdit: Edit { Edit(start: titleRange.lowerBound, end: titleRange.upperBound, replacement: title) }

    /// The edits of the fragments of links that mean the note with the heading, in the order of the links.
    ///
    /// - Returns: also the number of fragments that mean the heading and cannot mean it with its new title.
    func edits(of links: some Sequence<Link>, in text: [UInt8]) -> (edits: [Edit], lost: Int) {
        var found: (edits: [Edit], lost: Int) = ([], 0)
        for link in links {
            guard let fragment = link.fragment, let part = part(of: fragment.utf8) else { continue }
            let written = link.kind == .path || link.kind == .id ? LinkFragment.path(title) : LinkFragment.wiki(title)
            let renamed = fragment.utf8[..<part.lowerBound] + written.utf8
            guard !written.isEmpty, let start = Self.start(of: fragment.utf8, after: link.range.upperBound, in: text),
                after.range(of: ByteString(validUTF8: Array(renamed)))?.line.lowerBound == section.line.lowerBound
            else {
                found.lost += 1
                continue
            }
            guard !written.utf8.elementsEqual(fragment.utf8[part]) else { continue }
            found.edits.append(
                Edit(start: start + part.lowerBound, end: start + part.upperBound, replacement: Array(written.utf8)))
        }
        return found
    }

    /// The part of a fragment that means the heading: in `a#b`, `b` is a heading in the section `a`.
    private func part(of fragment: [UInt8]) -> Range<Int>? {
        guard fragment.first != UInt8(ascii: "^") else { return nil }
        for part in fragment.split(separator: UInt8(ascii: "#")) {
            let path = ByteString(validUTF8: Array(fragment[..<part.endIndex]))
            if before.range(of: path)?.line == section.line { return part.startIndex..<part.endIndex }
        }
        return nil
    }

    /// Where a fragment begins, after its target.
    private static func start(of fragment: [UInt8], after target: Int, in text: [UInt8]) -> Int? {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let mark = text[target...].firstIndex(where: { !isSpace($0) }), text[mark] == UInt8(ascii: "#"),
            let start = fragment.first.map(isSpace) == true
                ? mark + 1 : text[(mark + 1)...].firstIndex(where: { !isSpace($0) }),
            text[start...].starts(with: fragment)
        else { return nil }
        return start
    }
}

extension Edit {
    /// The text with edits that are in order and apart.
    static func applying(_ edits: [Edit], to text: [UInt8]) -> [UInt8] {
        var edited: [UInt8] = []
        var offset = 0
        for edit in edits {
            edited += text[offset..<edit.start] + edit.replacement
            offset = edit.end
        }
        return edited + text[offset...]
    }
}
