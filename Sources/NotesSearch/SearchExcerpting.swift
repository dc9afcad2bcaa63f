import CSQLite
import NoteText
import NotesModel
import NotesSQL

/// Cuts an excerpt out of a note's text around its first match, and marks all matches in the
/// excerpt.
struct SearchExcerpting {
    /// Maximum size of the excerpt in bytes before the start of the first match, and from there on.
    static let beforeMax = 64
    static let afterMax = 192
    /// Maximum size in bytes of an excerpt that is extended to the end of a long first match. A
    /// longer match is cut.
    static let pieceMax = 1 << 10
    /// How many bytes of a text are searched for matches.
    static let lookedMax = 256 << 10

    private let tokenizer: SearchTokenizer
    /// The phrases whose matches are marked.
    private let phrases: [Phrase]
    private let isStopped: () -> Bool
    /// Number of words between two calls of `isStopped`.
    private static let wordsUnasked = 1_024

    /// A sequence of words, with the part of it that a text has shown so far.
    struct Phrase {
        let words: [[UInt8]]
        let isPrefix: Bool
        /// Bit n is set if the first n + 1 words of the phrase are the last n + 1 words of the text
        /// so far.
        var state: UInt64 = 0
    }

    /// - Parameter isStopped: Called regularly. If it returns true, the current call throws.
    init(_ query: SearchQuery, _ tokenizer: SearchTokenizer, until isStopped: @escaping () -> Bool) throws(SQLFault) {
        self.tokenizer = tokenizer
        self.isStopped = isStopped
        phrases = try Phrase.all(of: query, tokenizer)
    }

    /// - Parameter body: A text as `SearchTokenizer.separated` returns it.
    /// - Throws: A corruption fault if the excerpt is not UTF-8.
    /// - Complexity: O(bytes up to the end of the first excerpt); at most `lookedMax` are examined.
    func excerpt(of body: [UInt8]) throws(SQLFault) -> SearchExcerpt {
        let found = try matches(in: body)
        // Front matter says little about a note, unless the first match is in it.
        let bodyStart = FrontMatter.bodyStart(of: body)
        let least = found.first.map { $0.lowerBound < bodyStart } == true ? 0 : bodyStart
        var start = least
        if let first = found.first {
            start = max(least, first.lowerBound - Self.beforeMax)
            // Start at the beginning of a word if one begins in that range.
            if start > least, let space = body[start..<first.lowerBound].firstIndex(where: { $0 == 0x20 || $0 == 0x0A }) {
                start = space + 1
            }
        }
        start = Self.boundary(atOrAfter: start, in: body)
        var end = min(body.count, (found.first?.lowerBound ?? start) + Self.afterMax)
        end = min(max(end, found.first?.upperBound ?? 0), start + Self.pieceMax)
        while end < body.count, end > start, body[end] & 0xC0 == 0x80 { end -= 1 }
        var ranges: [Range<Int>] = []
        for match in found where start..<end ~= match.lowerBound && match.upperBound <= max(end, found.first?.upperBound ?? 0) {
            let low = Self.joinedCount(body[start..<match.lowerBound])
            let range = low..<low + Self.joinedCount(body[match.lowerBound..<min(match.upperBound, end)])
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return SearchExcerpt(text: try ByteString(indexed: body[start..<end]).utf8, ranges: ranges.filter { !$0.isEmpty })
    }

    /// Returns the matches from the first one to the end of the excerpt, by start.
    private func matches(in body: [UInt8]) throws(SQLFault) -> [Range<Int>] {
        guard !phrases.isEmpty else { return [] }
        var phrases = phrases
        var starts: [Int] = []
        var found: [Range<Int>] = []
        var end = Int.max
        var isCut = isStopped()
        let result: Result<Void, SQLFault> = body.withUnsafeBufferPointer { buffer in
            let looked = UnsafeBufferPointer(rebasing: buffer.prefix(Self.boundary(atOrAfter: Self.lookedMax, in: body)))
            do throws(SQLFault) {
                try tokenizer.words(of: looked) { word, place in
                    guard place.lowerBound < end, !isCut else { return false }
                    if starts.count % Self.wordsUnasked == Self.wordsUnasked - 1 { isCut = isStopped() }
                    starts.append(place.lowerBound)
                    for index in phrases.indices where phrases[index].takes(word) {
                        let start = starts[max(0, starts.count - phrases[index].words.count)]
                        found.append(start..<place.upperBound)
                        end = min(end, start + Self.afterMax)
                    }
                    return true
                }
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
        if isCut { throw SQLFault(code: SQLITE_INTERRUPT, message: "the search was cancelled") }
        return found.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }

    private static func boundary(atOrAfter offset: Int, in text: [UInt8]) -> Int {
        var offset = min(offset, text.count)
        while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }

    private static func joinedCount(_ text: ArraySlice<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 == SearchTokenizer.separator ? 0 : 1) }
    }
}

extension SearchExcerpting.Phrase {
    /// The phrases that a query searches for in texts.
    static func all(of query: SearchQuery, _ tokenizer: SearchTokenizer) throws(SQLFault) -> [Self] {
        var phrases: [Self] = []
        for term in query.root.requiredTerms where term.field == .any {
            let words = try tokenizer.words(of: term.words.utf8)
            guard !words.isEmpty else { continue }
            // Only the first 64 words of a longer phrase are matched, since `state` has 64 bits.
            phrases.append(Self(words: Array(words.prefix(64)), isPrefix: term.isPrefix && words.count <= 64))
        }
        return phrases
    }

    /// Processes the next word of a text. Returns whether the phrase ends with it.
    ///
    /// **Example.** The phrase is `a a b` and the text is `a a a b`. The state after each word is
    /// 001, 011, 011, 100 (bit 0 on the right), so the phrase ends with the fourth word.
    mutating func takes(_ word: UnsafeRawBufferPointer) -> Bool {
        let last = words.count - 1
        // The candidates are the first word, and each word that follows a matched prefix.
        var remaining = (state << 1 | 1) & (UInt64.max >> UInt64(63 - last))
        state = 0
        while remaining != 0 {
            let index = remaining.trailingZeroBitCount
            remaining &= remaining - 1
            let isMatch = isPrefix && index == last ? word.starts(with: words[index]) : word.elementsEqual(words[index])
            if isMatch { state |= 1 << UInt64(index) }
        }
        return state & 1 << UInt64(last) != 0
    }
}
