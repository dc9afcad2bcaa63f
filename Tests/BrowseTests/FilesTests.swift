import ClientTestKit
import Console
import EditSession
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Browse

/// Files in `browse`.
struct FilesTests {
    private static let content = FileContent(of: [1, 2, 3])

    private func head(_ number: UInt64, _ name: String) -> Head {
        BrowserSession.head(number, name: name, title: String(decoding: Self.content.line, as: UTF8.self))
    }

    /// A session that lists a text and then the files.
    private func session() -> BrowserSession {
        var session = BrowserSession()
        session.send(.connected(own: DependentID(1), isReset: false))
        session.send(.listed([BrowserSession.head(1, name: "text")], next: nil, isFirst: true, generation: 1))
        session.rest()
        session.press(.tab, .character("f"))
        #expect(session.requests == [.list(.newest(before: nil), kind: .file, generation: 2)])
        session.send(.listed([head(2, "a.png"), head(3, "b.pdf")], next: nil, isFirst: true, generation: 2))
        session.rest()
        return session
    }

    @Test func key_listsFiles_andTextsAgain() throws {
        var session = session()
        #expect(session.browser.rows.rows.map(\.head.kind) == [.file, .file])
        // The watch reports both kinds.
        try session.send(BrowserSession.change(BrowserSession.head(4, name: "new text"), .created))
        try session.send(BrowserSession.change(head(5, "c.png"), .created))
        #expect(session.browser.rows.rows.map { $0.head.name?.description } == ["c.png", "a.png", "b.pdf"])
        session.press(.character("/"))
        session.type("pn")
        let query = try SearchQuery(parsing: "pn*")
        #expect(session.requests == [.search(query, kind: .file, after: nil, generation: try #require(session.generation))])
        session.press(.escape, .tab, .character("f"))
        #expect(session.requests == [.list(.newest(before: nil), kind: .text, generation: try #require(session.generation))])
        #expect(session.browser.listing.kind == .text)
    }

    @Test(arguments: [Key.enter, .tab, .right, .character("e")]) func file_isOpened_andNeverTypedIn(key: Key) {
        var session = session()
        let text = Self.content.line + Array("\n\na photo\n".utf8)
        session.send(.shown(NoteObject(head(2, "a.png"), body: .text(text), conflicts: [])))
        let grid = session.grid.lines
        for words in ["image/png, 3 B", "a photo", "a.png", "b.pdf"] {
            #expect(grid.contains { $0.contains(words) }, "\(words) in \(grid)")
        }
        #expect(!grid.contains { $0.contains("notesd-file") })
        session.press(key)
        #expect(session.requests == [.openFile(Canned.id(2))] && session.browser.place == .list)
        session.press(.character("x"), .paste(Array("words".utf8)), .backspace)
        #expect(session.browser.isSaved && session.browser.session?.text == text)
        // A click leads into the pane of the note.
        session.browser.place = .note
        session.press(.character("x"))
        #expect(session.browser.place == .list && session.browser.session?.text == text)
    }
}
