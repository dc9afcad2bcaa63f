import Console
import NoteText
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

    /// The queries for the line, best first; none if the line has only white space.
    ///
    /// The user may not have typed the rest of the last word yet, so the first query matches words that
    /// begin with it. The daemon refuses some such queries, for instance if the word has only one
    /// letter. It alone knows which, because it alone divides a text into words. The second query, for
    /// the line as it is, is for that case.
    ///
    /// - Throws: the fault of the line, if no query can be made of it.
    func queries() throws(SearchQueryFault) -> [SearchQuery] {
        guard characters.contains(where: { !$0.isWhitespace }) else { return [] }
        var queries: [SearchQuery] = []
        if let last = characters.last, last.isLetter || last.isNumber {
            do throws(SearchQueryFault) { queries.append(try SearchQuery(parsing: ByteString(text + "*"))) } catch {}
        }
        do throws(SearchQueryFault) { queries.append(try SearchQuery(parsing: ByteString(text))) } catch {
            if queries.isEmpty { throw error }
        }
        return queries
    }

    /// A sentence that says what is wrong with the line. Its subject is the text at the fault.
    func sentence(_ fault: SearchQueryFault) -> String {
        let rest = String(decoding: text.utf8.dropFirst(fault.offset), as: UTF8.self)
        return "\(rest.isEmpty ? "the search" : SafeText.quoted(rest)) \(SafeText.line(fault.reason))"
    }
}

extension SearchQuery {
    /// The name that a user may mean by the query: the words of a single term, or the whole text if it
    /// has only words. A note with this name matches the query. Nil if there is no such name.
    var name: NoteName? {
        func isWord(_ node: Node) -> Bool { if case .term(let term) = node { term.field == .any } else { false } }
        switch root {
        case .term(let term) where term.field == .any || term.field == .name: return try? NoteName(term.words)
        case .all(let required, let excluded) where excluded.isEmpty && required.allSatisfy(isWord):
            var words = Substring(text.description)
            if words.last == "*" { words.removeLast() }
            while words.first?.isWhitespace == true { words.removeFirst() }
            while words.last?.isWhitespace == true { words.removeLast() }
            return try? NoteName(ByteString(String(words)))
        default: return nil
        }
    }

    /// Sorts the notes that match the query: those with its name come first, then those whose name
    /// differs only in case. The order is otherwise the same.
    func sorted(_ heads: [Head]) -> [Head] {
        guard let name else { return heads }
        let folded = name.description.lowercased()
        let (exact, others) = (heads.filter { $0.name == name }, heads.filter { $0.name != name })
        let isEqual = { (head: Head) in head.name?.description.lowercased() == folded }
        return exact + others.filter(isEqual) + others.filter { !isEqual($0) }
    }
}
