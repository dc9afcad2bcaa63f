import Testing

@testable import Console

/// Tests of texts for a terminal.
struct FormattingTests {
    @Test func controlCharacters_areEscaped() {
        #expect(SafeText.line("a\u{1B}[31mb\u{7}\n\u{9B}") == "a\\x1B[31mb\\x07\\x0A\\x9B")
        #expect(SafeText.line("x\u{202E}y\u{2028}") == "x\\u{202E}y\\u{2028}")
        #expect(SafeText.text("a\tb\nc\u{1B}") == "a\tb\nc\\x1B")
        #expect(SafeText.text("a\r\n\r\nb\r\r\nc\r") == "a\n\nb\\x0D\nc\\x0D")
        for value in UInt32(0)..<0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let safe = SafeText.line(String(Character(scalar)))
            #expect(!safe.unicodeScalars.contains { $0.properties.generalCategory == .control }, "U+\(String(value, radix: 16))")
        }
    }

    @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("😀", 2), ("", 0), ("ｱ", 1), ("한", 2)])
    func width_countsColumns(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func fit_hasExactWidth() {
        for text in ["", "abc", "日本語日本語", "a日b本c", "😀😀😀", "e\u{301}e\u{301}e\u{301}e\u{301}"] {
            for columns in 0..<12 {
                #expect(DisplayWidth.of(DisplayWidth.fit(text, columns: columns)) == columns, "\(text) \(columns)")
            }
        }
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_949, "9.9 kB"), (9_960, "10 kB"), (999_499, "999 kB"),
        (999_500, "1.0 MB"), (4_194_304, "4.2 MB"), (5_000_000_000, "5.0 GB"),
    ])
    func size_hasThreeDigitsAtMost(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }

    @Test func longNames_areCutInTheMiddle() {
        #expect(DisplayWidth.fitMiddle("work/2026/a-long-name", columns: 11) == "work/…-name")
        #expect(DisplayWidth.fitMiddle("日本語のメモ", columns: 7) == "日本…モ")
        for columns in 0..<16 {
            let cut = DisplayWidth.fitMiddle("work/日本/meeting", columns: columns)
            #expect(DisplayWidth.of(cut) == columns, "\(cut)")
        }
        #expect(DisplayWidth.fitMiddle("short", columns: 7) == "short  ")
    }

    @Test(arguments: [(0, "0 notes"), (1, "1 note"), (2, "2 notes")])
    func count_hasItsNoun(number: Int, text: String) {
        #expect(counted(number, "note") == text)
        #expect(counted(number, "revision waits", plural: "revisions wait").hasSuffix(number == 1 ? "waits" : "wait"))
    }
}
