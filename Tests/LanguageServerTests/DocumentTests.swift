import NoteText
import NotesModel
import TestKit
import Testing

@testable import LanguageServer

/// A text with `|` at the cursor.
private func marked(_ text: String) -> (text: PlacedText, offset: Int) {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    return (PlacedText(Array(parts.joined().utf8), .utf8), parts[0].utf8.count)
}

@Suite struct CompletionContextTests {
    private func context(_ text: String) -> CompletionContext? {
        let (text, offset) = marked(text)
        return CompletionContext(at: offset, in: text)
    }

    @Test(arguments: [
        ("see [[|", CompletionContext.Kind.wiki, "]]"), ("see [[wo|", .wiki, "]]"), ("see [[wo|]]", .wiki, ""),
        ("see [[wo|]", .wiki, "]"), ("[[a]] and [[wo|rk]] x", .wiki, ""), ("[[wo| and [[b]]", .wiki, "]]"),
        ("![[wo|", .wiki, "]]"), ("---\nup: [[wo|\n---\n", .wiki, "]]"),
        ("[x](|", .path(isAngled: false), ")"), ("[x](a/b|)", .path(isAngled: false), ""),
        ("[x](<a b|", .path(isAngled: true), ">)"),
        ("[[a#|", .heading(of: "a", isWiki: true), "]]"), ("[[#|]]", .heading(of: "", isWiki: true), ""),
        ("[x](a.md#|", .heading(of: "a.md", isWiki: false), ")"),
        ("#|", .tag, ""), ("a #wo|", .tag, ""), ("(#wo|", .tag, ""),
    ])
    func places_areRecognised(_ text: String, _ kind: CompletionContext.Kind, _ closing: String) {
        #expect(context(text)?.kind == kind, "\(text)")
        #expect(context(text)?.closing == closing, "\(text)")
    }

    @Test(arguments: [
        "|", "a|", "[[a]]|", "[[a|b", "`[[wo|", "```\n[[wo|\n```\n", "a\n``[[wo|``", "x](|", "[x](a b|", "# wo|", "a#wo|",
        "`#wo|", "[[a\n|", "[x](a)|",
    ])
    func otherPlaces_haveNone(_ text: String) {
        // The bar in `[[a|b` belongs to the link.
        if text == "[[a|b" {
            #expect(CompletionContext(at: 5, in: PlacedText(Array(text.utf8), .utf8)) == nil)
        } else {
            let text = text.hasPrefix("`") ? text + "`" : text
            #expect(context(text) == nil, "\(text)")
        }
    }

    /// No text and place ends the program.
    @Test(arguments: seeds(300)) func anyPlace_isSafe(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = (0..<random.below(20)).map { _ in
            random.pick(["[", "[[", "]]", "]", "](", ")", "#", "|", "<", ">", "a", " ", "\n", "\r\n", "`", "é", "^", "---\n"])
        }.joined()
        let placed = PlacedText(Array(text.utf8), .utf8)
        for offset in 0...placed.bytes.count where offset == placed.bytes.count || placed.bytes[offset] & 0xC0 != 0x80 {
            let isInEnd = placed.range(ofLine: placed.line(of: offset)).upperBound < offset
            if let context = CompletionContext(at: offset, in: placed) {
                #expect(
                    (isInEnd || context.range.upperBound == offset) && context.start <= context.range.lowerBound, "seed \(seed)")
            }
            _ = PlaceSubject(at: offset, in: placed)
        }
    }
}

@Suite struct PlaceSubjectTests {
    private func target(_ text: String) -> String? {
        let (text, offset) = marked(text)
        switch PlaceSubject(at: offset, in: text) {
        case .link(let link): return "link \(link.target)"
        case .tag(let tag): return "tag \(tag)"
        case .heading(let section): return "heading \(String(decoding: section.title, as: UTF8.self))"
        case .nothing: return nil
        }
    }

    @Test func subjects_areWhatTheCursorIsOn() {
        #expect(target("x [|[a b#c]] y") == "link a b")
        #expect(target("x [[a b#|c]] y") == "link a b")
        #expect(target("x [[ a ]|] y") == "link a")
        #expect(target("x| [[a]] [[b]]") == nil)
        #expect(target("[[a]] [[|b]]") == "link b")
        #expect(target("[sh|own [x]](a.md)") == "link a.md")
        #expect(target("[shown](a.md \"title|\")") == "link a.md")
        #expect(target("[ref]: a|.md") == "link a.md")
        #expect(target("# The |heading\n") == "heading The heading")
        #expect(target("a #t|ag b") == "tag tag")
        #expect(target("a `#t|ag` b") == nil)
    }
}

@Suite struct SectionsTests {
    private let text = "---\n# no\n---\n# A\ntext ^one\n## My heading, 1\n### C\n## D ##\n# B\n```\n# no\n```\n## D\r\nend"

    private func line(_ fragment: String) -> String? {
        let bytes = Array(text.utf8)
        return Sections(bytes).range(of: ByteString(fragment)).map { String(decoding: bytes[$0.line], as: UTF8.self) }
    }

    @Test func fragments_meanHeadingsAndBlocks() {
        #expect(line("A") == "# A")
        #expect(line("My heading, 1") == "## My heading, 1")
        #expect(line("my-heading-1") == "## My heading, 1")
        #expect(line("my%20heading%201") == "## My heading, 1")
        #expect(line("A#C") == "### C")
        #expect(line("B#D") == "## D")
        #expect(line("B#C") == nil)
        #expect(line("^one") == "text ^one")
        #expect(line("^on") == nil && line("no") == nil)
    }

    @Test func sections_endAtTheNextOfTheirLevel() {
        let bytes = Array(text.utf8)
        let sections = Sections(bytes).all.map {
            String(decoding: bytes[$0.range], as: UTF8.self).prefix(3) + "\($0.range.count)"
        }
        #expect(sections.count == 6)
        #expect(Sections(bytes).all.last?.range.upperBound == bytes.count)
    }

    /// What completion writes for a heading means this heading.
    @Test(arguments: ["My heading", "a | b # c ^ [d]", "Über 漢字 & more", "C++", "2026-11-26: notes"])
    func writtenFragments_meanTheirHeading(_ title: String) {
        let sections = Sections(Array("# Other\n# \(title)\n".utf8))
        for fragment in [LinkFragment.wiki(Array(title.utf8)), LinkFragment.path(Array(title.utf8))] {
            #expect(sections.range(of: ByteString(fragment))?.line == sections.all[1].line, "\(fragment)")
        }
    }
}

@Suite struct FileURITests {
    @Test func paths_returnFromTheirURIs() {
        for path in ["/a/b.md", "/ä b/#?%.md", "/𝄞"] { #expect(FileURI.path(of: FileURI.text(ofPath: path.utf8)) == path) }
        #expect(FileURI.text(ofPath: "/ä b".utf8) == "file:///%C3%A4%20b")
        #expect(FileURI.path(of: "file://localhost/a") == "/a")
        for uri in ["untitled:1", "file://host/a", "http://x/a", "file:///%FF", "file:///a%00"] {
            #expect(FileURI.path(of: uri) == nil)
        }
    }
}
