import Console
import NoteText

/// Renders Markdown for a terminal: styles marked text and wraps paragraphs. Markup that it does
/// not know is printed unchanged, so no text is lost.
struct RenderedText {
    let columns: Int
    let style: Style

    static let columnsDefault = 80
    private static let columnsMin = 20

    /// The lines of a text. Front matter stays as it is.
    func lines(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        let start = FrontMatter.bodyStart(of: bytes)
        guard start > 0 else { return bodyLines(text) }
        var matter = SafeText.text(String(decoding: bytes[..<start], as: UTF8.self))
        if matter.last == "\n" { matter.removeLast() }
        let lines = matter.split(separator: "\n", omittingEmptySubsequences: false).map { style.dim(String($0)) }
        let rest = String(decoding: bytes[start...], as: UTF8.self)
        let body = bodyLines(rest)
        // `bodyLines` leaves out blank lines at the beginning.
        let isSpaced = !body.isEmpty && rest.prefix { !$0.isNewline }.allSatisfy(\.isWhitespace)
        return lines + (isSpaced ? [""] : []) + body
    }

    private func bodyLines(_ text: String) -> [String] {
        var lines: [String] = []
        var paragraph: [String] = []
        var fence: String?
        func endParagraph() {
            if !paragraph.isEmpty { lines += wrapped(paragraph.joined(separator: " "), first: "", rest: "") }
            paragraph = []
        }
        for line in SafeText.text(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let bare = line.drop { $0 == " " }
            if let open = fence {
                let isEnd = bare.hasPrefix(open) && bare.allSatisfy { $0 == open.first || $0 == " " }
                if isEnd { fence = nil } else { lines.append("    " + style.cyan(line)) }
            } else if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
                endParagraph()
                fence = String(bare.prefix(3))
                let language = bare.drop { $0 == bare.first || $0 == " " }
                if !language.isEmpty { lines.append("    " + style.dim(String(language))) }
            } else if bare.isEmpty {
                endParagraph()
                if lines.last != "", !lines.isEmpty { lines.append("") }
            } else if let block = block(line) {
                endParagraph()
                lines += block
            } else {
                paragraph.append(String(bare))
            }
        }
        endParagraph()
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Renders a line that is a block by itself: a heading, a rule, a quote, a list item or
    /// indented code. Returns nil for a line of a paragraph.
    private func block(_ line: String) -> [String]? {
        let indent = String(repeating: " ", count: line.prefix { $0 == " " }.count)
        let bare = line.dropFirst(indent.count)
        if let match = bare.wholeMatch(of: /(#{1,6}) +(.*?) *#*/) {
            let title = wrapped(String(match.output.2), first: "", rest: "").map(Style.stripped)
            return title.map { match.output.1.count == 1 ? style.bold(style.underlined($0)) : style.bold($0) }
        }
        if bare.wholeMatch(of: /(\* *){3,}|(- *){3,}|(_ *){3,}/) != nil {
            return [style.dim(String(repeating: "─", count: max(Self.columnsMin, columns)))]
        }
        if let match = bare.wholeMatch(of: /> ?(.*)/) {
            let bar = indent + style.dim("│") + " "
            return wrapped(String(match.output.1), first: bar, rest: bar)
        }
        if let match = bare.wholeMatch(of: /([-*+]|[0-9]{1,9}[.)]) +(\[[ xX]\] +)?(.*)/) {
            let mark = match.output.1.count == 1 ? "•" : String(match.output.1)
            let box = match.output.2.map { $0.contains(" ]") ? "☐ " : "☑ " } ?? ""
            let first = indent + mark + " " + box
            return wrapped(
                String(match.output.3), first: first, rest: String(repeating: " ", count: DisplayWidth.of(first)))
        }
        if bare.hasPrefix("|") { return [line] }
        return indent.count >= 4 ? [indent + style.cyan(String(bare))] : nil
    }

    /// Fills lines with words; a word longer than a line gets a line to itself.
    private func wrapped(_ text: String, first: String, rest: String) -> [String] {
        var lines: [String] = []
        var line = first
        var used = DisplayWidth.of(Style.stripped(first))
        var isEmpty = true
        for word in inline(text) {
            let width = DisplayWidth.of(Style.stripped(word))
            if !isEmpty, used + 1 + width > max(Self.columnsMin, columns) {
                lines.append(line)
                (line, used, isEmpty) = (rest, DisplayWidth.of(Style.stripped(rest)), true)
            }
            line += (isEmpty ? "" : " ") + word
            used += (isEmpty ? 0 : 1) + width
            isEmpty = false
        }
        return lines + [line]
    }

    /// The words of a text with inline markup styled. Each word is styled separately, so that a
    /// line can break after any of them.
    private func inline(_ text: String) -> [String] {
        var words: [String] = []
        /// Whether the next part continues the last word.
        var isJoined = false
        func append(_ part: Substring, _ paint: (String) -> String) {
            for (index, word) in part.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { isJoined = false }
                guard !word.isEmpty else { continue }
                if isJoined, let last = words.popLast() {
                    words.append(last + paint(String(word)))
                } else {
                    words.append(paint(String(word)))
                }
                isJoined = true
            }
        }
        var rest = text[...]
        while let match = rest.firstMatch(of: Self.marks) {
            append(rest[..<match.range.lowerBound]) { $0 }
            let (_, code, strong, emphasis, label, link, bare) = match.output
            if let code { append(code, style.cyan) }
            if let strong { append(strong, style.bold) }
            if let emphasis { append(emphasis, style.italic) }
            if let label { append(label, style.underlined) }
            if let link { append(" (\(link))"[...], style.dim) }
            if let bare { append(bare, style.underlined) }
            rest = rest[match.range.upperBound...]
        }
        append(rest) { $0 }
        return words
    }

    /// Code, strong text, emphasis, links with a label, and bare links.
    private static var marks: Regex<(Substring, Substring?, Substring?, Substring?, Substring?, Substring?, Substring?)> {
        /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s)>]+)/
    }
}
