/// Finds the links of one paragraph in one pass, with a stack of open brackets as in CommonMark's
/// appendix.
struct LinkScanner {
    /// The number of bytes that were examined.
    private(set) var steps = 0

    private let text: [UInt8]
    private let paragraph: ArraySlice<UInt8>
    private var spans: CodeSpans
    private var found: [Link] = []
    private var offset: Int
    /// The offsets of open `[` and `![`.
    private var brackets: [(offset: Int, isImage: Bool)] = []
    /// The brackets below this index contain a link already, and only images may contain links.
    private var dead = 0
    /// The offset of an open `[[` on this line.
    private var wiki: Int?
    /// Comments from this offset on are known not to end in this paragraph.
    private var openComment: Int

    init(_ paragraph: ArraySlice<UInt8>, of text: [UInt8]) {
        self.text = text
        self.paragraph = paragraph
        spans = CodeSpans(in: paragraph)
        offset = paragraph.startIndex
        openComment = paragraph.endIndex
    }

    /// The links, not sorted: at most the first `LinkLimits.linksMax` reference definitions and as many
    /// other links.
    mutating func links() -> [Link] {
        readDefinitions()
        let most = found.count + LinkLimits.linksMax
        while offset < paragraph.endIndex, found.count < most {
            steps += 1
            let start = offset
            offset += 1
            switch paragraph[start] {
            case UInt8(ascii: "\n"): wiki = nil
            case UInt8(ascii: "\\"): if let next = byte(at: offset), isPunctuation(next) { offset += 1 }
            case UInt8(ascii: "`"): readCode(from: start)
            case UInt8(ascii: "<"): readComment(from: start)
            case UInt8(ascii: "!") where byte(at: offset) == UInt8(ascii: "[") && byte(at: offset + 1) != UInt8(ascii: "["):
                offset += 1
                brackets.append((start, true))
            case UInt8(ascii: "["):
                brackets.append((start, false))
                if byte(at: offset) == UInt8(ascii: "[") { wiki = start }
            case UInt8(ascii: "]"): closeBracket(at: start)
            default: break
            }
        }
        return found
    }

    private func byte(at offset: Int) -> UInt8? { offset < paragraph.endIndex ? paragraph[offset] : nil }

    // MARK: - Code, comments and autolinks

    private mutating func readCode(from start: Int) {
        if let end = spans.end(ofSpanAt: start) {
            steps += end - start
            offset = end
        } else {
            while byte(at: offset) == UInt8(ascii: "`") { offset += 1 }
        }
    }

    private mutating func readComment(from start: Int) {
        if start < openComment, paragraph[start...].starts(with: "<!--".utf8) {
            var end = start + 4
            while end < paragraph.endIndex, !paragraph[end...].starts(with: "-->".utf8) { end += 1 }
            steps += end - start
            if end < paragraph.endIndex {
                offset = end + 3
                wiki = nil
            } else {
                openComment = start
            }
            return
        }
        // An autolink is a scheme of 2 to 32 characters, a colon, and no white space.
        let scheme = paragraph[offset...].prefix(33).prefix { isLetter($0) || isDigit($0) || "+.-".utf8.contains($0) }
        guard let first = scheme.first, isLetter(first), (2...32).contains(scheme.count),
            byte(at: scheme.endIndex) == UInt8(ascii: ":")
        else { return }
        let rest = paragraph[scheme.endIndex...].prefix {
            $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
        }
        steps += rest.count
        if byte(at: rest.endIndex) == UInt8(ascii: ">") { offset = rest.endIndex + 1 }
    }

    // MARK: - Brackets

    private mutating func closeBracket(at start: Int) {
        if let open = wiki, byte(at: start + 1) == UInt8(ascii: "]"), start >= open + 2 {
            return closeWiki(open: open, at: start)
        }
        guard let bracket = brackets.popLast() else { return }
        let isAlive = bracket.isImage || brackets.count >= dead
        dead = min(dead, brackets.count)
        guard isAlive, let (destination, end) = destination(after: offset) else { return }
        if var link = destination.link(in: paragraph) {
            link.isImage = bracket.isImage
            found.append(link)
        }
        offset = end
        if !bracket.isImage { dead = brackets.count }
        if let open = wiki, bracket.offset <= open { wiki = nil }
    }

    private mutating func closeWiki(open: Int, at start: Int) {
        wiki = nil
        while let last = brackets.last, last.offset >= open { brackets.removeLast() }
        dead = min(dead, brackets.count)
        offset = start + 2
        if let (destination, end) = destination(after: offset) {
            // `[[1]](target)` is a link of CommonMark.
            destination.link(in: paragraph).map { found.append($0) }
            offset = end
            return
        }
        let isEmbed = open > paragraph.startIndex && paragraph[open - 1] == UInt8(ascii: "!")
        WikiLinkScanner.link(inside: open + 2..<start, isEmbed: isEmbed, in: text).map { found.append($0) }
    }

    /// The destination in `(destination "title")`, and the offset after it.
    private mutating func destination(after start: Int) -> (LinkDestination, end: Int)? {
        guard byte(at: start) == UInt8(ascii: "(") else { return nil }
        let begin = skipBlanks(from: start + 1)
        guard let destination = LinkDestination.read(in: paragraph, at: begin, countingSteps: &steps) else { return nil }
        let end = skipBlanks(from: end(ofTitleAt: destination.end) ?? destination.end)
        return byte(at: end) == UInt8(ascii: ")") ? (destination, end + 1) : nil
    }

    private mutating func skipBlanks(from start: Int) -> Int {
        var offset = start
        while let next = byte(at: offset), next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { offset += 1 }
        steps += offset - start
        return offset
    }

    /// The offset after white space and a link title on this line; nil if there is none.
    private mutating func end(ofTitleAt start: Int) -> Int? {
        let open = skipBlanks(from: start)
        guard open > start, let mark = byte(at: open), "\"'(".utf8.contains(mark) else { return nil }
        let close = mark == UInt8(ascii: "(") ? UInt8(ascii: ")") : mark
        var offset = open + 1
        while let next = byte(at: offset), next != UInt8(ascii: "\n") {
            steps += 1
            if next == close { return skipBlanks(from: offset + 1) }
            if next == mark { return nil }
            let isEscape = next == UInt8(ascii: "\\") && byte(at: offset + 1) != UInt8(ascii: "\n")
            offset += isEscape ? 2 : 1
        }
        return nil
    }

    // MARK: - Reference definitions

    private mutating func readDefinitions() {
        var isCode = spans
        var lines = TextLines(text, within: paragraph.startIndex..<paragraph.endIndex)
        while found.count < LinkLimits.linksMax, let line = lines.next() {
            steps += line.count
            guard let label = definitionLabel(of: line), isCode.end(ofSpanContaining: label.lowerBound) == nil else { continue }
            let start = skipBlanks(from: label.upperBound + 2)
            guard start < line.endIndex,
                let destination = LinkDestination.read(in: line, at: start, countingSteps: &steps)
            else { continue }
            let rest = line[destination.end...]
            guard rest.allSatisfy(isBlank) || end(ofTitleAt: destination.end).map({ line[$0...].allSatisfy(isBlank) }) == true
            else { continue }
            destination.link(in: line).map { found.append($0) }
        }
    }

    /// The range of the label in `[label]:` at the start of a line; nil for a footnote.
    private func definitionLabel(of line: ArraySlice<UInt8>) -> Range<Int>? {
        let content = line.drop { $0 == UInt8(ascii: " ") }
        guard content.startIndex - line.startIndex <= 3, content.first == UInt8(ascii: "[") else { return nil }
        let start = content.startIndex + 1
        guard start < line.endIndex, line[start] != UInt8(ascii: "^") else { return nil }
        var end = start
        var characters = 0
        while end < line.endIndex, line[end] != UInt8(ascii: "]") {
            if line[end] == UInt8(ascii: "[") { return nil }
            if line[end] == UInt8(ascii: "\\") { end += 1 }
            if end < line.endIndex, line[end] & 0xC0 != 0x80 { characters += 1 }
            end += 1
        }
        guard end > start, characters <= 999, end + 1 < line.endIndex, line[end + 1] == UInt8(ascii: ":") else { return nil }
        return start..<end
    }
}
