/// One Swift file as the rules read it.
struct SwiftSource {
    /// From the repository's root.
    let path: String
    let text: String
    let tokens: [Token]
    let comments: [SwiftLexer.Comment]
    let lineCount: Int
    /// By word or mark outside strings: where it stands.
    private let places: [String: [Int]]

    init(path: String, text: String) {
        let lexer = SwiftLexer(text)
        self.path = path
        self.text = text
        tokens = lexer.tokens
        comments = lexer.comments
        places = Dictionary(grouping: lexer.tokens.indices.filter { lexer.tokens[$0].kind != .string }) { lexer.tokens[$0].text }
        lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.utf8.last == UInt8(ascii: "\n") || text.isEmpty ? 0 : 1)
    }

    /// The folder of its target: `Sources/NotesModel` of `Sources/NotesModel/Note.swift`.
    var targetFolder: String {
        path.split(separator: "/").prefix(2).joined(separator: "/")
    }

    var target: String {
        String(targetFolder.split(separator: "/").last ?? "")
    }

    var isTest: Bool { path.hasPrefix("Tests/") || path.hasPrefix("verification/") }

    /// The token at an index; nil past either end.
    func token(_ index: Int) -> Token? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }

    func places(of text: String) -> [Int] {
        places[text] ?? []
    }

    /// Where these words and marks stand one behind the other.
    func places(of phrase: [String]) -> [Int] {
        phrase.first.map { places(of: $0).filter { hasPhrase(phrase, at: $0) } } ?? []
    }

    /// Whether these words and marks stand at an index one behind the other, the marks without space before them.
    func hasPhrase(_ phrase: [String], at index: Int) -> Bool {
        phrase.indices.allSatisfy { place in
            guard let token = token(index + place), token.kind != .string, token.text == phrase[place] else { return false }
            return place == 0 || token.kind != .mark || !token.isSpaced
        }
    }
}

/// Something that is not as it should be, and where.
struct Finding: Hashable, CustomStringConvertible {
    let path: String
    /// From 1; 0 where the file as a whole is meant.
    let line: Int
    let message: String

    var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
