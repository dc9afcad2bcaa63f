import BitCollections
import NotesSQL

/// Sets of the notes that have common phrases, kept to test matches of rarer phrases.
///
/// `SearchPlan` explains when a set is used. This type builds the sets and bounds their memory.
///
/// **Lifecycle, by example.** A query `walrus the` needs the set of `the`; the newest commit is
/// 1,000,000.
///
///     rows(of: "the", through: 1_000_000)   nil; remembers that the set is wanted
///     prepare(through: 1_000_000)           8,192 rows; repeated while no search runs
///     …                                     a piece of fewer rows was the last: complete
///     rows(of: "the", through: 1_000_000)   the set
///     rows(of: "the", through: 1_000_050)   the set, extended by the rows of the 50 new commits
///
/// **Why a set never becomes wrong.** A row of the index belongs to one commit and never changes:
/// an edited note gets a new row, with a greater number. So a set only ever needs new rows at its
/// end. The rows of notes that were edited or deleted stay in the set, but do no harm, because the
/// rarer phrase, which FTS5 evaluates on the live index, does not find them.
struct PostingSetCache {
    private struct Known {
        var rows = RowSet()
        /// The set is complete for all rows through this commit; 0 while it is being built.
        var through: UInt64 = 0
        /// The newest row that was read, from which building continues.
        var looked: UInt64 = 0
        /// Value of `uses` when the set was used last.
        var lastUse: UInt64 = 0
    }

    private var known: [String: Known] = [:]
    private var uses: UInt64 = 0
    private let bytesMax: Int

    /// - Parameter bytesMax: Bound on the size of all sets together, in bytes. The least recently
    ///   used set is evicted first. One set is kept in any case.
    init(bytesMax: Int = 32 << 20) {
        self.bytesMax = bytesMax
    }

    /// Number of rows that one step of building a set reads.
    static let pieceRows = 8_192

    /// Returns the set of a phrase if it is complete through a commit.
    ///
    /// Otherwise returns nil and remembers that the set is wanted, so that `prepare` builds it. A
    /// complete set that is behind is extended by one piece here, since few rows are usually
    /// missing.
    mutating func rows(of match: String, through commit: UInt64, _ database: Database) throws(SQLFault) -> RowSet? {
        uses += 1
        if var phrase = known.removeValue(forKey: match) {
            defer { known[match] = phrase }
            phrase.lastUse = uses
            // Usually few rows are missing, so extending the set here is cheap.
            if phrase.through > 0, phrase.through < commit { try Self.extend(&phrase, match, through: commit, database) }
            return phrase.through >= commit ? phrase.rows : nil
        }
        known[match] = Known(lastUse: uses)
        forgetSome()
        return nil
    }

    /// Whether a set is wanted and not complete.
    var isIncomplete: Bool { known.values.contains { $0.through == 0 } }

    /// Builds one more piece of a set that is wanted.
    ///
    /// - Parameter commit: The newest commit of the index.
    mutating func prepare(through commit: UInt64, _ database: Database) throws(SQLFault) {
        guard let match = known.first(where: { $0.value.through == 0 })?.key, var phrase = known.removeValue(forKey: match) else {
            return
        }
        // If reading fails, the set is forgotten until a query asks for it again.
        try Self.extend(&phrase, match, through: commit, database)
        known[match] = phrase
        forgetSome()
    }

    /// Reads the next `pieceRows` rows of a phrase in ascending order. Fewer rows than that mean
    /// that the end was reached, so the set is complete.
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
            // The set has one bit for each commit. A corrupt posting list must not make it allocate
            // memory for commits that do not exist.
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

/// A set of rows of the index. Each commit has one row at most, so a row is represented by its
/// commit.
struct RowSet {
    private var commits = BitSet()

    /// Size of the bits in bytes.
    var bytes: Int { (commits.last ?? 0) / 8 }

    mutating func insert(_ number: UInt64) {
        commits.insert(Int(SearchNumber(rawValue: number).commit))
    }

    func contains(_ number: UInt64) -> Bool {
        commits.contains(Int(SearchNumber(rawValue: number).commit))
    }
}
