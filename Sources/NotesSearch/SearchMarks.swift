package import NoteText
package import NotesSQL

/// Finds the words of a query in a text, as the index does, for a program that shows the text.
package final class SearchMarks {
    private let tokenizer: SearchTokenizer

    /// Most matches that are returned.
    package static let marksMax = 10_000

    /// - Throws: if this SQLite has no FTS5.
    package init() throws(SQLFault) {
        tokenizer = try SearchTokenizer(Database(path: ":memory:"))
    }

    /// The places in a text that match a word or a phrase of a query, as byte ranges; ascending, disjoint
    /// and not empty. Terms about names, tags and links have none.
    ///
    /// - Complexity: O(bytes · phrases).
    package func ranges(of query: SearchQuery, in text: [UInt8]) throws(SQLFault) -> [Range<Int>] {
        let phrases = try SearchExcerpting.Phrase.all(of: query, tokenizer)
        guard !phrases.isEmpty else { return [] }
        let body = SearchTokenizer.separated(text)
        let places = try places(of: phrases, in: body)
        guard body.count != text.count else { return places }
        // The number of separators before each place, since the text has none.
        var (offset, separators) = (0, 0)
        func joined(_ place: Int) -> Int {
            while offset < place {
                if body[offset] == SearchTokenizer.separator { separators += 1 }
                offset += 1
            }
            return place - separators
        }
        return places.map { place in
            let start = joined(place.lowerBound)
            return start..<joined(place.upperBound)
        }
    }

    /// The places in a text with separators, ascending and disjoint.
    private func places(of phrases: [SearchExcerpting.Phrase], in body: [UInt8]) throws(SQLFault) -> [Range<Int>] {
        var phrases = phrases
        var starts: [Int] = []
        var found: [Range<Int>] = []
        let result: Result<Void, SQLFault> = body.withUnsafeBufferPointer { buffer in
            do throws(SQLFault) {
                try tokenizer.words(of: buffer) { word, place in
                    starts.append(place.lowerBound)
                    for index in phrases.indices where phrases[index].takes(word) {
                        found.append(starts[max(0, starts.count - phrases[index].words.count)]..<place.upperBound)
                    }
                    return found.count < Self.marksMax
                }
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
        var places: [Range<Int>] = []
        for place in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) where !place.isEmpty {
            if let last = places.last, last.upperBound > place.lowerBound {
                places[places.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                places.append(place)
            }
        }
        return places
    }
}
