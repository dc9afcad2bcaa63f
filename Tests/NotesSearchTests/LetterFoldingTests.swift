import NotesModel
import TestKit
import Testing

@testable import NotesSearch

/// Letters that people type in place of others when they search.
@Suite struct LetterFoldingTests {
    /// Each scalar that a word can have, also where the table of letters ends.
    @Test func anyLetter_isFolded() {
        for value in UInt32(0x80)...0x2000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let word = Array("a\(Character(scalar))b".utf8)
            let folded = word.withUnsafeBytes { LetterFolding.folded($0) } ?? word
            #expect(folded.first == 0x61 && folded.last == 0x62 && String(validating: folded, as: UTF8.self) != nil, "\(value)")
        }
    }

    @Test(arguments: [
        ("елка", "Ёлка"), ("ЁЛКА", "елка"), ("петр", "Пётр"), ("мой", "мои\u{306}"), ("strasse", "Straße"), ("stras*", "Straße"),
        ("Straße", "STRASSE"), ("smorrebrod", "smørrebrød"), ("lodz", "Łódź"), ("coeur", "cœur"), ("istanbul", "İstanbul"),
        ("issiz", "ıssız"), ("αθηνα", "Αθήνα"), ("vietnam", "Việtnam"),
    ])
    func letters_areFoundAsPeopleTypeThem(query: String, text: String) throws {
        let folder = try TemporaryDirectory()
        let index = try SearchIndexTests.index(folder, ["before \(text) after", "other"])
        let hits = try index.find(try SearchIndexTests.query(query), limit: 10, after: nil, through: 2).hits
        #expect(hits.map(\.id) == [noteID(1)])
        let marked = hits.first.map { hit in hit.excerpt.ranges.map { String(decoding: hit.excerpt.text[$0], as: UTF8.self) } }
        #expect(marked == [text], "the whole word is marked")
    }
}
