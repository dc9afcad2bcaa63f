import Causality
import Console
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import notesctl

struct SearchOutputTests {
    private func hit(_ text: String, _ ranges: [Range<Int>], name: String = "work/inbox") -> SearchResult.Hit {
        let head = Head(
            id: noteID(1), name: try? NoteName(ByteString(name)), version: version("A1"), vector: VersionVector(), title: "",
            tags: [], created: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0), author: ada, bytes: 0,
            isDeleted: false)
        return SearchResult.Hit(note: NoteObject(head, .utf8), snippet: bytes(text), ranges: ranges)
    }

    private func lines(_ hit: SearchResult.Hit, columns: Int? = nil, isPainted: Bool = false) -> [String] {
        HitList(columns: columns, style: Style(isOn: isPainted)).lines([hit])
    }

    @Test func hit_isAlwaysTwoLines() {
        #expect(lines(hit("  one\r\n\ttwo \n", [])) == ["000001  work/inbox", "    one two"])
        #expect(lines(hit("a\u{1B}[31mb", []))[1] == "    a\\x1B[31mb", "nothing that a terminal would obey")
        #expect(lines(hit("", [])) == ["000001  work/inbox", "    "])
    }

    @Test func matches_areColoured() {
        let found = hit("é milk,\ntea milk", [3..<7, 9..<17])
        #expect(lines(found)[1] == "    é milk, tea milk")
        #expect(lines(found, isPainted: true)[1] == "    é \u{1B}[33mmilk\u{1B}[0m, \u{1B}[33mtea milk\u{1B}[0m")
    }

    @Test func lines_fitTheTerminal() {
        // The name column has at least 12 columns, as in lists.
        for columns in 24...40 {
            for line in lines(
                hit("日本語の長い文 and more words than there is room for 👍👍", [], name: "a/name/that/is/long/too/日本"), columns: columns)
            {
                #expect(DisplayWidth.of(line) <= columns, "\(columns): \(line)")
            }
        }
    }
}
