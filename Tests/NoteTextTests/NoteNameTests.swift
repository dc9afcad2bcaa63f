import NoteText
import Testing

@Suite struct NoteNameTests {
    @Test(arguments: ["a", "work/inbox", "é/ß", "…", "a b", "..a/b..", "\u{A0}", "£", String(repeating: "x", count: 255)])
    func name_isASlashSeparatedPath(text: String) throws {
        #expect(try NoteName(ByteString(text)).description == text)
    }

    @Test(arguments: [
        ("", InvalidName.empty), ("/a", .emptyPart), ("a/", .emptyPart), ("a//b", .emptyPart), (".", .dotPart),
        ("a/../b", .dotPart),
        ("a\nb", .controlCharacter(offset: 1)), ("a\u{7F}", .controlCharacter(offset: 1)),
        ("é\u{85}", .controlCharacter(offset: 2)), ("\u{80}", .controlCharacter(offset: 0)),
        ("£\u{9F}", .controlCharacter(offset: 2)),
        (String(repeating: "x", count: 256), .partTooLong(bytes: 256)),
        (Array(repeating: String(repeating: "x", count: 204), count: 6).joined(separator: "/"), .tooLong(bytes: 1_229)),
    ])
    func malformedName_isRefused(text: String, fault: InvalidName) {
        #expect(throws: fault) { try NoteName(ByteString(text)) }
    }

    @Test func names_areComparedByBytes() throws {
        let composed = try NoteName("\u{E9}")
        let decomposed = try NoteName("e\u{301}")
        #expect(composed != decomposed)
    }

    @Test func names_sortByBytes() throws {
        let names = try ["a", "a/b", "aé", "b", "é"].map { try NoteName(ByteString($0)) }
        #expect(names.shuffled().sorted() == names)
    }
}
