package import NoteText
import NotesSQL

/// A query in the syntax of FTS5. User input appears in it only between quotation marks.
struct SearchExpression {
    /// The columns of the table `words`, in order.
    enum Column: Int {
        case name, body, tags
    }

    /// A phrase in the sense of FTS5: one or more consecutive words. FTS5 numbers phrases in the
    /// order in which they appear in `match`.
    struct Phrase {
        let match: String
        /// False for an excluded phrase, which does not count in the ranking.
        let isRequired: Bool
        /// Each word of the phrase as an expression, if the phrase has several and the last is not
        /// a prefix; otherwise empty.
        let words: [String]
    }

    /// A condition that every result meets (wanted) or that none meets (excluded). The wanted parts
    /// come first in `match`.
    struct Part {
        let match: String
        let phrases: [Phrase]
        let isRequired: Bool

        init(match: String, phrases: [Phrase], isRequired: Bool) {
            self.match = match
            self.phrases = phrases
            self.isRequired = isRequired
        }

        /// A single required word.
        init(word: String) {
            self.init(match: word, phrases: [Phrase(match: word, isRequired: true, words: [])], isRequired: true)
        }
    }

    /// A condition on the links of a note.
    struct LinkPart {
        /// The target of a wiki link.
        let target: ByteString
        /// Whether results have a link of the same meaning; otherwise none has one.
        let isRequired: Bool
        /// The byte offset of the target in the query.
        let offset: Int
    }

    /// The parts in the order of `match`. At least one of these and of `links` is wanted.
    let parts: [Part]
    /// The conditions on links, which FTS5 does not evaluate.
    let links: [LinkPart]

    /// Translates a parsed query.
    ///
    /// - Throws: `query` if a term contains no word that the index could have, or is too short a
    ///   prefix.
    init(_ query: SearchQuery, _ tokenizer: SearchTokenizer) throws(SearchFault) {
        var parts: [Part] = []
        var links: [LinkPart] = []
        func add(_ node: SearchQuery.Node, isRequired: Bool) throws(SearchFault) {
            if case .term(let term) = node, term.field == .link {
                links.append(LinkPart(target: term.words, isRequired: isRequired, offset: term.offset))
            } else {
                parts.append(try Self.part(node, isRequired, tokenizer))
            }
        }
        if case .all(let required, let excluded) = query.root {
            for node in required { try add(node, isRequired: true) }
            for node in excluded { try add(node, isRequired: false) }
        } else {
            try add(query.root, isRequired: true)
        }
        self.parts = parts
        self.links = links
    }

    init(parts: [Part]) {
        self.parts = parts
        links = []
    }

    /// Whether a part is wanted, so that FTS5 can find notes.
    var hasRequired: Bool { parts.contains(where: \.isRequired) }

    /// The argument of `MATCH` for the excluded parts; nil if there are none.
    var excludedMatch: String? {
        let excluded = parts.filter { !$0.isRequired }.map(\.match)
        return excluded.isEmpty ? nil : Self.joined(excluded, " OR ")
    }

    /// The argument of `MATCH`.
    ///
    /// - Precondition: `hasRequired`.
    var match: String {
        let required = Self.joined(parts.filter(\.isRequired).map(\.match), " AND ")
        let excluded = parts.filter { !$0.isRequired }.map(\.match)
        return excluded.isEmpty ? required : "(\(required) NOT \(Self.joined(excluded, " OR ")))"
    }

    /// All phrases, in the order in which FTS5 numbers them.
    var phrases: [Phrase] { parts.flatMap(\.phrases) }

    private static func part(
        _ node: SearchQuery.Node, _ isRequired: Bool, _ tokenizer: SearchTokenizer
    ) throws(SearchFault) -> Part {
        var phrases: [Phrase] = []
        let match = try text(of: node, isRequired, &phrases, tokenizer)
        return Part(match: match, phrases: phrases, isRequired: isRequired)
    }

    private static func text(
        of node: SearchQuery.Node, _ isRequired: Bool, _ phrases: inout [Phrase], _ tokenizer: SearchTokenizer
    ) throws(SearchFault) -> String {
        var texts: [String] = []
        switch node {
        case .term(let term):
            let (match, words) = try phrase(of: term, tokenizer)
            phrases.append(Phrase(match: match, isRequired: isRequired, words: words))
            return match
        case .any(let nodes):
            for node in nodes { texts.append(try text(of: node, isRequired, &phrases, tokenizer)) }
            return joined(texts, " OR ")
        case .all(let required, let excluded):
            for node in required { texts.append(try text(of: node, isRequired, &phrases, tokenizer)) }
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
        guard term.field != .link else {
            throw .query(
                SearchQueryFault(
                    offset: term.offset,
                    reason: "is the target of a link: within OR or parentheses; write it next to the other terms instead"
                ))
        }
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
        // The words as typed: FTS5 tokenizes them as it tokenized the text.
        let quoted = String(decoding: SearchTokenizer.joined(term.words.utf8), as: UTF8.self).replacing("\"", with: "\"\"")
        let text = String(decoding: SearchTokenizer.separated(Array(quoted.utf8)).map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
        let columns = term.field == .name ? "name" : "name body"
        let each = words.count > 1 && !term.isPrefix ? words : []
        return (
            "{\(columns)} : \"\(text)\"\(star)",
            each.map { "{\(columns)} : \"\(String(decoding: $0, as: UTF8.self))\"" }
        )
    }

    /// Minimum length of a prefix in bytes.
    private static let prefixBytesMin = 2

    /// Encodes a tag as one word of the index, whatever characters it contains: `t` and its bytes
    /// in hexadecimal. So a prefix of a tag is a prefix of its word.
    static func word(ofTag tag: ByteString) -> String {
        var word = "t"
        for byte in tag.utf8 {
            word += String(byte >> 4, radix: 16)
            word += String(byte & 15, radix: 16)
        }
        return word
    }
}

/// Why a call on the search index failed.
package enum SearchFault: Error, Hashable, Sendable {
    /// The query cannot be executed; the fault names the offset of the term.
    case query(SearchQueryFault)
    /// The index ends at another commit than the call requires. The value is the sequence at which
    /// it ends.
    case outOfStep(UInt64)
    /// The disk has no space for the index.
    case full(String)
    /// The index is corrupt and must be rebuilt.
    case damaged(String)
    /// The caller cancelled the call.
    case cancelled
    /// Any other failure. The text says which.
    case failed(String)
}

extension SearchFault {
    init(_ fault: SQLFault) {
        let text = "\(fault.message) (SQLite code \(fault.code))"
        self = fault.isDamage ? .damaged(text) : fault.isOutOfRoom ? .full(text) : .failed(text)
    }
}
