import GRDB

/// Which notes have the phrases that many have and that were looked for beside rarer ones.
///
/// FTS5 comes by every note that has a phrase, however few have the others: `walrus the` costs what `the` costs. With the set of the
/// notes of `the` at hand it costs what `walrus` costs. A set is made a piece at a time, when nothing is looked for; it only grows,
/// since what a row of the index has never changes, and rows that are gone are not found by the other phrase.
struct PostingSetCache {
    private struct Known {
        var rows = RowSet()
        /// All rows up to the newest of this commit that have the phrase are in it.
        var through: UInt64 = 0
        /// The newest row that was looked at, where there may be more.
        var looked: UInt64 = 0
        var lastUse: UInt64 = 0
    }

    private var known: [String: Known] = [:]
    private var uses: UInt64 = 0
    private let bytesMax: Int

    /// - Parameter bytesMax: of all sets together; the one that was not used for the longest time goes first. One is kept in any case.
    init(bytesMax: Int = 32 << 20) {
        self.bytesMax = bytesMax
    }

    /// So many rows are looked at in one piece.
    static let pieceRows = 8_192

    /// The rows of a phrase, where all up to a commit are known. Where not, they are asked for: `prepare` has something to do.
    mutating func rows(of match: String, through commit: UInt64, _ database: Database) throws(SQLFault) -> RowSet? {
        uses += 1
        if var phrase = known.removeValue(forKey: match) {
            defer { known[match] = phrase }
            phrase.lastUse = uses
            // What came since is mostly little.
            if phrase.through > 0, phrase.through < commit { try Self.extend(&phrase, match, through: commit, database) }
            return phrase.through >= commit ? phrase.rows : nil
        }
        known[match] = Known(lastUse: uses)
        forgetSome()
        return nil
    }

    /// Whether a set is asked for and not whole.
    var isLacking: Bool { known.values.contains { $0.through == 0 } }

    /// Makes one more piece of a set that was asked for.
    ///
    /// - Parameter commit: the newest of the index.
    mutating func prepare(through commit: UInt64, _ database: Database) throws(SQLFault) {
        guard let match = known.first(where: { $0.value.through == 0 })?.key, var phrase = known.removeValue(forKey: match) else {
            return
        }
        // Where that fails it is forgotten, until it is looked for again.
        try Self.extend(&phrase, match, through: commit, database)
        known[match] = phrase
        forgetSome()
    }

    private static func extend(
        _ phrase: inout Known, _ match: String, through commit: UInt64, _ database: Database
    ) throws(SQLFault) {
        var count = 0
        try database.each(
            "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?", .blob(Array(match.utf8)),
            .number(phrase.looked), .number(pieceRows)
        ) { row throws(SQLFault) in
            count += 1
            phrase.looked = row.number(0)
            // The set has a bit for each commit: a list that is damaged must not ask for more than there are.
            guard SearchNumber(rawValue: phrase.looked).commit <= commit else {
                throw .malformed("the search index holds words of a commit newer than its position")
            }
            phrase.rows.insert(phrase.looked)
            return true
        }
        phrase.through = count < pieceRows ? commit : 0
    }

    private mutating func forgetSome() {
        while known.count > 1, known.values.reduce(0, { $0 + $1.rows.bytes }) > bytesMax || known.count > Self.countMax {
            guard let oldest = known.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
            known[oldest.key] = nil
        }
    }

    private static let countMax = 64
}

/// Rows of the index by their commits, of which each has one note's: one bit for each commit.
struct RowSet {
    private var words: [UInt64] = []

    var bytes: Int { words.count * 8 }

    mutating func insert(_ number: UInt64) {
        let commit = SearchNumber(rawValue: number).commit
        let index = Int(commit / 64)
        if index >= words.count { words += [UInt64](repeating: 0, count: index + 1 - words.count) }
        words[index] |= 1 << (commit % 64)
    }

    func contains(_ number: UInt64) -> Bool {
        let commit = SearchNumber(rawValue: number).commit
        let index = Int(commit / 64)
        return index < words.count && words[index] & (1 << (commit % 64)) != 0
    }
}
