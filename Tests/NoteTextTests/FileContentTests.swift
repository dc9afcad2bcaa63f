import Causality
import NoteText
import TestKit
import Testing
import TextMerge

@Suite struct FileContentTests {
    static let hash = String(repeating: "0123456789abcdef", count: 4)
    static let other = String(repeating: "f", count: 64)

    private func line(_ hash: String, _ bytes: Int) -> String { "notesd-file sha256:\(hash) \(bytes)" }

    @Test(arguments: [0, 1, 10, 4_294_967_296, 1 << 53]) func pointerLine_isReadAsItWasWritten(size: Int) throws {
        let content = try #require(FileContent(line: Array(line(Self.hash, size).utf8)))
        #expect(content.bytes == size)
        #expect(content.hash.textForm == Self.hash)
        #expect(content.line == Array(line(Self.hash, size).utf8))
        #expect(FileHash(bytes: content.hash.bytes) == content.hash)
    }

    @Test(arguments: [
        "", "notesd-file sha256:", "notesd-file sha256:\(hash)", "notesd-file sha256:\(hash) ", "notesd-file sha256:\(hash) 01",
        "notesd-file sha256:\(hash) -1", "notesd-file sha256:\(hash) 1 ", "notesd-file  sha256:\(hash) 1",
        " notesd-file sha256:\(hash) 1", "notesd-file sha256:\(hash.uppercased()) 1", "notesd-file sha256:\(hash)0 1",
        "notesd-file sha256:\(hash.dropLast()) 1", "notesd-file sha256:\(hash) 9007199254740993",
        "notesd-file sha256:\(hash) 99999999999999999999", "notesd-file sha256:\(hash) 1\r", "# notesd-file sha256:\(hash) 1",
        "notesd-file sha256:\(hash) ١",
    ]) func anotherLine_isNoPointerLine(line: String) {
        #expect(FileContent(line: Array(line.utf8)) == nil)
        #expect(!FileContent.isFile(Array(line.utf8)))
        #expect(FileContent.all(of: Array((line + "\n").utf8)).isEmpty)
    }

    @Test func contents_areEachOnce_inTheOrderOfTheirLines() {
        let text = [line(Self.other, 2), line(Self.hash, 1), line(Self.other, 2), "", "a caption"].joined(separator: "\n")
        #expect(FileContent.all(of: bytes(text)).map(\.hash.textForm) == [Self.other, Self.hash])
        #expect(FileContent.all(of: bytes("a\n" + text)).isEmpty, "a text that names bytes is no file")
        #expect(FileContent.named(in: bytes("a\n" + text)).count == 3)
    }

    /// Only a file has a pointer line as its title.
    @Test func title_tellsWhetherANoteIsAFile() {
        let pointer = line(Self.hash, 1)
        for text in [pointer, pointer + "\n", pointer + "\n\ncaption #tag\n", pointer + "\n" + line(Self.other, 2) + "\n"] {
            #expect(Title.of(bytes(text)) == ByteString(pointer))
        }
        for text in [
            "\n" + pointer, "# " + pointer, pointer + "\r\n", "---\ntitle: \(pointer)\n---\nx",
            "---\ntitle: \"\(pointer)\"\n---\nx", "---\naliases: [\(pointer)]\n---\n", "---\na: b\n---\n" + pointer,
            "\u{FEFF}" + pointer,
        ] {
            #expect(Title.of(bytes(text)).utf8.isEmpty, "\(text)")
        }
        #expect(Title.of(bytes(pointer + " ")) == ByteString(pointer + " "))
    }

    @Test(arguments: seeds(200)) func newBytes_takeThePlaceOfAllOthers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func content() throws -> FileContent {
            let hash = try #require(FileHash(bytes: (0..<32).map { _ in UInt8(random.below(2)) }))
            return FileContent(hash: hash, bytes: random.below(100))
        }
        var lines = [String(decoding: try content().line, as: UTF8.self)]
        for _ in 0..<random.below(4) { lines.append(String(decoding: try content().line, as: UTF8.self)) }
        let caption = random.chance(0.5) ? ["", "caption"] : []
        let text = bytes((lines + caption).joined(separator: "\n") + (random.chance(0.5) ? "\n" : ""))
        let new = random.chance(0.3) ? try #require(FileContent.first(of: text)) : try content()
        let edits = new.edits(of: text)
        let result = edits.applied(to: text)
        #expect(FileContent.all(of: result) == [new], "seed \(seed)")
        #expect(edits[0].start == 0 && !edits[0].replacement.isEmpty, "the line is new even if it is the same, seed \(seed)")
        #expect(
            String(decoding: result, as: UTF8.self).hasSuffix("caption")
                == String(decoding: text, as: UTF8.self).hasSuffix("caption"))
    }
}
