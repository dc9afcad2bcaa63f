/// Rewrites the command line into the form that the argument parser accepts.
enum Arguments {
    /// Moves the options that every command accepts from before the command to after it, so that
    /// `notesctl --socket PATH list` works although the parser wants `notesctl list --socket PATH`.
    /// Also turns `--json=id,name` into `--json --fields=id,name`, because the parser has no
    /// options with an optional value. Leaves everything from `--` on unchanged.
    static func rewritten(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var own = words[..<end]
        let before = own.prefix(countBeforeCommand(own))
        if before.count < own.count {
            // Insert them directly after the command's name. At the end of the line, a last option
            // that lacks its value would consume one of them as its value.
            let rest = own.dropFirst(before.count)
            let command = rest.prefix(CommandTable.countOfName(in: rest))
            own = command + before + rest.dropFirst(command.count)
        }
        return own.flatMap { word -> [String] in
            guard word.hasPrefix(jsonWithFields) else { return [word] }
            return ["--json", "--fields=" + word.dropFirst(jsonWithFields.count)]
        } + words[end...]
    }

    /// Number of leading words that are common options or their values.
    private static func countBeforeCommand(_ words: ArraySlice<String>) -> Int {
        var rest = words
        while let word = rest.first {
            let name = word.prefix { $0 != "=" }
            if ["--json", "--null", "-0", "--no-pager"].contains(name) {
                rest.removeFirst()
            } else if ["--socket", "--format"].contains(name) {
                rest = rest.dropFirst(name.count == word.count ? 2 : 1)
            } else {
                break
            }
        }
        return words.count - rest.count
    }

    private static let jsonWithFields = "--json="
}

/// Suggestions for a mistyped word.
enum NearWords {
    /// Most suggestions for one word.
    static let countMax = 3

    /// The words similar to a mistyped one, nearest first. A word is similar if its edit distance
    /// is at most a third of the typed length (at least 1), or if the typed word is a whole later
    /// component of its path, as `inbox` is of `work/inbox`.
    ///
    /// - Complexity: O(words * length²).
    static func of(_ word: String, among words: some Sequence<String>) -> [String] {
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
        return found.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(countMax).map(\.word)
    }

    /// `; did you mean …?`, or `;` alone if nothing is similar. Joins the statement of an error to
    /// the advice that follows.
    static func question(_ word: String, among words: some Sequence<String>) -> String {
        let near = of(word, among: words).map(SafeText.quoted)
        guard let last = near.last else { return ";" }
        return "; did you mean " + (near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last) + "?"
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
