import CSQLite
import NoteText
import NotesSQL

/// Splits text into words with the tokenizer of the index's table, so that queries, the index and
/// the marks in excerpts always agree.
///
/// A word is a run of letters, digits and combining marks; case and diacritics are ignored. Scripts
/// without spaces (Han and the Japanese syllabaries) would make one word of each sentence, so each
/// of their characters becomes a word: see `separated`.
final class SearchTokenizer {
    /// The value of the table's `tokenize` option.
    static let option = "\(FoldingTokenizer.name) remove_diacritics 2"

    private let tokenizer: FTS5Tokenizer

    /// Gets the tokenizer of a connection.
    ///
    init(_ database: Database) throws(SQLFault) {
        try FoldingTokenizer.register(on: database)
        tokenizer = try FTS5Tokenizer(Self.option.split(separator: " ").map(String.init), of: database)
    }

    /// Visits the words of a text that `separated` returned, each as indexed and with its byte
    /// range, until the visitor returns false.
    ///
    /// - Complexity: O(bytes).
    func words(of text: UnsafeBufferPointer<UInt8>, visit: (UnsafeRawBufferPointer, Range<Int>) -> Bool) throws(SQLFault) {
        let code = withoutActuallyEscaping(visit) { visit in
            let visitor = TokenCollector(visit)
            defer { visitor.visit = nil }
            return tokenizer.tokenize(text, context: Unmanaged.passUnretained(visitor).toOpaque()) {
                context, _, token, count, start, end in
                guard let context, let token, start >= 0, end >= start else { return SQLITE_OK }
                let visitor = Unmanaged<TokenCollector>.fromOpaque(context).takeUnretainedValue()
                let bytes = UnsafeRawBufferPointer(start: token, count: Int(count))
                return visitor.visit?(bytes, Int(start)..<Int(end)) == true ? SQLITE_OK : SQLITE_DONE
            }
        }
        guard code == SQLITE_OK || code == SQLITE_DONE else {
            throw SQLFault(code: code, message: "a text could not be tokenized")
        }
    }

    /// Returns the words of a text.
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
    /// Separates characters that are words by themselves. No text contains it, so it can be removed
    /// again.
    static let separator: UInt8 = 0

    /// Returns the text with `separator` on both sides of each character of a script without
    /// spaces.
    ///
    /// - Complexity: O(bytes). A text without such a character is returned as it is.
    static func separated(_ text: [UInt8]) -> [UInt8] {
        // These characters take at least three bytes, and their first byte is at least this.
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

    /// Removes the separators from a part of a text that `separated` returned.
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

extension ByteString {
    /// A text that the index contains, without separators.
    ///
    /// - Throws: A corruption fault if it is not UTF-8, which no text of a note is.
    init(indexed text: some Sequence<UInt8>) throws(SQLFault) {
        guard let joined = ByteString(checkedUTF8: SearchTokenizer.joined(text)) else {
            throw .malformed("the search index contains a text that is not UTF-8")
        }
        self = joined
    }
}
