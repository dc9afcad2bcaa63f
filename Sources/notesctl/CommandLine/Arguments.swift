/// The words of the command line before they are parsed.
enum Arguments {
    /// What every command takes may stand before it too, as in `notesctl --socket PATH list`; the parser wants it behind. And
    /// `--json=id,name` becomes `--json --fields id,name`: it knows no option whose value may be left out. What stands behind `--`
    /// is the user's own and stays.
    static func rewritten(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var own = words[..<end]
        let before = own.prefix(countBeforeCommand(own))
        if before.count < own.count {
            // Right behind it: a last option of the user's that lacks its value must not take one of these for it.
            let rest = own.dropFirst(before.count)
            let command = rest.prefix(CommandTable.countOfName(in: rest))
            own = command + before + rest.dropFirst(command.count)
        }
        return own.flatMap { word -> [String] in
            guard word.hasPrefix(jsonWithFields) else { return [word] }
            return ["--json", "--fields=" + word.dropFirst(jsonWithFields.count)]
        } + words[end...]
    }

    /// How many words at the beginning are options that every command has, and their values.
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

/// Words that are near a mistyped one.
enum NearWords {
    /// Most that are proposed.
    static let countMax = 3

    /// Those that a slip of the fingers may have meant, the nearest first: at most a third of the letters differ (one at least),
    /// or the word is a whole part of a name, as `inbox` is of `work/inbox`.
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

    /// `; did you mean …?`, or the `;` alone, between what is wrong and what to do.
    static func question(_ word: String, among words: some Sequence<String>) -> String {
        let near = of(word, among: words).map(SafeText.quoted)
        guard let last = near.last else { return ";" }
        return "; did you mean " + (near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last) + "?"
    }

    /// How many letters to leave out, put in, change, or swap with their neighbour (optimal string alignment).
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
