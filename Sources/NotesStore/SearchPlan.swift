import GRDB

/// How a query is looked for: what FTS5 is asked, and which of the notes that it names are taken.
struct SearchPlan {
    /// What is left for FTS5.
    let expression: SearchExpression
    /// For `SearchRanking`: what each phrase is worth, the less, the more notes have it. With one phrase it makes no difference.
    let weights: [UInt8]
    private let filters: [Filter]
    private let meanLength: Double

    private struct Filter {
        let rows: RowSet
        let isWanted: Bool
        /// Of a note that has it.
        let worth: Double
    }

    /// - Complexity: a sample of each phrase's newest notes.
    init(
        _ expression: SearchExpression, _ queries: SearchQueries, _ common: inout CommonPhrases
    ) throws(SQLFault) {
        let (notes, bytes) = try queries.totals()
        var counts: [String: Double] = [:]
        let isAlone = expression.phrases.count == 1
        if !isAlone {
            for phrase in expression.phrases where counts[phrase.match] == nil {
                counts[phrase.match] = try queries.estimatedCount(of: phrase.match, among: notes)
            }
        }
        func worth(_ phrase: SearchExpression.Phrase) -> Double {
            guard phrase.isWanted else { return 0 }
            guard let count = counts[phrase.match] else { return 1 }
            return max(0.01, SearchRanking.worth(of: count, among: notes))
        }
        /// Of one phrase that many have. Beside a rarer one it counts as being there, however often: so the order does not depend on
        /// which sets there are.
        func isCommon(_ part: SearchExpression.Part) -> Bool {
            part.phrases.count == 1 && (counts[part.phrases[0].match] ?? 0) > queries.commonMin
        }
        let hasRare = expression.parts.contains { $0.isWanted && !isCommon($0) }
        var filters: [Filter] = []
        var parts: [SearchExpression.Part] = []
        for part in expression.parts {
            guard hasRare, isCommon(part),
                let rows = try common.rows(of: part.match, through: queries.newest, queries.database)
            else {
                parts.append(part)
                continue
            }
            filters.append(Filter(rows: rows, isWanted: part.isWanted, worth: worth(part.phrases[0])))
        }
        self.expression = SearchExpression(parts: parts)
        self.filters = filters
        meanLength = bytes / notes
        weights = SearchRanking.blob(
            phrases: parts.flatMap { part in
                part.phrases.map { hasRare && isCommon(part) ? -worth($0) : worth($0) }
            }, length: meanLength)
    }

    func passes(_ number: UInt64) -> Bool {
        for filter in filters where filter.rows.contains(number) != filter.isWanted { return false }
        return true
    }

    /// What the phrases add that FTS5 was not asked for.
    func score(_ number: UInt64) -> Double {
        var score = 0.0
        let norm = filters.isEmpty ? 0 : SearchRanking.norm(of: number, meanLength: meanLength)
        for filter in filters where filter.isWanted {
            score += SearchRanking.score(worth: filter.worth, frequency: 1, norm: norm)
        }
        return score
    }
}
