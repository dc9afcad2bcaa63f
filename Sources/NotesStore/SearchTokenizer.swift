import GRDB
import GRDBSQLite

/// Cuts text into the words that the index knows: SQLite's own tokenizer of the index's table, so that what is looked for, what is
/// indexed and what is marked in an excerpt never disagree.
///
/// A word is a run of letters, digits and the marks on them; case and diacritics are dropped. Scripts that write no spaces, Han and
/// the Japanese syllabaries, would be one word a sentence, so each of their characters is made a word: see `separated`.
final class SearchTokenizer {
    /// As the table's `tokenize` option has it.
    static let option = "unicode61 remove_diacritics 2"

    private let tokenizer: any FTS5Tokenizer

    /// - Precondition: a table of FTS5 was made or found on the connection: it is there.
    init(_ database: Database) throws(SQLFault) {
        do {
            tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
        } catch { throw SQLFault(error, on: database) }
    }

    /// The words of a text that was made `separated`, until the visitor answers false: each as it is indexed, and its place.
    ///
    /// - Complexity: O(bytes).
    func words(of text: UnsafeBufferPointer<UInt8>, visit: (UnsafeRawBufferPointer, Range<Int>) -> Bool) throws(SQLFault) {
        let code = withoutActuallyEscaping(visit) { visit in
            let visitor = TokenCollector(visit)
            defer { visitor.visit = nil }
            return tokenizer.tokenize(
                context: Unmanaged.passUnretained(visitor).toOpaque(), tokenization: .document,
                pText: text.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) },
                nText: CInt(clamping: text.count),
                tokenCallback: { context, _, token, count, start, end in
                    guard let context, let token, start >= 0, end >= start else { return SQLITE_OK }
                    let visitor = Unmanaged<TokenCollector>.fromOpaque(context).takeUnretainedValue()
                    let bytes = UnsafeRawBufferPointer(start: token, count: Int(count))
                    return visitor.visit?(bytes, Int(start)..<Int(end)) == true ? SQLITE_OK : SQLITE_DONE
                })
        }
        guard code == SQLITE_OK || code == SQLITE_DONE else {
            throw SQLFault(code: code, message: "a text could not be tokenized")
        }
    }

    /// The words themselves.
    func words(of text: [UInt8]) throws(SQLFault) -> [[UInt8]] {
        var words: [[UInt8]] = []
        let result: Result<Void, SQLFault> = Self.separated(text).withUnsafeBufferPointer { buffer in
            do throws(SQLFault) {
                try self.words(of: buffer) { word, _ in
                    words.append(Array(word))
                    return true
                }
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
        return words
    }

    private final class TokenCollector {
        var visit: ((UnsafeRawBufferPointer, Range<Int>) -> Bool)?

        init(_ visit: @escaping (UnsafeRawBufferPointer, Range<Int>) -> Bool) {
            self.visit = visit
        }
    }
}

// MARK: - Scripts without spaces

extension SearchTokenizer {
    /// What stands between characters that are words of their own. No text has it, so that it can be taken out again.
    static let separator: UInt8 = 0

    /// The text with `separator` on both sides of each character of a script that is written without spaces.
    ///
    /// - Complexity: O(bytes); where there is no such character the text itself.
    static func separated(_ text: [UInt8]) -> [UInt8] {
        // They take three bytes or more, the first of them from here on.
        guard let first = text.firstIndex(where: { $0 >= 0xE2 }) else { return text }
        var result: [UInt8] = []
        var offset = first
        var copied = 0
        var isOpen = false
        while offset < text.count {
            let lead = text[offset]
            let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            let end = min(offset + length, text.count)
            if length >= 3, isSpaceless(text[offset..<end]) {
                result.append(contentsOf: text[copied..<offset])
                result.append(separator)
                copied = offset
                isOpen = true
            } else if isOpen {
                result.append(contentsOf: text[copied..<offset])
                result.append(separator)
                copied = offset
                isOpen = false
            }
            offset = end
        }
        result.append(contentsOf: text[copied...])
        return result
    }

    /// The text as it was, of a piece of what `separated` made.
    static func joined(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.filter { $0 != separator }
    }

    /// Whether a character of three or four bytes is Han, Hiragana or Katakana.
    private static func isSpaceless(_ character: ArraySlice<UInt8>) -> Bool {
        let scalar = character.dropFirst().reduce(UInt32(character.first ?? 0) & (character.count == 3 ? 0x0F : 0x07)) {
            $0 << 6 | UInt32($1 & 0x3F)
        }
        switch scalar {
        case 0x3005...0x3007, 0x3021...0x3029, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF,
            0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x1B000...0x1B16F,
            0x20000...0x3FFFF:
            return true
        default: return false
        }
    }
}
