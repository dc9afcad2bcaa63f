import Foundation
package import NoteText

/// A note as a search sees it, and whether it matches: computed word by word, independently of the
/// index.
package struct SearchableNote: Hashable, Sendable {
    package var name: String?
    package var text: String

    package init(name: String?, text: String) {
        self.name = name
        self.text = text
    }

    /// Whether the note matches a query.
    package func matches(_ node: SearchQuery.Node) -> Bool {
        switch node {
        case .term(let term): matches(term)
        case .any(let nodes): nodes.contains(where: matches)
        case .all(let wanted, let excluded): wanted.allSatisfy(matches) && !excluded.contains(where: matches)
        }
    }

    private func matches(_ term: SearchQuery.Term) -> Bool {
        switch term.field {
        case .tag:
            return Tags.of(Array(text.utf8)).contains { term.isPrefix ? $0.hasPrefix(term.words) : $0 == term.words }
        // Links depend on all notes; `LinkOracle` finds them.
        case .link: return false
        case .name: return Self.occurs(term, in: name ?? "")
        case .any: return Self.occurs(term, in: name ?? "") || Self.occurs(term, in: text)
        }
    }

    private static func occurs(_ term: SearchQuery.Term, in text: String) -> Bool {
        let wanted = words(term.words.description)
        let words = words(text)
        guard !wanted.isEmpty, words.count >= wanted.count else { return false }
        return (0...words.count - wanted.count).contains { start in
            wanted.indices.allSatisfy { index in
                let (word, other) = (words[start + index], wanted[index])
                return term.isPrefix && index == wanted.count - 1
                    ? word.utf8.starts(with: other.utf8) : word.utf8.elementsEqual(other.utf8)
            }
        }
    }

    /// The letter without its marks, followed by the marks. Hangul, which has no marks, stays
    /// composed.
    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        (0xAC00...0xD7A3).contains(scalar.value)
            ? [scalar] : Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
    }

    /// What people type for letters that have no mark to leave out.
    private static let typed = [
        "ß": "ss", "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "œ": "oe",
    ]

    /// Runs of letters and digits in lower case without marks; each character of the Chinese and
    /// Japanese scripts is its own word.
    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in text.unicodeScalars.flatMap(decomposed) {
            switch scalar.properties.generalCategory {
            case .nonspacingMark where !word.isEmpty: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
                let isAlone = (0x3041...0x30FF).contains(scalar.value) || (0x4E00...0x9FFF).contains(scalar.value)
                if isAlone { end() }
                let letter = scalar.properties.lowercaseMapping
                word += typed[letter] ?? letter
                if isAlone { end() }
            default: end()
            }
        }
        end()
        return words
    }
}

extension SeededGenerator {
    private static var pieces: [String] {
        [
            "milk", "Milk", "bread", "Crème", "creme", "cre\u{300}me", "Brûlée", "日本語", "東京", "テスト", "한국어", "Straße", "Привет",
            "привет", "Ёлка", "е\u{308}лка", "smørrebrød", "Łódź", "ΆΛΦΑ", "42", "x1", "milky", "tea", "🎉", "👩‍👩‍👧", "#todo",
            "#Work/a", "#work/b", "don't", "one_two", "(", ")", "\"",
            "*",
        ]
    }

    /// Words of several scripts, separated by everything that can separate words.
    package mutating func searchableText(pieces count: Int) -> String {
        (0..<below(count + 1)).map { _ in pick(Self.pieces) + pick([" ", " ", " ", "\n", "\r\n", ", ", "-", ""]) }.joined()
    }

    /// A random name, unique by its number, or nil.
    package mutating func searchableName(_ number: UInt64) -> String? {
        chance(0.3) ? nil : pick(["work", "Crème", "日本", "milk-list", "東京/tea"]) + "/\(number)"
    }

    /// A random query that is valid and can be run.
    package mutating func query(depth: Int = 2) -> String {
        let words = [
            "milk", "MILK", "mil*", "bread", "crème", "Creme", "brul*", "日本", "本語", "東京", "テス", "한국어", "straße", "strasse",
            "прив*",
            "приве", "елка", "ёлк*", "smorrebrod", "SMØR*", "lodz", "αλφα", "42", "tea",
        ]
        let terms =
            words + [
                "\"milk bread\"", "\"creme brulee\"", "\"milk don't\"", "tag:todo", "tag:WORK/a", "tag:work*", "name:work",
                "name:日本", "name:creme",
            ]
        switch below(depth > 0 ? 8 : 3) {
        case 3: return "(\(query(depth: depth - 1)) OR \(query(depth: depth - 1)))"
        case 4: return "\(query(depth: depth - 1)) \(query(depth: depth - 1))"
        case 5: return "\(query(depth: depth - 1)) -\(pick(terms))"
        case 6: return "(\(query(depth: depth - 1))) NOT (\(query(depth: depth - 1)))"
        case 7: return "\(query(depth: depth - 1)) AND \(query(depth: depth - 1)) OR \(query(depth: 0))"
        default: return pick(terms)
        }
    }
}
