/// Habits of language that make a native reader stop, as far as a pattern can find them. CONTRIBUTING.md has the whole list.
///
/// The rule reads comments of Swift files and prose of documents, without code spans and quotations.
enum LanguageRule {
    struct Habit {
        let pattern: Regex<Substring>
        let instead: String
    }

    static var habits: [Habit] {
        [
            Habit(pattern: /\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b/, instead: "say \"they\" or name the role"),
            Habit(pattern: /\bfor who\b/, instead: "name the reader: \"for client authors\""),
            Habit(pattern: /\bIt is (?:told|tried|said)\b/, instead: "name who sends, tries or reports it"),
            Habit(pattern: /\b(?:is|are|was|were) (?:told|said)\b/, instead: "say sent, reported, logged or notified"),
            Habit(pattern: /\bmend(?:s|ed|ing)?\b/, instead: "say fix"),
            Habit(pattern: /\b[Ww]hoever\b/, instead: "name the actor"),
            Habit(pattern: /^\W*Who (?:has|is|writes|reads|asks|wants|comes|goes|had) [^?]*$/, instead: "name the actor"),
        ]
    }

    static func findings(path: String, text: String) -> [Finding] {
        let isCode = path.hasSuffix(".swift")
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { number, line in
            let prose = isCode ? comment(of: line) : line
            guard let prose, mayHaveHabit(prose) else { return [Finding]() }
            let plain = prose.replacing(/`[^`]*`|"[^"]*"/, with: "")
            return habits.filter { plain.contains($0.pattern) }.map { habit in
                Finding(path: path, line: number + 1, message: "\(habit.instead): \(plain)")
            }
        }
    }

    /// The words of which each pattern needs one. Matching the patterns on every line takes most of a minute.
    private static let words: Set<[UInt8]> = Set(
        ["he", "his", "him", "himself", "who", "tried", "told", "said", "mend", "mends", "mended", "mending", "whoever"].map {
            Array($0.utf8)
        })

    private static func mayHaveHabit(_ line: Substring) -> Bool {
        var word: [UInt8] = []
        for byte in line.utf8 {
            let letter = byte | 0x20
            if (0x61...0x7A).contains(letter) {
                word.append(letter)
            } else {
                if words.contains(word) { return true }
                word.removeAll(keepingCapacity: true)
            }
        }
        return words.contains(word)
    }

    /// The comment on a line that holds nothing else; nil on a line of code.
    private static func comment(of line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("//") ? text : nil
    }
}
