import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How well a note answers a query: BM25 over its phrases, as a function of FTS5.
///
/// FTS5's own `bm25` asks how many notes have each phrase by reading all of them, however few the query matches; here that is
/// given (`SearchQueries.weights`). And it looks up each note's length, which here stands in the note's number.
enum SearchRanking {
    static let function = "notes_score"

    /// How often a word counts that stands in the name.
    private static let nameWeight = 4.0
    private static let saturation = 1.2
    private static let lengthShare = 0.75

    /// Makes the function known on a connection: `notes_score(words, weights)`, the weights as `blob` makes them.
    static func register(on database: Database) throws(SQLFault) {
        let api = FTS5.api(database)
        let code = api.pointee.xCreateFunction?(
            UnsafeMutablePointer(mutating: api), function, nil,
            notesScore, nil)
        guard code == SQLITE_OK else { throw SQLFault(code: code ?? SQLITE_ERROR, message: "FTS5 rejected the ranking function") }
    }

    /// - Parameters:
    ///   - phrases: what each phrase is worth, in their order; 0 for those that are excluded, and less than 0 for those that count
    ///     only as being there.
    ///   - length: a note's mean length in bytes.
    static func blob(phrases: [Double], length: Double) -> [UInt8] {
        ([length] + phrases).flatMap { value in withUnsafeBytes(of: value.bitPattern) { Array($0) } }
    }

    /// - Parameter count: how many of the notes have the phrase, not more than there are.
    static func worth(of count: Double, among notes: Double) -> Double {
        log(1 + (notes - count + 0.5) / (count + 0.5))
    }

    fileprivate static func score(
        _ api: UnsafePointer<Fts5ExtensionApi>, _ fts: OpaquePointer, _ weights: UnsafeRawBufferPointer
    ) -> Double {
        let size = MemoryLayout<UInt64>.size
        func weight(_ index: Int) -> Double {
            Double(bitPattern: weights.loadUnaligned(fromByteOffset: index * size, as: UInt64.self))
        }
        guard weights.count >= size, let first = api.pointee.xPhraseFirst, let next = api.pointee.xPhraseNext else { return 0 }
        let number = api.pointee.xRowid?(fts) ?? 0
        let norm = norm(of: UInt64(bitPattern: number), meanLength: weight(0))
        var score = 0.0
        for phrase in 0..<(weights.count / size - 1) {
            let worth = weight(phrase + 1)
            guard worth != 0 else { continue }
            var iterator = Fts5PhraseIter()
            var (column, offset) = (CInt(0), CInt(0))
            var frequency = 0.0
            guard first(fts, CInt(phrase), &iterator, &column, &offset) == SQLITE_OK else { continue }
            if worth < 0 {
                if column >= 0 { score += Self.score(worth: -worth, frequency: 1, norm: norm) }
                continue
            }
            while column >= 0 {
                frequency += column == CInt(SearchExpression.Column.name.rawValue) ? nameWeight : 1
                next(fts, &iterator, &column, &offset)
            }
            score += Self.score(worth: worth, frequency: frequency, norm: norm)
        }
        return score
    }

    /// How much more often a note must have a phrase than one of mean length to be as good.
    static func norm(of number: UInt64, meanLength: Double) -> Double {
        saturation * (1 - lengthShare + lengthShare * SearchNumber(rawValue: number).length / max(1, meanLength))
    }

    static func score(worth: Double, frequency: Double, norm: Double) -> Double {
        worth * frequency * (saturation + 1) / (frequency + norm)
    }
}

/// As FTS5 calls it.
private let notesScore:
    @convention(c) (
        UnsafePointer<Fts5ExtensionApi>?, OpaquePointer?, OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void = { api, fts, context, count, values in
        guard let api, let fts, count == 1, let blob = values?[0], let start = sqlite3_value_blob(blob) else {
            return sqlite3_result_double(context, 0)
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(blob)))
        sqlite3_result_double(context, SearchRanking.score(api, fts, bytes))
    }

/// What the index calls a note's state: its commit, and about how long its text is. Rises with the commit.
struct SearchNumber {
    let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// - Precondition: the commit is below 2^59.
    init(commit: UInt64, bytes: Int) {
        // 0 for less than 16 bytes, one more each time it is twice as long.
        let magnitude = min(15, Int.bitWidth - max(0, bytes / 16).leadingZeroBitCount)
        rawValue = commit << 4 | UInt64(magnitude)
    }

    var commit: UInt64 { rawValue >> 4 }
    /// In bytes, to within a factor of 2.
    var length: Double { Double(12 << (rawValue & 15)) }
}
