import Foundation
import NoteText
import NotesModel
import TestKit
import Testing
import TextMerge

@testable import LanguageServer

/// A text with the edits of a rename, which are applied as an editor does it: by places.
private func renamed(
    _ text: String, heading: Int, to title: String, _ encoding: PositionEncoding
) throws -> (text: String, lost: Int, json: String) {
    let bytes = Array(text.utf8)
    let document = OpenDocument(uri: "file:///n/a.md", path: "/n/a.md", version: 7, text: PlacedText(bytes, encoding))
    let section = try #require(Sections(bytes).all.dropFirst(heading).first)
    let rename = try #require(HeadingRename(section, in: bytes, to: Array(title.utf8)))
    let found = rename.edits(of: Links.of(bytes), in: bytes)
    var edits = DocumentEdits()
    edits.documents = [(document, (found.edits + [rename.titleEdit]).sorted { $0.start < $1.start })]
    let json = try #require(JSONSerialization.jsonObject(with: Data(edits.json)) as? [String: Any])
    let change = try #require((json["documentChanges"] as? [[String: Any]])?.first)
    var placed = document.text
    for edit in try #require(change["edits"] as? [[String: Any]]).reversed() {
        let range = try #require(edit["range"] as? [String: [String: Int]])
        let places = try ["start", "end"].map { end in
            TextPlace(line: try #require(range[end]?["line"]), character: try #require(range[end]?["character"]))
        }
        placed = placed.replacing(places[0], places[1], with: Array(try #require(edit["newText"] as? String).utf8))
    }
    return (String(decoding: placed.bytes, as: UTF8.self), found.lost, String(decoding: edits.json, as: UTF8.self))
}

@Suite struct HeadingRenameTests {
    @Test(arguments: [PositionEncoding.utf8, .utf16])
    func headingAndFragments_areReplaced_withSurrogatePairsAndCRLF(_ encoding: PositionEncoding) throws {
        let text = "𝄞 [[#𝄞 Old]] 🎉[[#𝄞 old|𝄞]]\r\n# 𝄞 Old \r\n![[#𝄞 Old#In]] [[#In]] `[[#𝄞 Old]]`\r\n## In"
        let result = try renamed(text, heading: 0, to: " é 🎉 ", encoding)
        #expect(
            result.text == "𝄞 [[#é 🎉]] 🎉[[#é 🎉|𝄞]]\r\n# é 🎉 \r\n![[#é 🎉#In]] [[#In]] `[[#𝄞 Old]]`\r\n## In", "\(result.json)")
        #expect(result.lost == 0)
        #expect(result.json.contains(#""version":7"#))
    }

    @Test func otherFragments_stay() throws {
        let text = "# A\n# B\n[[#B]] [[#^A]] [[x#A]] [y](n.md#a) [[#A ]] [[ x #A]]\n"
        #expect(
            try renamed(text, heading: 0, to: "C d", .utf8).text
                == "# C d\n# B\n[[#B]] [[#^A]] [[x#C d]] [y](n.md#c-d) [[#C d ]] [[ x #C d]]\n")
    }

    /// A fragment that would mean another heading, or that cannot be written, stays.
    @Test(arguments: [("B", "# B\n# A\n[[#A]]\n"), ("|", "# B\n# A\n[[#A]]\n")])
    func fragmentThatCannotMeanTheHeading_isLost(_ title: String, _ text: String) throws {
        let result = try renamed(text, heading: 1, to: title, .utf8)
        #expect(result.text == "# B\n# \(title)\n[[#A]]\n" && result.lost == 1, "\(result)")
    }

    @Test(arguments: ["", "  ", "a\nb", "a\rb"]) func titleThatIsNoLine_isRefused(_ title: String) throws {
        let text = Array("# A\n".utf8)
        let section = try #require(Sections(text).all.first)
        #expect(HeadingRename(section, in: text, to: Array(title.utf8)) == nil)
    }

    /// No text, heading and title ends the program, and only fragments and the title change.
    @Test(arguments: seeds(200)) func anyRename_isSafe(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = ["# A\n", "## B\r\n", "# 𝄞\n", "[[#A]]", "[[#A#B]]", "[x](y#a)", "[[#𝄞|z]]", " ", "\n", "#", "[[", "]]", "`"]
        let text = (0..<random.below(25)).map { _ in random.pick(parts) }.joined()
        let bytes = Array(text.utf8)
        for section in Sections(bytes).all {
            guard let rename = HeadingRename(section, in: bytes, to: Array(random.pick(["C", "A", "𝄞 x", "#", "]]"]).utf8))
            else { continue }
            let edits = rename.edits(of: Links.of(bytes), in: bytes).edits
            var end = 0
            for edit in edits {
                #expect(edit.start >= end && edit.end > edit.start, "seed \(seed)")
                end = edit.end
            }
            _ = Edit.applying(edits, to: bytes)
        }
    }
}

@Suite struct NewNoteNameTests {
    @Test(arguments: [
        ("b", "work/a", "work/b"), ("b.md", "work/a", "work/b"), ("/b", "work/a", "p/b"), ("x/b", "work/a", "p/x/b"),
        (" b c ", "a", "b c"), ("b", nil, "p/b"),
    ])
    func namesWithoutASlash_keepTheFolder(_ typed: String, _ old: String?, _ wanted: String) async throws {
        let name = try await NewNoteName.name(Array(typed.utf8), of: old.map { ByteString($0) }) { ByteString("p/\($0)") }
        #expect("\(name)" == wanted)
    }

    @Test(arguments: ["", "/", "a//b", "..", "a\nb"]) func impossibleNames_areRefused(_ typed: String) async {
        await #expect(throws: LanguageFault.self) {
            try await NewNoteName.name(Array(typed.utf8), of: "a") { $0 }
        }
    }
}
