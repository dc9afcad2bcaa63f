import NoteText
import NotesModel
import NotesSQL

/// The `author` table: maps authors to the small numbers by which revisions refer to them, with a
/// cache of recently used ones.
struct AuthorTable {
    /// Capacity of the cache in each direction. When it is full, all entries are dropped.
    static let heldMax = 1_024

    private var numbers: [Author: UInt64] = [:]
    private var authors: [UInt64: Author] = [:]

    /// Returns the number of an author, and inserts a row if there is none.
    mutating func number(of author: Author, addingTo database: Database) throws(SQLFault) -> UInt64 {
        if let number = numbers[author] { return number }
        let user = SQLValue.blob(author.user.utf8)
        let label = SQLValue.optional(author.label?.utf8)
        let find = "SELECT number FROM author WHERE user = ? AND label IS ?"
        var number = try database.first(find, user, label) { $0.number(0) }
        if number == nil {
            try database.run("INSERT INTO author (user, label) VALUES (?, ?)", user, label)
            number = try database.first(find, user, label) { $0.number(0) }
        }
        guard let number else { throw .malformed("an author's new row cannot be read back") }
        hold(author, number)
        return number
    }

    /// Returns the author with this number. Throws a corruption fault if there is none.
    mutating func author(of number: UInt64, from database: Database) throws(SQLFault) -> Author {
        if let author = authors[number] { return author }
        let author = try database.first("SELECT user, label FROM author WHERE number = ?", .number(number)) {
            row throws(SQLFault) in
            Author(
                user: try utf8(row.blob(0), "an author's user"),
                label: try row.optionalBlob(1).map { bytes throws(SQLFault) in try utf8(bytes, "an author's label") })
        }
        guard let author else { throw .malformed("a revision names author number \(number), which has no row") }
        hold(author, number)
        return author
    }

    private mutating func hold(_ author: Author, _ number: UInt64) {
        if numbers.count >= Self.heldMax || authors.count >= Self.heldMax {
            numbers.removeAll(keepingCapacity: true)
            authors.removeAll(keepingCapacity: true)
        }
        numbers[author] = number
        authors[number] = author
    }
}

/// Decodes bytes of a row that must be UTF-8. Throws a corruption fault otherwise.
func utf8(_ bytes: [UInt8], _ what: String) throws(SQLFault) -> ByteString {
    guard let text = ByteString(checkedUTF8: bytes) else { throw .malformed("\(what) is not UTF-8") }
    return text
}
