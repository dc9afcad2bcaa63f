import EditSession
import Testing

/// The place of a caret after edits by others.
struct CaretTests {
    /// The text after others' edits, with the caret as `|`; `text` has it, too.
    private func moved(_ text: String, to new: String) -> String {
        let caret = text.utf8.prefix { $0 != UInt8(ascii: "|") }.count
        let (old, new) = (Array(text.replacing("|", with: "").utf8), Array(new.utf8))
        let place = EditSession.caret(caret, in: old, after: StatedDiff.shortEdits(from: old, to: new))
        return String(decoding: new[..<place] + [UInt8(ascii: "|")] + new[place...], as: UTF8.self)
    }

    /// The caret goes with its line, also if others changed it by one step on the way.
    @Test(arguments: [
        ("milk\ntea\ncall Anna on 12 May\n", "milk\ntea\ncall Anna| on 12 May\n"),
        ("milk\ntea\nfoo call Anna on 12 May\n", "milk\ntea\nfoo call Anna| on 12 May\n"),
        ("milk\ntea\ncall Anna on 12 May foo\n", "milk\ntea\ncall Anna| on 12 May foo\n"),
        ("milk\ntea\ncall Anna on May\n", "milk\ntea\ncall Anna| on May\n"),
        ("milk\ntea\nAnna on 12 May", "milk\ntea\nAnna| on 12 May"),
    ])
    func caret_goesWithItsLine(new: String, wanted: String) {
        #expect(moved("call Anna| on 12 May\nmilk\ntea\n", to: new) == wanted)
    }

    /// It stays where its line was if several lines may be that line.
    @Test(arguments: [
        "milk\ntea\ncall Anna on 12 May foo\ncall Anna on 12 May bar\n", "milk\ntea\nother\n", "milk\ntea\ncall\n",
    ])
    func caret_staysWhereItsLineWas_ifThatIsNotElsewhere(new: String) {
        #expect(moved("call Anna| on 12 May\nmilk\ntea\n", to: new) == "|" + new)
    }
}
