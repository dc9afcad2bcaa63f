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
        /// Its words each for itself, as `match`, where it has several and each is a whole one.
        let words: [String]
    }

    /// What all notes that are found have, or none of them has; in this order in `match`, the wanted first.
    struct Part {
        let match: String
        let phrases: [Phrase]
        let isWanted: Bool

        init(match: String, phrases: [Phrase], isWanted: Bool) {
            self.match = match
            self.phrases = phrases
            self.isWanted = isWanted
        }

        /// A word that all notes that are found have.
        init(word: String) {
            self.init(match: word, phrases: [Phrase(match: word, isWanted: true, words: [])], isWanted: true)
        }
    }

    let parts: [Part]

    /// - Throws: a fault of the query where a word of it has nothing that the index knows.
    init(_ query: SearchQuery, _ tokenizer: SearchTokenizer) throws(SearchFault) {
        var parts: [Part] = []
        if case .all(let wanted, let excluded) = query.root {
            for node in wanted { parts.append(try Self.part(node, true, tokenizer)) }
            for node in excluded { parts.append(try Self.part(node, false, tokenizer)) }
        } else {
            parts.append(try Self.part(query.root, true, tokenizer))
        }
        self.parts = parts
    }

    /// - Precondition: one of them is wanted.
    init(parts: [Part]) {
        self.parts = parts
    }

    /// For `MATCH`.
    var match: String {
        let wanted = Self.joined(parts.filter(\.isWanted).map(\.match), " AND ")
        let excluded = parts.filter { !$0.isWanted }.map(\.match)
        return excluded.isEmpty ? wanted : "(\(wanted) NOT \(Self.joined(excluded, " OR ")))"
    }

    /// In the order in which FTS5 numbers them.
    var phrases: [Phrase] { parts.flatMap(\.phrases) }

    private static func part(
        _ node: SearchQuery.Node, _ isWanted: Bool, _ tokenizer: SearchTokenizer
    ) throws(SearchFault) -> Part {
        var phrases: [Phrase] = []
        let match = try text(of: node, isWanted, &phrases, tokenizer)
        return Part(match: match, phrases: phrases, isWanted: isWanted)
    }

    private static func text(
        of node: SearchQuery.Node, _ isWanted: Bool, _ phrases: inout [Phrase], _ tokenizer: SearchTokenizer
    ) throws(SearchFault) -> String {
        var texts: [String] = []
        switch node {
        case .term(let term):
            let (match, words) = try phrase(of: term, tokenizer)
            phrases.append(Phrase(match: match, isWanted: isWanted, words: words))
            return match
        case .any(let nodes):
            for node in nodes { texts.append(try text(of: node, isWanted, &phrases, tokenizer)) }
            return joined(texts, " OR ")
        case .all(let wanted, let excluded):
            for node in wanted { texts.append(try text(of: node, isWanted, &phrases, tokenizer)) }
            let all = joined(texts, " AND ")
            guard !excluded.isEmpty else { return all }
            texts = []
            for node in excluded { texts.append(try text(of: node, false, &phrases, tokenizer)) }
            return "(\(all) NOT \(joined(texts, " OR ")))"
        }
    }

    private static func joined(_ texts: [String], _ joint: String) -> String {
        texts.count == 1 ? texts[0] : "(" + texts.joined(separator: joint) + ")"
    }

    private static func phrase(
        of term: SearchQuery.Term, _ tokenizer: SearchTokenizer
    ) throws(SearchFault) -> (match: String, words: [String]) {
        let star = term.isPrefix ? " *" : ""
        if term.field == .tag { return ("{tags} : \"\(word(ofTag: term.words))\"\(star)", []) }
        let words: [[UInt8]]
        do { words = try tokenizer.words(of: term.words.utf8) } catch { throw SearchFault(error) }
        guard let last = words.last else {
            throw .query(
                SearchQueryFault(
                    offset: term.offset, reason: "contains no letter or digit, and search finds only words; remove it"))
        }
        guard !term.isPrefix || last.count >= prefixBytesMin else {
            throw .query(
                SearchQueryFault(
                    offset: term.offset,
                    reason: "is a single letter and a \"*\", which matches nearly every note; use at least two letters"))
        }
        // The words as they were typed: FTS5 cuts them as it cut the text.
        let quoted = String(decoding: SearchTokenizer.joined(term.words.utf8), as: UTF8.self).replacing("\"", with: "\"\"")
        let text = String(decoding: SearchTokenizer.separated(Array(quoted.utf8)).map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
        let columns = term.field == .name ? "name" : "name body"
        let each = words.count > 1 && !term.isPrefix ? words : []
        return (
            "{\(columns)} : \"\(text)\"\(star)",
            each.map { "{\(columns)} : \"\(String(decoding: $0, as: UTF8.self))\"" }
        )
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
