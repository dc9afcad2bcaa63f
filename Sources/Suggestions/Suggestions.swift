/// Suggestions for a mistyped word.
package enum Suggestions {
    /// Maximum number of suggestions for one word.
    package static let countMax = 3

    /// The words similar to a mistyped one, nearest first. A word is similar if its edit distance
    /// is at most 1 or a third of the typed length, whichever is greater, and at most 1 more than
    /// that of the nearest word. A path with the typed word as a later component, such as
    /// `work/inbox` for `inbox`, has distance 1.
    ///
    /// - Complexity: O(words * length²).
    package static func of(_ word: String, among words: some Sequence<String>) -> [String] {
        let typed = Array(word.lowercased().unicodeScalars)
        let limit = max(1, typed.count / 3)
        var found: [(distance: Int, word: String)] = []
        for candidate in words {
            let scalars = Array(candidate.lowercased().unicodeScalars)
            if candidate.split(separator: "/").dropFirst().contains(where: { $0.lowercased() == word.lowercased() }) {
                found.append((1, candidate))
            } else if abs(scalars.count - typed.count) <= limit {
                let distance = distance(typed, scalars)
                if distance <= limit { found.append((distance, candidate)) }
            }
        }
        guard let nearest = found.map(\.distance).min() else { return [] }
        return found.filter { $0.distance <= nearest + 1 }.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
            .prefix(countMax).map(\.word)
    }

    /// `did you mean …?`; nil if no word is similar.
    ///
    /// - Parameter quote: puts quotation marks around a word.
    package static func question(
        _ word: String, among words: some Sequence<String>, quote: (String) -> String
    ) -> String? {
        let near = of(word, among: words).map(quote)
        guard let last = near.last else { return nil }
        return "did you mean " + (near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last) + "?"
    }

    /// Edit distance: the number of insertions, deletions, substitutions and swaps of neighbours
    /// (optimal string alignment).
    ///
    /// - Complexity: O(left * right).
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var above = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(above[column] + (isSame ? 0 : 1), above[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, above) = (above, current)
        }
        return above[right.count]
    }
}
