import Causality
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@Suite struct TokenTests {
    @Test(arguments: seeds(50))
    func tokens_roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cursor = random.anyCursor()
        #expect(CursorText.cursor(parsing: ByteString(CursorText.text(cursor))) == cursor, "seed \(seed)")
        let place = random.anyListPlace(mayBeStart: false)
        #expect(ListToken.text(place).flatMap { ListToken.place(parsing: $0) } == place, "seed \(seed)")
    }

    @Test func cursor_hasOneCanonicalForm() {
        let commit = CommitPosition(sequence: 42, replica: ReplicaID(bits: 0x9f86_d081_884c_7d65))
        #expect(CursorText.text(Cursor(commit)) == "42.9f86d081884c7d65")
        let most = CommitPosition(sequence: UInt64(Int64.max), replica: replica("A"))
        #expect(CursorText.cursor(parsing: "9223372036854775807.aaaaaaaaaaaaaaaa") == Cursor(most))
        #expect(CursorText.cursor(parsing: "0.aaaaaaaaaaaaaaaa")?.commit.sequence == 0)
        let behind = "42.9f86d081884c7d65-9223372036854775807.aaaaaaaaaaaaaaaa"
        #expect(CursorText.text(Cursor(commit, newest: most)) == behind)
        #expect(CursorText.cursor(parsing: ByteString(behind)) == Cursor(commit, newest: most))
    }

    @Test(arguments: [
        "", ".", "1", "1.", ".aaaaaaaaaaaaaaaa", "01.aaaaaaaaaaaaaaaa", "00.aaaaaaaaaaaaaaaa", "+1.aaaaaaaaaaaaaaaa",
        "-1.aaaaaaaaaaaaaaaa", " 1.aaaaaaaaaaaaaaaa", "1.aaaaaaaaaaaaaaa", "1.aaaaaaaaaaaaaaaaa", "1.AAAAAAAAAAAAAAAA",
        "1.aaaaaaaaaaaaaaaa ", "1.2.aaaaaaaaaaaaaaaa", "9223372036854775808.aaaaaaaaaaaaaaaa",
        "99999999999999999999.aaaaaaaaaaaaaaaa", "1e3.aaaaaaaaaaaaaaaa", "１.aaaaaaaaaaaaaaaa",
        "-", "1.aaaaaaaaaaaaaaaa-", "-1.aaaaaaaaaaaaaaaa", "1.aaaaaaaaaaaaaaaa-2", "1-2.aaaaaaaaaaaaaaaa",
        "2.aaaaaaaaaaaaaaaa-1.aaaaaaaaaaaaaaaa", "1.aaaaaaaaaaaaaaaa-1.aaaaaaaaaaaaaaaa", "1.aaaaaaaaaaaaaaaa-1.bbbbbbbbbbbbbbbb",
        "1.aaaaaaaaaaaaaaaa-2.aaaaaaaaaaaaaaaa-3.aaaaaaaaaaaaaaaa", "1.aaaaaaaaaaaaaaaa--2.aaaaaaaaaaaaaaaa",
    ])
    func malformedCursor_isRefused(text: String) {
        #expect(CursorText.cursor(parsing: ByteString(text)) == nil)
    }

    @Test(arguments: [
        "", "x", "/a", "@x", "@/", "@//a", "@/../a", "@/a\u{0}", "@@", "@/a/", "0", "01", "-1", "18446744073709551616", "１",
    ])
    func malformedListToken_isRefused(pattern: String) {
        let text = pattern.replacing("@", with: noteID(1).description)
        #expect(ListToken.place(parsing: ByteString(text)) == nil)
    }

    @Test func naughtyNames_roundTripInTokens() throws {
        for naughty in try ForeignTexts.naughtyStrings().map({ ByteString(validUTF8: $0) }) {
            guard let name = try? NoteName(naughty) else { continue }
            let place = ListPlace.byName(after: ListPosition(name: name, id: noteID(1)))
            #expect(ListToken.text(place).flatMap { ListToken.place(parsing: $0) } == place)
        }
    }

    // MARK: Time

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ])
    func time_isRFC3339(milliseconds: Int64, text: String) {
        #expect(TimestampText.text(Timestamp(milliseconds: milliseconds)) == text)
        #expect(TimestampText.timestamp(parsing: ByteString(text)) == Timestamp(milliseconds: milliseconds))
    }

    @Test func timeOutsideFourDigitYears_isClamped() {
        #expect(TimestampText.text(Timestamp(milliseconds: .max)) == "9999-12-31T23:59:59.999Z")
        #expect(TimestampText.text(Timestamp(milliseconds: .min)) == "0000-01-01T00:00:00.000Z")
    }

    /// Compares each day with a calendar that counts days by the leap-year rule.
    @Test func time_matchesTheCalendar() {
        var (year, month, day) = (1_599, 1, 1)
        var milliseconds: Int64 = -11_707_632_000_000
        while year < 2_405 {
            let text = TimestampText.text(Timestamp(milliseconds: milliseconds))
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            if text != "\(year)-\(two(month))-\(two(day))T00:00:00.000Z" {
                Issue.record("\(year)-\(month)-\(day) is written \(text)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
            (year, month, day) = day < length ? (year, month, day + 1) : month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
            milliseconds += 86_400_000
        }
    }

    @Test(arguments: [
        "", "2023-11-14", "2023-11-14T22:13:20Z", "2023-11-14t22:13:20.123Z", "2023-11-14T22:13:20.123+00:00",
        "2023-02-29T00:00:00.000Z", "2023-13-01T00:00:00.000Z", "2023-00-01T00:00:00.000Z", "2023-01-00T00:00:00.000Z",
        "2023-01-01T24:00:00.000Z", "2023-01-01T00:60:00.000Z", "2023-12-31T23:59:60.000Z", "+023-01-01T00:00:00.000Z",
        "2023-01-01T00:00:00.000Z ",
    ])
    func invalidTime_isRefused(text: String) {
        #expect(TimestampText.timestamp(parsing: ByteString(text)) == nil)
    }
}
