import NotesModel
import NotesSQL

/// How a query is executed: the expression that FTS5 evaluates, and the filters applied to the
/// notes that it finds.
///
/// **Why.** FTS5 visits every note that has a word of the query, however rare the other words are:
/// `walrus the` costs as much as `the`. So a phrase that many notes have is taken out of the
/// expression if another part of the query is much rarer, and tested in memory against the set of
/// notes that have it (`PostingSetCache`).
///
/// **Example.** Of 1,000,000 notes, about 900,000 have `the` and 300 have `walrus`.
///
/// 1. `PhraseCounts` estimates both counts from the newest matches. The rarest required part has
///    300 notes. `the` is common compared with it (`SelectivityThresholds`); `walrus` is not.
/// 2. The cache has no set of `the` yet. It notes that one is wanted, and FTS5 evaluates `the AND
///    walrus` this time. While no search runs, the index builds the set.
/// 3. The next such query finds the set. FTS5 evaluates `walrus` alone, and `passes(_:)` tests its
///    300 notes. `score(_:)` adds what `the` contributes to the ranking.
///
/// Two rules follow from the requirement that a query must give the same order in steps 2 and 3,
/// since a client may fetch one page in each:
///
/// - A set says only that a note has the phrase, not how often. So a common phrase always counts
///   once, even when FTS5 evaluates it. A negative weight tells `SearchRanking` to count it once.
/// - The counts that scores depend on are kept in `scale`, which the client sends back for the next
///   page, rather than estimated again.
///
/// A phrase of a common and a rare word, such as `"the walrus"`, gets a set of the whole phrase.
/// FTS5 then looks for the rare word, the *driver*, in its place.
///
/// Invariant: at least one required part is left for FTS5, since the rarest is never common. A query
/// whose only required parts are conditions on links has none; then those conditions find the notes.
struct SearchPlan {
    /// The parts that FTS5 evaluates.
    let expression: SearchExpression
    /// The weights of the phrases of `expression` for `SearchRanking`: the fewer notes have a
    /// phrase, the more it is worth. A query of one word has weight 1, since its weight cannot
    /// change the order.
    let weights: [UInt8]
    /// The counts by which this page is ranked, for the pages after it.
    let scale: SearchScale
    private let filters: [Filter]
    private let links: [LinkedRows]
    private let meanLength: Double

    private struct Filter {
        let rows: RowSet
        let isRequired: Bool
        /// Weight that the phrase adds to a note that has it; 0 if it is excluded or a driver
        /// represents it.
        let worth: Double
    }

    /// - Parameters:
    ///   - links: The notes that meet each condition on links.
    ///   - scale: The counts by which the first page was ranked; nil for the first page.
    /// - Complexity: Reads at most 256 of the newest notes of each phrase or word.
    init(
        _ expression: SearchExpression, links: [LinkedRows], _ queries: SearchQueries, scale: SearchScale?,
        _ common: inout PostingSetCache
    ) throws(SQLFault) {
        let counts = try PhraseCounts(of: expression, queries, scale: scale)
        self.scale = counts.scale
        var filters: [Filter] = []
        var kept: [(part: SearchExpression.Part, weights: [Double])] = []
        for part in expression.parts {
            let worths = part.phrases.map(counts.worth)
            let driver = counts.driver(of: part)
            // A common part counts as present once, with a set or without, so that the order of the
            // results does not depend on which sets exist.
            guard driver != nil || counts.isCommon(part) else {
                kept.append((part, worths))
                continue
            }
            let rows = try common.rows(of: part.match, through: queries.newest, queries.database)
            guard let rows else {
                kept.append((part, worths.map { -$0 }))
                continue
            }
            if let driver, part.isRequired {
                filters.append(Filter(rows: rows, isRequired: true, worth: 0))
                kept.append((SearchExpression.Part(word: driver), worths.map { -$0 }))
            } else {
                filters.append(Filter(rows: rows, isRequired: part.isRequired, worth: worths[0]))
            }
        }
        self.expression = SearchExpression(parts: kept.map(\.part))
        self.filters = filters
        self.links = links
        meanLength = counts.meanLength
        weights = SearchRanking.blob(phrases: kept.flatMap(\.weights), length: meanLength)
    }

    /// Whether a note that FTS5 found has all common phrases and links that are required, and none that
    /// is excluded.
    func passes(_ number: UInt64) -> Bool {
        for filter in filters where filter.rows.contains(number) != filter.isRequired { return false }
        for link in links where link.numbers.contains(number) != link.isRequired { return false }
        return true
    }

    /// The notes that have the required links, newest first; for a query without other required parts.
    var linked: [UInt64] {
        let smallest = links.filter(\.isRequired).map(\.numbers).min { $0.count < $1.count }
        return (smallest ?? []).sorted(by: >)
    }

    /// The share of the score that comes from common phrases, which FTS5 did not evaluate.
    func score(_ number: UInt64) -> Double {
        var score = 0.0
        let norm = filters.isEmpty ? 0 : SearchRanking.norm(of: number, meanLength: meanLength)
        for filter in filters where filter.isRequired {
            score += SearchRanking.score(worth: filter.worth, frequency: 1, norm: norm)
        }
        return score
    }
}

/// The notes that have a link of some meaning.
struct LinkedRows {
    /// Row numbers of the index.
    let numbers: Set<UInt64>
    /// Whether results have such a link; otherwise none has one.
    let isRequired: Bool
    /// Whether more notes may have one.
    let isCut: Bool
}

/// When a phrase is common enough to be tested against a set rather than evaluated by FTS5.
///
/// FTS5 takes about 20 ns for each note that has a word, whether or not the note has the other
/// words; a test against a set takes about 500 ns for each note that is tested. So a set pays if
/// the phrase has at least 25 times as many notes as the rarest part.
struct SelectivityThresholds {
    /// A common phrase has more notes than this,
    var notesMin = 50_000.0
    /// and this many times as many notes as the rarest required part,
    var timesMin = 25.0
    /// or merely more notes than that part, if that part has at most this many: testing so few
    /// takes a few milliseconds at most.
    var rareMax = 12_000.0
}

/// Estimates of how many notes have each phrase of a query.
private struct PhraseCounts {
    let meanLength: Double
    let scale: SearchScale
    private let notes: Double
    private let thresholds: SelectivityThresholds
    /// The count of each phrase and of each word of a longer phrase, by `match`. Empty for a query
    /// of a single word, which needs none.
    private var counts: [String: Double] = [:]
    /// An upper bound of the notes that have the rarest required part.
    private let rarest: Double

    init(of expression: SearchExpression, _ queries: SearchQueries, scale given: SearchScale?) throws(SQLFault) {
        let totals: (notes: UInt64, bytes: UInt64)
        if let given { totals = (max(1, given.notes), given.bytes) } else { totals = try queries.totals() }
        notes = Double(totals.notes)
        meanLength = Double(totals.bytes) / Double(totals.notes)
        thresholds = queries.thresholds
        var remaining = given?.counts[...] ?? []
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
                if let known = remaining.popFirst() {
                    count = known
                } else {
                    count = UInt64(try queries.estimatedCount(of: match, among: notes).rounded())
                }
                taken.append(count)
                counts[match] = min(notes, Double(count))
            }
            // A phrase is as rare as its rarest word at most. Sampling the phrase itself would cost
            // more the rarer it is among its words.
            if let most = phrase.words.map({ counts[$0] ?? 0 }).min() { counts[phrase.match] = most }
        }
        let required = expression.parts.filter(\.isRequired).map { part in
            part.phrases.filter(\.isRequired).reduce(0) { $0 + (counts[$1.match] ?? 0) }
        }
        self.counts = counts
        scale = SearchScale(notes: totals.notes, bytes: totals.bytes, counts: taken)
        rarest = required.min() ?? notes
    }

    /// The weight of a phrase: 0 if it is excluded, at least 0.01 otherwise.
    func worth(_ phrase: SearchExpression.Phrase) -> Double {
        guard phrase.isRequired else { return 0 }
        guard let count = counts[phrase.match] else { return 1 }
        return max(0.01, SearchRanking.worth(of: count, among: notes))
    }

    /// Whether the part is a single phrase that is common compared with the rarest part.
    func isCommon(_ part: SearchExpression.Part) -> Bool {
        part.phrases.count == 1 && isCommon(counts[part.phrases[0].match] ?? 0, beside: rarest)
    }

    /// Returns the rarest word of a part that is one phrase of a common word and a much rarer one;
    /// nil for all other parts.
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
