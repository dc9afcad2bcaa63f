/// Suggests the intended word for a misspelt one.
enum Nearest {
    /// The word of the list with the smallest edit distance; nil if that distance is greater than 2
    /// and than a third of the word's length in bytes.
    ///
    /// - Complexity: O(words × length²).
    static func word(to misspelt: String, of words: [String]) -> String? {
        let given = Array(misspelt.utf8)
        var best: (word: String, distance: Int)?
        for word in words {
            let distance = distance(given, Array(word.utf8))
            if distance < best?.distance ?? .max { best = (word, distance) }
        }
        guard let best, best.distance <= max(2, best.word.utf8.count / 3) else { return nil }
        return best.word
    }

    /// Number of insertions, removals and replacements of bytes that turn `left` into `right`
    /// (Wagner and Fischer, *The String-to-String Correction Problem*, JACM 21/1, 1974). Keeps one
    /// row of the table.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
