package import NotesModel

/// A query in the words of FTS5. What somebody typed stands in it between quotation marks only.
struct SearchExpression {
    /// The columns of the index's table, in their order.
    enum Column: Int {
        case name, body, tags
    }

    /// What FTS5 counts as one: words one after the other. They are numbered as they stand in `match`.
    struct Phrase {
        let match: String
        /// Those that are excluded have no part in the ranking.
        let isWanted: Bool
    }

    /// For `MATCH`.
    private(set) var match = ""
    private(set) var phrases: [Phrase] = []
    private let tokenizer: SearchTokenizer

    /// - Throws: a fault of the query where a word of it has nothing that the index knows.
    init(_ query: SearchQuery, _ tokenizer: SearchTokenizer) throws(SearchFault) {
        self.tokenizer = tokenizer
        match = try text(of: query.root, isWanted: true)
    }

    private mutating func text(of node: SearchQuery.Node, isWanted: Bool) throws(SearchFault) -> String {
        switch node {
        case .term(let term):
            let match = try text(of: term)
            phrases.append(Phrase(match: match, isWanted: isWanted))
            return match
        case .any(let nodes): return try joined(nodes, " OR ", isWanted)
        case .all(let wanted, let excluded):
            let all = try joined(wanted, " AND ", isWanted)
            return excluded.isEmpty ? all : "(\(all) NOT \(try joined(excluded, " OR ", false)))"
        }
    }

    private mutating func joined(
        _ nodes: [SearchQuery.Node], _ joint: String, _ isWanted: Bool
    ) throws(SearchFault) -> String {
        var texts: [String] = []
        for node in nodes { texts.append(try text(of: node, isWanted: isWanted)) }
        return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: joint) + ")"
    }

    private func text(of term: SearchQuery.Term) throws(SearchFault) -> String {
        let star = term.isPrefix ? " *" : ""
        if term.field == .tag { return "{tags} : \"\(Self.word(ofTag: term.words))\"\(star)" }
        let words: [[UInt8]]
        do { words = try tokenizer.words(of: term.words.utf8) } catch { throw SearchFault(error) }
        guard let last = words.last else {
            throw .query(
                SearchQueryFault(
                    offset: term.offset, reason: "has no letter and no digit, and only words are looked for; leave it out"))
        }
        guard !term.isPrefix || last.count >= Self.prefixBytesMin else {
            throw .query(
                SearchQueryFault(
                    offset: term.offset,
                    reason: "is one letter and a \"*\", which nearly every note has; write two letters or more"))
        }
        // The words as they were typed: FTS5 cuts them as it cut the text.
        let quoted = String(decoding: SearchTokenizer.joined(term.words.utf8), as: UTF8.self).replacing("\"", with: "\"\"")
        let text = String(decoding: SearchTokenizer.separated(Array(quoted.utf8)).map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
        return "{\(term.field == .name ? "name" : "name body")} : \"\(text)\"\(star)"
    }

    private static let prefixBytesMin = 2

    /// A tag as one word of the index, whatever it is made of; one that starts another is the start of the other's word.
    static func word(ofTag tag: ByteString) -> String {
        var word = "t"
        for byte in tag.utf8 {
            word += String(byte >> 4, radix: 16)
            word += String(byte & 15, radix: 16)
        }
        return word
    }
}

/// Why the index did not do what was asked.
package enum SearchFault: Error, Hashable, Sendable {
    case query(SearchQueryFault)
    /// It does not reach as far as was asked, or further than the store: it has come to this commit.
    case outOfStep(UInt64)
    /// No room for it.
    case full(String)
    /// It holds what it should not; it is to be made anew.
    case damaged(String)
    /// It was stopped before it was done.
    case cancelled
    case failed(String)
}

extension SearchFault {
    init(_ fault: SQLFault) {
        let text = "\(fault.message) (SQLite code \(fault.code))"
        self = fault.isDamage ? .damaged(text) : fault.isOutOfRoom ? .full(text) : .failed(text)
    }
}
