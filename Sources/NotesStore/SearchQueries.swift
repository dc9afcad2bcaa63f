import GRDB
import NotesModel

/// Looks things up in the index.
struct SearchQueries {
    /// How many notes are ranked at most: of more that match, the newest.
    static let rankedMax = 10_000
    /// How many of a phrase's newest notes it takes to say how common it is.
    private static let sampledMax = 256

    let database: Database
    /// The newest commit of the index.
    let newest: UInt64
    let thresholds: SelectivityThresholds

    /// - Complexity: FTS5's for the newest `rankedMax` matches, of the parts that are not common where there is a set for each that is;
    ///   then O(matches ranked + limit log limit), and a text each for the hits.
    func find(
        _ expression: SearchExpression, _ excerpting: SearchExcerpting, limit: Int, after place: SearchPosition?,
        _ common: inout PostingSetCache
    ) throws(SQLFault) -> SearchFindings {
        let plan = try SearchPlan(expression, self, scale: place?.scale, &common)
        var best = BestHits(count: limit + 1, after: place)
        var matched = 0
        // The newest first: a note's number rises with its commit.
        try database.each(
            "SELECT rowid, \(SearchRanking.function)(words, ?) FROM words WHERE words MATCH ? ORDER BY rowid DESC",
            .blob(plan.weights), .blob(Array(plan.expression.match.utf8))
        ) { row throws(SQLFault) in
            let number = row.number(0)
            guard plan.passes(number) else { return true }
            matched += 1
            guard matched <= Self.rankedMax else { return false }
            // Rounded, so that the same sum in another order is the same place for the next page.
            let score = Double(Float(row.double(1) + plan.score(number)))
            best.add(SearchPosition(scoreBits: score.bitPattern, number: number))
            return true
        }
        let found = best.sorted
        let page = found.prefix(limit)
        var hits: [SearchFindings.Hit] = []
        for place in page {
            if let hit = try hit(place, excerpting) { hits.append(hit) }
        }
        var next = found.count > page.count ? page.last : nil
        next?.scale = plan.scale
        return SearchFindings(hits: hits, next: next, isTruncated: matched > Self.rankedMax)
    }

    private func hit(_ place: SearchPosition, _ excerpting: SearchExcerpting) throws(SQLFault) -> SearchFindings.Hit? {
        let row = try database.first("SELECT note, body FROM doc WHERE number = ?", .number(place.number)) {
            row throws(SQLFault) in
            (id: try NoteID(storedBytes: row.blob(0)), body: row.blob(1))
        }
        guard let row else { throw .malformed("the search index holds words of a note that is not in it") }
        return SearchFindings.Hit(
            id: row.id, commit: SearchNumber(rawValue: place.number).commit, excerpt: try excerpting.excerpt(of: row.body))
    }

    /// How many notes there are, and their texts' bytes.
    func totals() throws(SQLFault) -> (notes: UInt64, bytes: UInt64) {
        let totals = try database.first("SELECT notes, bytes FROM state") { ($0.integer(0), $0.integer(1)) }
        func number(_ value: Int64?, least: UInt64) -> UInt64 {
            max(least, min(SearchScale.end - 1, UInt64(clamping: value ?? 0)))
        }
        return (number(totals?.0, least: 1), number(totals?.1, least: 0))
    }

    /// About how many notes have a phrase, from how densely it stands in the newest of them.
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

/// The best of many hits.
private struct BestHits {
    private let count: Int
    private let place: SearchPosition?
    private var hits: [SearchPosition] = []
    /// Nothing below it is among the best any more.
    private var bound: SearchPosition?

    init(count: Int, after place: SearchPosition?) {
        self.count = count
        self.place = place
    }

    var sorted: [SearchPosition] { Array(hits.sorted { $0.isBefore($1) }.prefix(count)) }

    /// - Complexity: O(log count), spread over many.
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
    /// Better ones first, among equals the newer.
    fileprivate func isBefore(_ other: SearchPosition) -> Bool {
        (scoreBits, number) > (other.scoreBits, other.number)
    }
}
