import CSQLite
import Glibc
import NotesModel
import NotesSQL

/// Ranks notes by BM25 over the phrases of a query, as an auxiliary function of FTS5.
///
/// FTS5's own `bm25` counts the notes of each phrase by reading all of them, however few notes
/// match the query, and looks up each note's length in another table. Here `SearchPlan` passes the
/// counts in as weights, and the length is part of the row's number (`SearchNumber`). So ranking a
/// note reads nothing but its positions of the phrases.
///
/// The formula, for a phrase that n of N notes have and that a note has f times:
///
///     worth = ln(1 + (N - n + 0.5) / (n + 0.5))
///     norm  = 1.2 × (0.25 + 0.75 × length / mean length)
///     score = worth × f × 2.2 / (f + norm)
///
/// A note's score is the sum over the wanted phrases. An occurrence in the name counts 4 times.
///
/// **Example.** Of N = 1,000,000 notes, 300 have `walrus` (worth 8.11) and 900,000 have `the`
/// (worth 0.11). `the` is common, so it counts once. Two notes of mean length (norm 1.2) score
///
///     `walrus` twice in the body, and `the`   8.11 × 2 × 2.2 / 3.2 + 0.11 × 1 × 2.2 / 2.2 = 11.26
///     `walrus` in the name, and no `the`      8.11 × 4 × 2.2 / 5.2                        = 13.72
enum SearchRanking {
    /// Name of the function in SQL.
    static let function = "notes_score"

    /// How many occurrences in the body one occurrence in the name is worth.
    private static let nameWeight = 4.0
    /// BM25's k1: the greater, the more further occurrences of a phrase add.
    private static let saturation = 1.2
    /// BM25's b, from 0 to 1: how strongly the length of a note counts.
    private static let lengthShare = 0.75

    /// Registers `notes_score(words, weights)` on a connection. `blob(phrases:length:)` encodes the
    /// weights.
    static func register(on database: Database) throws(SQLFault) {
        let api = try FTS5.api(of: database)
        let code = api.pointee.xCreateFunction?(api, function, nil, notesScore, nil)
        guard code == SQLITE_OK else { throw SQLFault(code: code ?? SQLITE_ERROR, message: "FTS5 rejected the ranking function") }
    }

    /// Encodes the weights for the function: the mean length, then a weight for each phrase, each
    /// as 8 bytes of a `Double`.
    ///
    /// - Parameters:
    ///   - phrases: The weight of each phrase, in the order of FTS5; 0 if it is excluded, negative
    ///     if it counts once however often the note has it.
    ///   - length: The mean length of a note in bytes.
    static func blob(phrases: [Double], length: Double) -> [UInt8] {
        ([length] + phrases).flatMap { value in withUnsafeBytes(of: value.bitPattern) { Array($0) } }
    }

    /// The weight of a phrase that `count` of all `notes` have (the inverse document frequency of
    /// BM25).
    ///
    /// - Precondition: `count` is at most `notes`.
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

    /// The length-dependent term of BM25's denominator: the longer a note, the more occurrences it
    /// needs for the same score.
    static func norm(of number: UInt64, meanLength: Double) -> Double {
        saturation * (1 - lengthShare + lengthShare * SearchNumber(rawValue: number).length / max(1, meanLength))
    }

    /// The score of one phrase that a note has `frequency` times.
    static func score(worth: Double, frequency: Double, norm: Double) -> Double {
        worth * frequency * (saturation + 1) / (frequency + norm)
    }
}

/// The callback in the form that FTS5 requires. Arguments that are not a blob of weights score 0.
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

/// The number of a row of the index: the note's newest commit, then a bit for its kind and 4 bits for the
/// length of its text.
///
/// Numbers ascend with commits, so FTS5 returns the newest notes first, and no table has to be read
/// for the length. **Example:** a text of 100 bytes at commit 7 has magnitude 3, since 100 / 16 = 6
/// has 3 bits, so the number is 7 << 5 | 3 = 227, and `length` is 12 << 3 = 96 bytes.
struct SearchNumber {
    let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private static let fileBit: UInt64 = 1 << 4

    /// - Precondition: the commit is below 2^58.
    init(commit: UInt64, _ kind: NoteKind, bytes: Int) {
        // 0 below 16 bytes, plus 1 for each doubling, at most 15.
        let magnitude = min(15, Int.bitWidth - max(0, bytes / 16).leadingZeroBitCount)
        rawValue = commit << 5 | (kind == .file ? Self.fileBit : 0) | UInt64(magnitude)
    }

    var commit: UInt64 { rawValue >> 5 }
    var kind: NoteKind { rawValue & Self.fileBit == 0 ? .text : .file }
    /// Length of the text in bytes, to within a factor of 2.
    var length: Double { Double(12 << (rawValue & 15)) }
}
