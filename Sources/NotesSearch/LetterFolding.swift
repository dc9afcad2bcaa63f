import NoteText

/// Letters that people type in place of others when they search: `е` for `ё`, `o` for `ø`, `ss` for `ß`.
///
/// FTS5 itself removes the marks of Latin letters only.
enum LetterFolding {
    /// A word of the index with each letter folded; nil if no letter changes.
    ///
    /// - Complexity: O(bytes).
    static func folded(_ word: UnsafeRawBufferPointer) -> [UInt8]? {
        guard word.contains(where: { $0 >= 0xC2 && $0 <= 0xD4 }) else { return nil }
        var result: [UInt8] = []
        var (copied, index) = (0, 0)
        while index + 1 < word.count {
            let scalar = Int(word[index] & 0x1F) << 6 | Int(word[index + 1] & 0x3F)
            guard word[index] >= 0xC2, word[index] <= 0xD4, let letters = table[scalar] else {
                index += 1
                continue
            }
            result += word[copied..<index] + letters
            index += 2
            copied = index
        }
        return copied == 0 ? nil : result + word[copied...]
    }

    /// The folded letters by scalar: Latin, Greek and Cyrillic. They take two bytes of UTF-8, of which the first is at
    /// most 0xD4.
    private static let table: [[UInt8]?] = (0..<0x540).map { value in
        guard value >= 0x80, let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
        if let letters = unmarked[scalar] { return Array(letters.utf8) }
        var letters = String.UnicodeScalarView()
        for part in NameFolding.fold(ByteString(String(scalar))).description.unicodeScalars where !marks.contains(part) {
            letters.append(part)
        }
        let folded = Array(String(letters).utf8)
        return folded.isEmpty || folded == Array(String(scalar).utf8) ? nil : folded
    }

    private static let marks: ClosedRange<Unicode.Scalar> = "\u{300}"..."\u{36F}"

    /// Letters that no canonical decomposition has as a letter and a mark, in lower case, as Unicode's
    /// transliteration `Latin-ASCII` (CLDR) writes them.
    private static let unmarked: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "œ": "oe",
    ]
}
