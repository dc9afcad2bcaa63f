import NoteText
import NotesModel
import PageDevices
import Testing

@testable import NotesPage

/// Which pictures a guest sees with a note.
struct EmbeddedPictureTests {
    @Test func textShows_embedsAndImages_outsideOfCode() {
        let text = """
            ![[a.png]] [[b.png]] ![c](x/c.png "t") [d](d.png) `![[e.png]]` ![f][f] ![g](note:\("a")) ![h](http://h.example/h.png)
            ![[a.png|200]] ![[#part]] [![i](i.png)](j.png) <!-- ![[k.png]] -->

            [f]: f.png

            ```
            ![[l.png]]
            ```
            """
        let found = EmbeddedPicture.targets(in: Array(text.utf8)).map(\.text.description)
        #expect(found == ["a.png", "x/c.png", "i.png"])
    }

    @Test func textShows_aHundredPictures() {
        let text = (0..<150).map { "![[\($0).png]] ![[\($0).png]]\n" }.joined()
        let found = EmbeddedPicture.targets(in: Array(text.utf8)).map(\.text.description)
        #expect(found == (0..<100).map { "\($0).png" })
    }

    @Test(arguments: [
        ("secret/a.png", "picture.png"), ("b.JPEG", "picture.jpg"), ("c.svg", nil), ("d.html", nil), ("e.pdf", nil), ("f", nil),
        ("g.mp4", nil), (nil, nil),
    ])
    func picture_isOfPixels_andHasNoName(name: String?, shown: String?) throws {
        let target = LinkTarget(kind: .embed, decoded: "it")
        let content = FileContent(of: [1])
        let picture = EmbeddedPicture(target, content, named: try name.map { try NoteName(ByteString($0)) })
        #expect(picture?.shown.name?.bytes.description == shown)
        guard let picture, let shown else { return }
        let json = String(decoding: EmbeddedPicture.json([picture]), as: UTF8.self)
        #expect(
            json == """
                {"pictures":[{"kind":"wiki","target":"it","name":"\(shown)","sha256":"\(content.hash)","bytes":1}]}
                """)
    }
}
