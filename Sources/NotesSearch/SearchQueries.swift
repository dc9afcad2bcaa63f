import NotesModel
import NotesSQL

/// Executes queries on the index.
struct SearchQueries {
    /// Maximum number of notes that one query ranks. If more match, the newest are ranked.
    static let rankedMax = 10_000
    /// Number of a phrase's newest notes from which its frequency is estimated.
    private static let sampledMax = 256

    let database: Database
    /// Sequence of the newest commit in the index.
    let newest: UInt64
    let thresholds: SelectivityThresholds

    /// Returns the page of results after a position, best first, and among equals the newer first.
    ///
    /// - Complexity: FTS5's for the newest `rankedMax` matches of the parts that have no set; then
    ///   O(matches ranked + limit log limit), and reading one text for each hit.
    func find(
        _ expression: SearchExpression, _ kind: NoteKind?, links: [LinkedRows], _ excerpting: SearchExcerpting, limit: Int,
        after place: SearchPosition?, _ common: inout PostingSetCache
    ) throws(SQLFault) -> SearchFindings {
        let plan = try SearchPlan(expression, links: links, self, scale: place?.scale, &common)
        var best = BestHits(count: limit + 1, after: place)
        var matched = 0
        if plan.expression.hasRequired {
            // Newest first, since row numbers ascend with commits.
            try database.each(
                "SELECT rowid, \(SearchRanking.function)(words, ?) FROM words WHERE words MATCH ? ORDER BY rowid DESC",
                .blob(plan.weights), .blob(Array(plan.expression.match.utf8))
            ) { row throws(SQLFault) in
                let number = row.number(0)
                guard isOf(kind, number), plan.passes(number) else { return true }
                matched += 1
                guard matched <= Self.rankedMax else { return false }
                // Rounded to `Float`, so that summing the same terms in another order gives the same
                // position for the next page.
                let score = Double(Float(row.double(1) + plan.score(number)))
                best.add(SearchPosition(scoreBits: score.bitPattern, number: number))
                return true
            }
        } else {
            // A link says nothing about relevance, so all notes get the same score.
            for number in plan.linked where isOf(kind, number) && plan.passes(number) {
                if try isExcluded(number, by: plan.expression) { continue }
                matched += 1
                guard matched <= Self.rankedMax else { break }
                best.add(SearchPosition(scoreBits: 0, number: number))
            }
        }
        let found = best.sorted
        let page = found.prefix(limit)
        var hits: [SearchFindings.Hit] = []
        for place in page {
            if let hit = try hit(place, excerpting) { hits.append(hit) }
        }
        var next = found.count > page.count ? page.last : nil
        next?.scale = plan.scale
        return SearchFindings(
            hits: hits, next: next, isTruncated: matched > Self.rankedMax || links.contains { $0.isCut && $0.isRequired })
    }

    private func isOf(_ kind: NoteKind?, _ number: UInt64) -> Bool {
        kind == nil || kind == SearchNumber(rawValue: number).kind
    }

    /// Whether a note has a word or phrase that the query excludes.
    private func isExcluded(_ number: UInt64, by expression: SearchExpression) throws(SQLFault) -> Bool {
        guard let match = expression.excludedMatch else { return false }
        return try database.first(
            "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?", .blob(Array(match.utf8)), .number(number)
        ) { _ in true } ?? false
    }

    private func hit(_ place: SearchPosition, _ excerpting: SearchExcerpting) throws(SQLFault) -> SearchFindings.Hit? {
        let row = try database.first("SELECT note, body FROM doc WHERE number = ?", .number(place.number)) {
            row throws(SQLFault) in
            guard let id = NoteID(bytes: row.blob(0)) else { throw .malformed("the search index holds a note without an id") }
            return (id: id, body: row.blob(1))
        }
        guard let row else { throw .malformed("the search index holds words of a note that is not in it") }
        let number = SearchNumber(rawValue: place.number)
        // The blanks in place of the pointer lines of a file.
        let blanks = number.kind == .file ? row.body.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.count : 0
        return SearchFindings.Hit(
            id: row.id, commit: number.commit, excerpt: try excerpting.excerpt(of: Array(row.body.dropFirst(blanks))))
    }

    /// The number of indexed notes, at least 1, and the total size of their texts in bytes.
    func totals() throws(SQLFault) -> (notes: UInt64, bytes: UInt64) {
        let totals = try database.first("SELECT notes, bytes FROM state") { ($0.integer(0), $0.integer(1)) }
        func number(_ value: Int64?, least: UInt64) -> UInt64 {
            max(least, min(SearchScale.end - 1, UInt64(clamping: value ?? 0)))
        }
        return (number(totals?.0, least: 1), number(totals?.1, least: 0))
    }

    /// Estimates how many notes have a phrase from the density of its newest matches.
    ///
    /// **Example.** If the newest 256 matches reach back from commit 10,000 to commit 9,488, half
    /// of the last 512 commits matched, so half of all notes are taken to have the phrase. A phrase
    /// with fewer than 256 matches is counted exactly.
    func estimatedCount(of match: String, among notes: Double) throws(SQLFault) -> Double {
        var count = 0
        var last: UInt64 = 0
        try database.each(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?", .blob(Array(match.utf8)),
            .number(Self.sampledMax)
        ) { row throws(SQLFault) in
            count += 1
            last = row.number(0)
            return true
        }
        guard count == Self.sampledMax else { return min(notes, Double(count)) }
        let oldest = SearchNumber(rawValue: last).commit
        let span = Double(newest > oldest ? newest - oldest : 1)
        return min(notes, max(Double(count), notes * min(1, Double(count) / span)))
    }
}

/// Collects the best hits of many without storing all of them.
private struct BestHits {
    private let count: Int
    private let place: SearchPosition?
    private var hits: [SearchPosition] = []
    /// The worst hit that can still be among the best; nil until one is known.
    private var bound: SearchPosition?

    init(count: Int, after place: SearchPosition?) {
        self.count = count
        self.place = place
    }

    var sorted: [SearchPosition] { Array(hits.sorted { $0.isBefore($1) }.prefix(count)) }

    /// Adds a hit that comes after the start of the page.
    ///
    /// - Complexity: O(log count), amortized.
    mutating func add(_ hit: SearchPosition) {
        if let place, !place.isBefore(hit) { return }
        if let bound, !hit.isBefore(bound) { return }
        hits.append(hit)
        guard hits.count >= 4 * count else { return }
        hits = sorted
        bound = hits.last
    }
}

extension SearchPosition {
    /// Orders by score, best first, and among equals by number, newest first.
    fileprivate func isBefore(_ other: SearchPosition) -> Bool {
        (scoreBits, number) > (other.scoreBits, other.number)
    }
}
