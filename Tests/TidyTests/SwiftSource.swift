/// A Swift file split into tokens.
struct SwiftSource {
    /// Path relative to the repository's root.
    let path: String
    let text: String
    let tokens: [Token]
    let comments: [SwiftLexer.Comment]
    let lineCount: Int
    /// The indices of each word or mark outside strings.
    let places: [String: [Int]]

    init(path: String, text: String) {
        let lexer = SwiftLexer(text)
        self.path = path
        self.text = text
        tokens = lexer.tokens
        comments = lexer.comments
        places = Dictionary(grouping: lexer.tokens.indices.filter { lexer.tokens[$0].kind != .string }) { lexer.tokens[$0].text }
        lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.utf8.last == UInt8(ascii: "\n") || text.isEmpty ? 0 : 1)
    }

    /// The folder of the file's target: `Sources/NotesModel` for `Sources/NotesModel/Note/Note.swift`. It is the one below a folder
    /// `Sources` or `Tests`, wherever that is, or else the second folder of the path.
    var targetFolder: String {
        let folders = path.split(separator: "/")
        let parent = folders.firstIndex { $0 == "Sources" || $0 == "Tests" } ?? 0
        return folders.prefix(parent + 2).joined(separator: "/")
    }

    var target: String {
        String(targetFolder.split(separator: "/").last ?? "")
    }

    /// Whether the rules for tests apply: to all files except those below a folder `Sources`.
    var isTest: Bool { targetFolder.split(separator: "/").dropLast().last != "Sources" }

    /// The token at an index; nil if out of range.
    func token(_ index: Int) -> Token? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }

    func places(of text: String) -> [Int] {
        places[text] ?? []
    }

    /// The indices at which these words and marks follow one another.
    func places(of phrase: [String]) -> [Int] {
        phrase.first.map { places(of: $0).filter { hasPhrase(phrase, at: $0) } } ?? []
    }

    /// Whether these words and marks follow one another at an index, with no space before the
    /// marks.
    func hasPhrase(_ phrase: [String], at index: Int) -> Bool {
        phrase.indices.allSatisfy { place in
            guard let token = token(index + place), token.kind != .string, token.text == phrase[place] else { return false }
            return place == 0 || token.kind != .mark || !token.isSpaced
        }
    }
}

/// A violation of a rule and its place.
struct Finding: Hashable, CustomStringConvertible {
    let path: String
    /// Line number, from 1; 0 for the file as a whole.
    let line: Int
    let message: String

    var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
