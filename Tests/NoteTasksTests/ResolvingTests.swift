import Causality
import ClientTestKit
import Console
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

@testable import NoteTasks

/// Tests of the display of conflicts and of the writes that resolve them.
struct ResolvingTests {
    private static let time = Timestamp(milliseconds: 1_700_000_000_000)

    private func side(_ name: String, _ content: ConflictContent) -> ConflictSide {
        let label: ByteString = name.hasPrefix("A") ? "laptop/vim" : "phone"
        return ConflictSide(dot: dot(name), author: Author(user: "ada", label: label), modified: Self.time, content: content)
    }

    private func conflict(
        _ kind: ConflictKind, _ range: Range<Int>, id: UInt64 = 1, base: ConflictContent?, _ sides: ConflictSide...
    ) -> ConflictObject {
        ConflictObject(
            id: ConflictID(high: id << 32, low: 0), kind: kind, range: range,
            detail: ConflictObject.Detail(base: base, sides: sides))
    }

    /// A conflict in `text`, at the lines that begin with Milk.
    private var milk: ConflictObject {
        conflict(
            .text, 2..<23, base: .text(bytes("Milk\n")), side("A2", .text(bytes("Milk, 2 l\n"))),
            side("B1", .text(bytes("Milk (oat)\n"))))
    }
    private let text = bytes("#\nMilk, 2 l\nMilk (oat)\nTea\n")

    private func note(_ conflicts: ConflictObject...) -> NoteObject {
        var note = Canned.note(1, text: String(decoding: text, as: UTF8.self), name: "shopping")
        note.conflicts = conflicts
        return note
    }

    /// The same conflict, if the first side is undone.
    private var undone: ConflictObject {
        let first = ConflictSide(
            dot: dot("A2"), isWithdrawn: true, author: Author(user: "ada", label: "laptop/vim"), modified: Self.time,
            content: .text(bytes("Milk, 2 l\n")))
        return conflict(.text, 2..<23, base: .text(bytes("Milk\n")), first, side("B1", .text(bytes("Milk (oat)\n"))))
    }

    private var name: ConflictObject {
        conflict(.name, 0..<0, id: 2, base: .name(nil), side("A2", .name(TestKit.name("list"))), side("B1", .name(nil)))
    }

    private var deletion: ConflictObject {
        conflict(.deletion, 0..<27, id: 3, base: nil, side("A2", .deleted), side("B1", .text(text)))
    }

    // MARK: Taking a side

    @Test func takingASide_insertsItsText() {
        let taken = ConflictResolution.taking(milk.sides[1], in: milk, of: text)
        #expect(taken == ConflictResolution(text: bytes("#\nMilk (oat)\nTea\n"), resolves: [milk.id]))
        #expect(ConflictResolution.keeping([milk, name]) == ConflictResolution(text: nil, resolves: [milk.id, name.id]))
    }

    @Test func takingASide_resolvesNameOrDeletion() {
        #expect(
            ConflictResolution.taking(name.sides[0], in: name, of: text)
                == ConflictResolution(name: .set("list"), resolves: [name.id]))
        #expect(
            ConflictResolution.taking(name.sides[1], in: name, of: text) == ConflictResolution(name: .clear, resolves: [name.id]))
        #expect(
            ConflictResolution.taking(deletion.sides[0], in: deletion, of: text)
                == ConflictResolution(deletes: true, resolves: [deletion.id]))
        #expect(
            ConflictResolution.taking(deletion.sides[1], in: deletion, of: text) == ConflictResolution(resolves: [deletion.id]))
    }

    // MARK: Selecting a conflict

    @Test func conflict_isSelectedByIDPrefix() throws {
        let choice = ConflictChoice(note(milk, name))
        #expect(try choice.conflict("00000001").id == milk.id)
        #expect(try choice.conflict("00000002000").id == name.id)
        for wrong in ["0000", "5", "", "x"] {
            let failure = #expect(throws: ExitFailure.self) { try choice.conflict(wrong) }
            #expect(failure?.code == .usage && failure?.message.contains("--conflict 00000001  text, lines 2-3") == true)
        }
        let failure = #expect(throws: ExitFailure.self) { try choice.onlyConflict(for: "--take") }
        #expect(failure?.message.contains("shopping has 2 conflicts, but --take resolves one") == true)
        #expect(try ConflictChoice(note(milk)).onlyConflict(for: "--take").id == milk.id)
    }

    @Test func side_isSelectedByShortDot() throws {
        let choice = ConflictChoice(note(milk))
        for name in ["aaaaaaaaaaaaaaaa:2", "aaaa:2"] { #expect(try choice.side(name, of: milk).dot == dot("A2")) }
        for wrong in ["aaaa:1", "cccc:2", "aaaa", ""] {
            let failure = #expect(throws: ExitFailure.self) { try choice.side(wrong, of: milk) }
            #expect(failure?.message.hasSuffix("its sides are aaaaaa:2 and bbbbbb:1") == true)
        }
    }

    // MARK: Markers

    @Test func markedText_isDiff3() {
        let marked = MarkedText(text, [name, milk])
        #expect(
            String(decoding: marked.bytes, as: UTF8.self) == """
                #
                <<<<<<< aaaaaa:2 ada/laptop/vim
                Milk, 2 l
                ||||||| before (remove this part too)
                Milk
                =======
                Milk (oat)
                >>>>>>> bbbbbb:1 ada/phone
                Tea

                """)
        #expect(marked.marked == [milk])
        #expect(marked.markersLeft(in: marked.bytes) == [2, 4, 6, 8])
        #expect(marked.markersLeft(in: bytes("#\nMilk\n=======\nTea\n")) == [3])
        #expect(marked.markersLeft(in: text).isEmpty)
    }

    @Test func markedText_supportsThreeSidesAndMissingNewline() {
        let three = conflict(
            .text, 2..<3, base: .text([]), side("A2", .text(bytes("x"))), side("B1", .text(bytes("y\n"))), side("C1", .text([])))
        #expect(
            String(decoding: MarkedText(bytes("1\n2"), [three]).bytes, as: UTF8.self) == """
                1
                <<<<<<< aaaaaa:2 ada/laptop/vim
                x
                ||||||| before (remove this part too)
                ======= bbbbbb:1 ada/phone
                y
                =======
                >>>>>>> cccccc:1 ada/phone

                """)
        let behind = conflict(.text, 1..<1, base: .text([]), side("A2", .text([])), side("B1", .text(bytes("y"))))
        #expect(String(decoding: MarkedText(bytes("1"), [behind]).bytes, as: UTF8.self).hasPrefix("1\n<<<<<<< "))
    }

    /// Markdown may underline a heading with seven equals signs, and a note may quote markers.
    @Test func markerLinesOfTheNote_areAllowed() {
        let own = bytes("Title\n=======\n") + text + bytes("<<<<<<< see above\n")
        let conflict = conflict(.text, 16..<37, base: .text([]), side("A2", .text(bytes("x\n"))), side("B1", .text([])))
        let marked = MarkedText(own, [conflict])
        #expect(marked.markersLeft(in: own).isEmpty)
        #expect(marked.markersLeft(in: bytes("Title\n=======\n=======\n")) == [2, 3])
        #expect(marked.markersLeft(in: bytes("<<<<<<<\n======== \n=======x\n")).isEmpty)
        #expect(marked.markersLeft(in: bytes("======= a\r\n=======\r\n")) == [1, 2])
    }

    @Test func overlappingConflicts_areMarkedOneAtATime() {
        let first = conflict(.text, 2..<12, id: 1, base: nil, side("A2", .text([])), side("B1", .text([])))
        let second = conflict(.text, 2..<23, id: 2, base: nil, side("A2", .text([])), side("B1", .text([])))
        let third = conflict(.text, 12..<23, id: 3, base: nil, side("A2", .text([])), side("B1", .text([])))
        #expect(MarkedText(text, [third, second, first]).marked == [first, third])
    }

    /// Keeping any one side between the markers gives the same text as `--take`.
    @Test(arguments: seeds(100))
    func choosingASideByHand_equalsTakingIt(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func lines(_ count: Int) -> [UInt8] {
            (0..<random.below(count)).flatMap { _ in bytes(random.pick(["a\n", "=\n", "\n"])) }
        }
        let (before, shown, after) = (lines(4), lines(4), lines(4))
        let sides = [side("A2", .text(lines(4))), side("B1", .text(lines(4)))]
        let conflict = ConflictObject(
            id: ConflictID(high: 1, low: 1), kind: .text, range: before.count..<before.count + shown.count,
            detail: ConflictObject.Detail(base: .text(lines(4)), sides: sides))
        let text = before + shown + after
        let marked = MarkedText(text, [conflict])
        for (index, side) in sides.enumerated() {
            let chosen = Self.chosen(index, in: marked.bytes)
            #expect(chosen == ConflictResolution.taking(side, in: conflict, of: text).text, "seed \(seed)")
            #expect(marked.markersLeft(in: chosen).isEmpty, "seed \(seed)")
        }
    }

    private static func chosen(_ side: Int, in marked: [UInt8]) -> [UInt8] {
        var part = -1
        return Lines(marked).all.filter { line in
            switch line.first {
            case UInt8(ascii: "<"): part = 0
            case UInt8(ascii: "|"): part = 2
            case UInt8(ascii: "=") where line.count == 8: part = 1
            case UInt8(ascii: ">"): part = -1
            default: return part == -1 || part == side
            }
            return false
        }.flatMap { $0 }
    }

    @Test func mergeTool_getsFullTextOfEachSide() throws {
        let texts = try #require(MergeTool.Texts(milk, in: text))
        #expect(texts.local == bytes("#\nMilk, 2 l\nTea\n") && texts.remote == bytes("#\nMilk (oat)\nTea\n"))
        #expect(texts.base == bytes("#\nMilk\nTea\n") && texts.merged == MarkedText(text, [milk]).bytes)
        #expect(MergeTool.Texts(name, in: text) == nil && MergeTool.Texts(deletion, in: text) == nil)
    }

    // MARK: Reports

    @Test(arguments: [
        (2..<12, "line 2"), (2..<23, "lines 2-3"), (2..<2, "before line 2"), (27..<27, "at the end"), (0..<27, "lines 1-4"),
    ])
    func position_isShownAsLines(range: Range<Int>, words: String) {
        #expect(LinePlace.words(range, in: text) == words)
    }

    @Test func conflictReport_showsSidesAndCommands() {
        let report = ConflictReport(local: { _ in Self.calendar }, style: Style(isOn: false))
        #expect(
            report.lines([milk], of: note(milk).head, text: text) == [
                "00000001  text, lines 2-3",
                "    aaaaaa:2  2025-01-02 03:04:05  ada/laptop/vim",
                "        Milk, 2 l",
                "    bbbbbb:1  2025-01-02 03:04:05  ada/phone",
                "        Milk (oat)",
                "    before",
                "        Milk",
                "",
                "    notesctl resolve shopping --take DOT  keep one side: aaaaaa:2 or bbbbbb:1",
                "    notesctl resolve shopping --both      keep both, as the note has them",
                "    notesctl resolve shopping --edit      edit it, with the sides between markers",
            ])
        let several = report.lines([name, deletion], of: note(name, deletion).head, text: text)
        #expect(several.contains("        named it list") && several.contains("        gave it no name"))
        #expect(several.contains("    notesctl resolve shopping --conflict 00000003 --take aaaaaa:2  delete the note"))
        #expect(!several.contains { $0.contains("--edit") })
    }

    /// An undone side shows what its revision had replaced, so it is not shown as its author's text.
    @Test func undoneSide_isShownAsUndone() {
        let report = ConflictReport(local: { _ in Self.calendar }, style: Style(isOn: false))
        let full = report.lines([undone], of: note(undone).head, text: text)
        #expect(full[1] == "    aaaaaa:2, undone  2025-01-02 03:04:05  ada/laptop/vim")
        #expect(full[8].hasSuffix("keep one side: aaaaaa:2 (undone) or bbbbbb:1"), "\(full)")
        let short = report.shortLines([undone], of: note(undone).head, text: text)
        #expect(short[1...2] == ["    aaaaaa:2, undone: Milk, 2 l", "    bbbbbb:1 ada/phone: Milk (oat)"])
        let marked = String(decoding: MarkedText(text, [undone]).bytes, as: UTF8.self)
        #expect(marked.hasPrefix("#\n<<<<<<< aaaaaa:2, undone\nMilk, 2 l\n||||||| "), "\(marked)")
        let failure = #expect(throws: ExitFailure.self) { try ConflictChoice(note(undone)).side("cc:1", of: undone) }
        #expect(failure?.message.hasSuffix("its sides are aaaaaa:2 (undone) and bbbbbb:1") == true)
    }

    @Test func conflictingSave_hasShortReport() {
        let report = ConflictReport(local: { _ in Self.calendar }, style: Style(isOn: false))
        #expect(
            report.shortLines([milk, deletion], of: note(milk, deletion).head, text: text) == [
                "  text, lines 2-3", "    aaaaaa:2 ada/laptop/vim: Milk, 2 l", "    bbbbbb:1 ada/phone: Milk (oat)",
                "  deletion", "    aaaaaa:2 ada/laptop/vim: deleted the note", "    bbbbbb:1 ada/phone: # (4 lines)",
                "  `notesctl conflicts shopping` shows the details; `notesctl resolve shopping` resolves it with --take DOT, --both or --edit",
            ])
        let hostile = ConflictReport.gist(.text(bytes("\u{1B}[2J" + String(repeating: "x", count: 100))))
        #expect(hostile.hasPrefix("\\x1B[2Jxx") && DisplayWidth.of(hostile) == 60)
    }

    @Test func noteReference_isQuotedForShell() {
        func reference(_ name: String?) -> String { NoteLabel.reference(Canned.note(1, name: name).head) }
        #expect(reference("work/inbox") == "work/inbox" && reference("größe") == "größe")
        #expect(reference("two words") == "'two words'" && reference("it's") == "'it'\\''s'" && reference("$HOME") == "'$HOME'")
        for name in [nil, "-rf", "a\u{202E}b"] { #expect(reference(name) == "\(Canned.id(1))") }
    }

    private static let calendar = CalendarTime(year: 2025, month: 1, dayOfMonth: 2, hour: 3, minute: 4, second: 5)
}

extension Lines {
    fileprivate var all: [[UInt8]] { (0..<count).map { Array(self[$0]) } }
}
