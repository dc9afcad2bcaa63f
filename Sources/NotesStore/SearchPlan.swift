import GRDB
import NotesModel

/// How a query is looked for: what FTS5 is asked, and which of the notes that it names are taken.
struct SearchPlan {
    /// What is left for FTS5.
    let expression: SearchExpression
    /// For `SearchRanking`: what each phrase is worth, the less, the more notes have it. With one phrase it makes no difference.
    let weights: [UInt8]
    /// For the pages after this one.
    let scale: SearchScale
    private let filters: [Filter]
    private let meanLength: Double

    private struct Filter {
        let rows: RowSet
        let isWanted: Bool
        /// Of a note that has it.
        let worth: Double
    }

    /// - Parameter scale: as the first page was ranked; nil where this is it.
    /// - Complexity: a sample of each phrase's newest notes.
    init(
        _ expression: SearchExpression, _ queries: SearchQueries, scale: SearchScale?, _ common: inout PostingSetCache
    ) throws(SQLFault) {
        let counts = try PhraseCounts(of: expression, queries, scale: scale)
        self.scale = counts.scale
        var filters: [Filter] = []
        var left: [(part: SearchExpression.Part, weights: [Double])] = []
        for part in expression.parts {
            let worths = part.phrases.map(counts.worth)
            let driver = counts.driver(of: part)
            // Beside a rarer one it counts as being there, however often: so the order does not depend on which sets there are.
            guard driver != nil || counts.isCommon(part) else {
                left.append((part, worths))
                continue
            }
            let rows = try common.rows(of: part.match, through: queries.newest, queries.database)
            guard let rows else {
                left.append((part, worths.map { -$0 }))
                continue
            }
            if let driver, part.isWanted {
                filters.append(Filter(rows: rows, isWanted: true, worth: 0))
                left.append((SearchExpression.Part(word: driver), worths.map { -$0 }))
            } else {
                filters.append(Filter(rows: rows, isWanted: part.isWanted, worth: worths[0]))
            }
        }
        self.expression = SearchExpression(parts: left.map(\.part))
        self.filters = filters
        meanLength = counts.meanLength
        weights = SearchRanking.blob(phrases: left.flatMap(\.weights), length: meanLength)
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

/// What many notes have. FTS5 takes some 20 ns for each that has a word, whether it has the others or not, and each that is tested
/// against a set takes some 500 ns.
struct SelectivityThresholds {
    /// More notes have it than this,
    var notesMin = 50_000.0
    /// and so many times as many as have what is the rarest,
    var timesMin = 25.0
    /// or only more, where no more than so many have that: to test them takes a few milliseconds at most.
    var rareMax = 12_000.0
}

/// About how many notes have what a query asks for.
private struct PhraseCounts {
    let meanLength: Double
    let scale: SearchScale
    private let notes: Double
    private let thresholds: SelectivityThresholds
    /// By `match`; none where there is only one phrase of one word.
    private var counts: [String: Double] = [:]
    /// Not more have the rarest of what all must have.
    private let rarest: Double

    init(of expression: SearchExpression, _ queries: SearchQueries, scale given: SearchScale?) throws(SQLFault) {
        let totals: (notes: UInt64, bytes: UInt64)
        if let given { totals = (max(1, given.notes), given.bytes) } else { totals = try queries.totals() }
        notes = Double(totals.notes)
        meanLength = Double(totals.bytes) / Double(totals.notes)
        thresholds = queries.thresholds
        var left = given?.counts[...] ?? []
        var taken: [UInt64] = []
        let phrases = expression.phrases
        guard phrases.count > 1 || phrases.contains(where: { !$0.words.isEmpty }) else {
            rarest = notes
            scale = SearchScale(notes: totals.notes, bytes: totals.bytes, counts: [])
            return
        }
        var counts: [String: Double] = [:]
        for phrase in phrases {
            for match in phrase.words.isEmpty ? [phrase.match] : phrase.words where counts[match] == nil {
                let count: UInt64
                if let known = left.popFirst() {
                    count = known
                } else {
                    count = UInt64(try queries.estimatedCount(of: match, among: notes).rounded())
                }
                taken.append(count)
                counts[match] = min(notes, Double(count))
            }
            // A sample of a phrase costs the more, the rarer it is among its words.
            if let most = phrase.words.map({ counts[$0] ?? 0 }).min() { counts[phrase.match] = most }
        }
        let wanted = expression.parts.filter(\.isWanted).map { part in
            part.phrases.filter(\.isWanted).reduce(0) { $0 + (counts[$1.match] ?? 0) }
        }
        self.counts = counts
        scale = SearchScale(notes: totals.notes, bytes: totals.bytes, counts: taken)
        rarest = wanted.min() ?? notes
    }

    func worth(_ phrase: SearchExpression.Phrase) -> Double {
        guard phrase.isWanted else { return 0 }
        guard let count = counts[phrase.match] else { return 1 }
        return max(0.01, SearchRanking.worth(of: count, among: notes))
    }

    /// Whether it is one phrase that many notes have beside the rarest.
    func isCommon(_ part: SearchExpression.Part) -> Bool {
        part.phrases.count == 1 && isCommon(counts[part.phrases[0].match] ?? 0, beside: rarest)
    }

    /// Of a part that is one phrase with a common word and a much rarer one, the rarest: nil for all others.
    func driver(of part: SearchExpression.Part) -> String? {
        guard part.phrases.count == 1 else { return nil }
        let words = part.phrases[0].words.map { (word: $0, count: counts[$0] ?? 0) }
        guard let most = words.map(\.count).max(), let rarest = words.min(by: { $0.count < $1.count }) else { return nil }
        return isCommon(most, beside: rarest.count) ? rarest.word : nil
    }

    private func isCommon(_ count: Double, beside rarest: Double) -> Bool {
        let times = rarest <= thresholds.rareMax ? 1 : thresholds.timesMin
        return count > thresholds.notesMin && count > times * rarest
    }
}
