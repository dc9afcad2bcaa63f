import Causality
import ClientTestKit
import Console
import Glibc
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import NoteTasks
@testable import notesctl

/// Tables are golden files in `Tables/`, at several widths; `NOTESD_WRITE_GOLDEN=1` rewrites them.
struct TableTests {
    private let now = Timestamp(milliseconds: 1_763_000_000_000)

    private func utc(_ time: Timestamp) -> CalendarTime {
        let text = Array(TimestampText.text(time).utf8)
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        return CalendarTime(
            year: number(0..<4), month: number(5..<7), dayOfMonth: number(8..<10), hour: number(11..<13),
            minute: number(14..<16), second: number(17..<19))
    }

    private var notes: [Head] {
        let rows: [(String?, String, [String], Int64, Int)] = [
            ("diary/2026-11-20", "Thursday", ["diary"], 40, 812), ("home", "Home", [], 7_200, 12),
            ("日記/十一月", "今日は寒かった。", ["日記"], 90_000, 4_200), ("emoji/🎉", "Party 🎉🎉 at eight", ["fun", "friends"], 600_000, 99),
            (
                "work/a-rather-long-name/of-a-note-that-somebody/keeps-far-below", "A title that is long too, and says much",
                ["todo"], 3, 1_500_000
            ),
            ("evil\u{202E}name", "\u{1B}[31mred\u{1B}[0m", [], 3_000, 7),
            (nil, "No name, only a title", ["loose"], 86_400 * 400, 0),
        ]
        return rows.enumerated().map { index, row in
            Head(
                id: NoteID(
                    at: Timestamp(milliseconds: 1_600_000_000_000 + Int64(index) * 10_000_000_000),
                    random: (0, UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15)),
                name: row.0.flatMap { try? NoteName(ByteString($0)) }, version: Canned.version(1), vector: VersionVector(),
                title: ByteString(row.1), tags: row.2.map { ByteString($0) }, created: now,
                modified: Timestamp(milliseconds: now.milliseconds - row.3 * 1_000), author: Author(user: "ada", label: "vim"),
                bytes: row.4, isDeleted: false)
        }
    }

    @Test(arguments: [40, 60, 80, 120, 200])
    func lists_matchTheirFiles_andFit(columns: Int) throws {
        let notes = notes
        for isOn in [false, true] {
            let table = NoteTable(now: now, local: utc, columns: columns, style: Style(isOn: isOn))
            let lines = table.lines(notes, inConflict: [notes[1].id, notes[4].id], hasHeading: true)
            for line in lines { #expect(DisplayWidth.of(Style.stripped(line)) <= columns, "\(columns): \(line)") }
            guard !isOn else { continue }
            #expect(!lines.joined().unicodeScalars.contains("\u{1B}"))
            try check("list-\(columns)", lines.joined(separator: "\n") + "\n")
        }
    }

    private func check(_ name: String, _ table: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(1).map { "/\($0)" }.joined() + "/Tables"
        let path = Array("\(folder)/\(name).txt".utf8)
        if environment("NOTESD_WRITE_GOLDEN") != nil {
            mkdir(folder, 0o777)
            return try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).writeAll(Array(table.utf8))
        }
        let agreed = try Descriptor.open(path, O_RDONLY).readAll()
        #expect(table == String(decoding: agreed, as: UTF8.self), "\(name)")
    }
}
