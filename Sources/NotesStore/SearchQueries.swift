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

    /// - Complexity: FTS5's for the newest `rankedMax` matches; then O(matches ranked + limit log limit), and a text each for the hits.
    func find(
        _ expression: SearchExpression, _ excerpting: SearchExcerpting, limit: Int, after place: SearchPosition?
    ) throws(SQLFault) -> SearchFindings {
        let weights = try weights(expression)
        var best = BestHits(count: limit + 1, after: place)
        var matched = 0
        // The newest first: a note's number rises with its commit.
        try database.each(
            "SELECT rowid, \(SearchRanking.function)(words, ?) FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
            .blob(weights), .blob(Array(expression.match.utf8)), .number(Self.rankedMax + 1)
        ) { row throws(SQLFault) in
            matched += 1
            if matched <= Self.rankedMax { best.add(SearchPosition(scoreBits: row.double(1).bitPattern, number: row.number(0))) }
            return true
        }
        let found = best.sorted
        let page = found.prefix(limit)
        var hits: [SearchFindings.Hit] = []
        for place in page {
            if let hit = try hit(place, excerpting) { hits.append(hit) }
        }
        return SearchFindings(
            hits: hits, next: found.count > page.count ? page.last : nil, isTruncated: matched > Self.rankedMax)
    }

    private func hit(_ place: SearchPosition, _ excerpting: SearchExcerpting) throws(SQLFault) -> SearchFindings.Hit? {
        let row = try database.first("SELECT note, body FROM doc WHERE number = ?", .number(place.number)) {
            row throws(SQLFault) in
            (id: try NoteID(storedBytes: row.blob(0)), body: row.blob(1))
        }
        guard let row else { throw .malformed("the search index has words of a note that it does not have") }
        return SearchFindings.Hit(
            id: row.id, commit: SearchNumber(rawValue: place.number).commit, excerpt: try excerpting.excerpt(of: row.body))
    }

    /// What each phrase is worth: the less, the more notes have it. With one phrase it makes no difference.
    private func weights(_ expression: SearchExpression) throws(SQLFault) -> [UInt8] {
        let totals = try database.first("SELECT notes, bytes FROM state") {
            (notes: Double($0.integer(0)), bytes: Double($0.integer(1)))
        }
        let notes = max(1, totals?.notes ?? 1)
        var values: [Double] = []
        let isAlone = expression.phrases.filter(\.isWanted).count == 1
        for phrase in expression.phrases {
            guard phrase.isWanted, !isAlone else {
                values.append(phrase.isWanted ? 1 : 0)
                continue
            }
            let count = min(notes, try estimatedCount(of: phrase.match, among: notes))
            values.append(max(0.01, SearchRanking.worth(of: count, among: notes)))
        }
        return SearchRanking.blob(phrases: values, length: (totals?.bytes ?? 0) / notes)
    }

    /// About how many notes have a phrase, from how densely it stands in the newest of them.
    private func estimatedCount(of match: String, among notes: Double) throws(SQLFault) -> Double {
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
        guard count == Self.sampledMax else { return Double(count) }
        let oldest = SearchNumber(rawValue: last).commit
        let span = Double(newest > oldest ? newest - oldest : 1)
        return max(Double(count), notes * min(1, Double(count) / span))
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
