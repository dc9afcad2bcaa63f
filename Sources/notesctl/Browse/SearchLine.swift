import NotesModel

/// The line in which the user types what to search for.
struct SearchLine {
    private(set) var characters: [Character] = []
    /// The number of characters before the caret.
    private(set) var caret = 0

    /// Most characters.
    static let charactersMax = 500

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// Types characters, as far as there is room. Control characters become spaces.
    mutating func insert(_ text: String) {
        let typed = text.map { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } ? $0 : " " }
            .prefix(Self.charactersMax - characters.count)
        characters.insert(contentsOf: typed, at: caret)
        caret += typed.count
        // A combining mark joins the character before it.
        let joined = Array(String(characters))
        if joined.count != characters.count {
            caret = String(characters[..<caret]).count
            characters = joined
            caret = min(caret, characters.count)
        }
    }

    /// Deletes the character before the caret, or the one after it. Returns whether there was one.
    mutating func delete(isForward: Bool = false) -> Bool {
        guard isForward ? caret < characters.count : caret > 0 else { return false }
        if !isForward { caret -= 1 }
        characters.remove(at: caret)
        return true
    }

    mutating func moveCaret(by count: Int) { caret = min(max(0, caret + count), characters.count) }

    mutating func clear() { self = SearchLine() }

    /// The query; nil if the line has only white space. The last word matches words that begin with
    /// it, because the user may not have typed the rest yet.
    func query() throws(SearchQueryFault) -> SearchQuery? {
        guard characters.contains(where: { !$0.isWhitespace }) else { return nil }
        if let last = characters.last, last.isLetter || last.isNumber {
            do { return try SearchQuery(parsing: ByteString(text + "*")) } catch {}
        }
        return try SearchQuery(parsing: ByteString(text))
    }
}
