extension SearchQuery {
    /// Parses a query.
    ///
    /// - Throws: the first fault, with its position.
    /// - Complexity: O(bytes), at most `Limits.bytesMax`.
    package init(parsing text: ByteString) throws(SearchQueryFault) {
        guard text.utf8.count <= Limits.bytesMax else {
            throw SearchQueryFault(
                offset: Limits.bytesMax,
                reason: "exceeds the limit of \(Limits.bytesMax) bytes; shorten the query, which has \(text.utf8.count) bytes")
        }
        var parser = SearchQueryParser(text.utf8)
        self.init(text: text, root: try parser.query())
    }
}

/// A recursive-descent parser for search queries. It makes one pass and looks one keyword ahead.
struct SearchQueryParser {
    private let text: [UInt8]
    private var offset = 0
    private var terms = 0
    private var depth = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func query() throws(SearchQueryFault) -> SearchQuery.Node {
        skipSpace()
        guard offset < text.count else { throw fault(0, "has no search term; write a word") }
        let node = try any()
        guard offset == text.count else { throw fault(offset, "closes a parenthesis that is not open; remove it") }
        return node
    }

    private mutating func any() throws(SearchQueryFault) -> SearchQuery.Node {
        var nodes = [try all()]
        while takeKeyword("OR") != nil { nodes.append(try all()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func all() throws(SearchQueryFault) -> SearchQuery.Node {
        let before = offset
        skipSpace()
        let start = offset
        var required: [SearchQuery.Node] = []
        var excluded: [SearchQuery.Node] = []
        while true {
            skipSpace()
            if offset == text.count || text[offset] == UInt8(ascii: ")") || isKeyword("OR") { break }
            if let keyword = takeKeyword("AND") {
                guard !required.isEmpty || !excluded.isEmpty, hasOperand() else {
                    throw fault(keyword, "is AND without a term on both sides; write \"AND\" to search for the word")
                }
            }
            let isExcluded = try takeExclusion()
            let node = try primary()
            if isExcluded { excluded.append(node) } else { required.append(node) }
        }
        guard !required.isEmpty else {
            guard excluded.isEmpty else {
                throw fault(start, "starts a part with only excluded terms; add a term to search for")
            }
            if isKeyword("OR") { throw fault(offset, Self.lonelyOr) }
            if let keyword = keyword(endingBefore: before) { throw fault(keyword, Self.lonelyOr) }
            throw fault(offset, "needs a search term; write a word")
        }
        return required.count == 1 && excluded.isEmpty ? required[0] : .all(required: required, excluded: excluded)
    }

    private static let lonelyOr = "is OR without a term on both sides; write \"OR\" to search for the word"

    /// Consumes a `-` or `NOT`; returns whether there was one.
    private mutating func takeExclusion() throws(SearchQueryFault) -> Bool {
        skipSpace()
        let start = offset
        if offset < text.count, text[offset] == UInt8(ascii: "-") {
            offset += 1
            // A `-` must touch its term: in `a - b` it is most likely a dash.
            guard offset < text.count, !isSpace(at: offset), text[offset] != UInt8(ascii: ")") else {
                throw fault(start, "is a \"-\" without a term after it; write what to exclude directly after it, or remove it")
            }
        } else if takeKeyword("NOT") != nil {
            skipSpace()
            guard hasOperand() else {
                throw fault(start, "is NOT without a term after it; write the term to exclude, or \"NOT\" to search for the word")
            }
        } else {
            return false
        }
        return true
    }

    private mutating func primary() throws(SearchQueryFault) -> SearchQuery.Node {
        guard text[offset] == UInt8(ascii: "(") else { return .term(try term()) }
        let start = offset
        guard depth < SearchQuery.Limits.depthMax else {
            throw fault(start, "nests parentheses \(depth + 1) deep; the limit is \(SearchQuery.Limits.depthMax)")
        }
        depth += 1
        offset += 1
        skipSpace()
        guard offset < text.count, text[offset] != UInt8(ascii: ")") else {
            throw fault(start, "opens a parenthesis without a term in it; write a term, or remove the parenthesis")
        }
        let node = try any()
        guard offset < text.count else { throw fault(start, "opens a parenthesis that is not closed; add a \")\"") }
        offset += 1
        depth -= 1
        return node
    }

    private mutating func term() throws(SearchQueryFault) -> SearchQuery.Term {
        let start = offset
        terms += 1
        guard terms <= SearchQuery.Limits.termsMax else {
            throw fault(start, "is term \(terms); a query can have at most \(SearchQuery.Limits.termsMax)")
        }
        var field = SearchQuery.Term.Field.any
        for (name, named) in [("tag:", SearchQuery.Term.Field.tag), ("name:", .name), ("link:", .link)]
        where text[offset...].starts(with: name.utf8) {
            field = named
            offset += name.utf8.count
            guard offset < text.count, !isEnd(at: offset) || text[offset] == UInt8(ascii: "\"") else {
                let example = name + (named == .tag ? "todo" : "inbox")
                throw fault(
                    start, "is \(name) without a value directly after it; write \(example), or \"\(name)\" to search for it")
            }
        }
        let isPhrase = text[offset] == UInt8(ascii: "\"")
        let (range, isPrefix) = isPhrase ? try phrase() : try word()
        guard field != .link || !isPrefix else {
            throw fault(offset - 1, "is a \"*\" after link:, which needs the whole target; remove it")
        }
        var words = text[range]
        if field == .tag, words.first == UInt8(ascii: "#") { words = words.dropFirst() }
        guard !words.isEmpty else { throw fault(start, "starts an empty term; write a word") }
        var bytes = ByteString(validUTF8: Array(words))
        if field == .tag { bytes = Tags.lowercased(bytes) }
        return SearchQuery.Term(field: field, words: bytes, isPrefix: isPrefix, offset: words.startIndex)
    }

    /// Consumes a quoted phrase; returns the range of its words and whether a `*` follows.
    private mutating func phrase() throws(SearchQueryFault) -> (Range<Int>, isPrefix: Bool) {
        let start = offset
        guard let end = text[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else {
            throw fault(start, "opens a quotation that is not closed; add a second \"")
        }
        offset = end + 1
        let isPrefix = offset < text.count && text[offset] == Self.star
        if isPrefix { offset += 1 }
        return (start + 1..<end, isPrefix)
    }

    private mutating func word() throws(SearchQueryFault) -> (Range<Int>, isPrefix: Bool) {
        let start = offset
        while offset < text.count, !isEnd(at: offset) { offset += 1 }
        guard let star = text[start..<offset].firstIndex(of: Self.star) else { return (start..<offset, false) }
        guard star == offset - 1, star > start else {
            throw fault(star, "is a \"*\" that does not end a word; write it directly after the start of a word")
        }
        return (start..<star, true)
    }

    private static let star = UInt8(ascii: "*")

    private func isEnd(at offset: Int) -> Bool {
        isSpace(at: offset) || text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "(")
            || text[offset] == UInt8(ascii: ")")
    }

    /// Whether the next token can be a term or opens a parenthesis.
    private func hasOperand() -> Bool {
        var ahead = self
        ahead.skipSpace()
        return ahead.offset < text.count && text[ahead.offset] != UInt8(ascii: ")") && !ahead.isKeyword("OR")
            && !ahead.isKeyword("AND")
    }

    private func isKeyword(_ word: String) -> Bool {
        guard text[offset...].starts(with: word.utf8) else { return false }
        let end = offset + word.utf8.count
        return end == text.count || isEnd(at: end)
    }

    /// Consumes a keyword at the current offset and returns that offset; nil when there is none.
    /// The caller has skipped white space.
    private mutating func takeKeyword(_ word: String) -> Int? {
        guard isKeyword(word) else { return nil }
        defer { offset += word.utf8.count }
        return offset
    }

    /// The offset of an `OR` that ends at `end`; nil when there is none.
    private func keyword(endingBefore end: Int) -> Int? {
        guard end >= 2, text[end - 2] == UInt8(ascii: "O"), text[end - 1] == UInt8(ascii: "R") else { return nil }
        return end - 2
    }

    private mutating func skipSpace() {
        while offset < text.count, let length = spaceLength(at: offset) { offset += length }
    }

    private func isSpace(at offset: Int) -> Bool { spaceLength(at: offset) != nil }

    /// The length in bytes of the white-space character, of any script, at the offset; nil when
    /// there is none or the offset is inside a character.
    private func spaceLength(at offset: Int) -> Int? {
        let byte = text[offset]
        if byte < 0x80 { return byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) ? 1 : nil }
        guard byte >= 0xC0, let found = firstScalar(text[offset...]), found.scalar.properties.isWhitespace else { return nil }
        return found.length
    }

    private func fault(_ offset: Int, _ reason: String) -> SearchQueryFault {
        SearchQueryFault(offset: offset, reason: reason)
    }
}
