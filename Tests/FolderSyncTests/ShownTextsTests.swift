import Causality
import TestKit
import Testing

@testable import FolderSync

/// Tests of the list of texts, its limits, and its form in the record of files.
struct ShownTextsTests {
    /// When old texts go, the numbers of the others and their links to their bases stay.
    @Test func oldTexts_go_andLinksStay() {
        var shown = ShownTexts(version(0), marks("line 0"), at: 0)
        for number in 1...100 {
            if number % 2 == 0 {
                shown.put(version(number), marks("line \(number)"), at: Int64(number))
            } else {
                let base = max(shown.firstNumber, number - 7)
                shown.saved(marks("line \(number)"), as: version(number), on: base, at: Int64(number), isAnswered: false)
            }
            #expect(shown.entries.count == min(number + 1, 64))
            for entry in shown.entries {
                guard let base = entry.base, let before = shown[base] else { continue }
                #expect(before.version == version(base))
            }
        }
        #expect(shown.firstNumber == 37 && shown.entries[0].version == version(37))
        #expect(shown[36] == nil && shown[Int.min] == nil && shown[101] == nil)
        // The base of text 39 has gone, so the text before it takes its place.
        #expect(shown[39]?.base == 32)
        #expect(shown.before(2) == 1 && shown.before(0) == nil)
        #expect(shown.before(shown.entries.count - 2) == shown.index(of: 92))
    }

    @Test func textsWithManyLines_go() {
        func text(_ count: Int) -> LineMarks { LineMarks(lines: (0..<count).map { LineMarks.Line(bits: UInt64($0)) }) }
        var shown = ShownTexts(version(0), text(20_000), at: 0)
        shown.put(version(1), text(20_000), at: 1)
        shown.put(version(2), text(10_000), at: 2)
        #expect(shown.entries.count == 3)
        shown.put(version(3), text(1), at: 3)
        #expect(shown.firstNumber == 1)
        shown.put(version(4), text(60_000), at: 4)
        #expect(shown.entries.map(\.version) == [version(4)], "the newest always stays")
    }

    @Test func ofTextsOfADay_onlyTheNewestStays() {
        let day = ShownTexts.dayTime
        var shown = ShownTexts(version(0), marks("a"), at: 0)
        shown.put(version(1), marks("b"), at: 10)
        shown.put(version(2), marks("c"), at: 20)
        shown.put(version(3), marks("d"), at: day + 9)
        #expect(shown.entries.compactMap(\.version) == [0, 1, 2, 3].map(version))
        shown.put(version(4), marks("e"), at: day + 15)
        #expect(shown.entries.compactMap(\.version) == [1, 2, 3, 4].map(version))
        shown.put(version(5), marks("f"), at: day * 3)
        #expect(shown.entries.compactMap(\.version) == [4, 5].map(version))
    }

    @Test func answer_isTheFirstTextAfterASave() {
        var shown = ShownTexts(version(0), marks("a", "b", "b"), at: 0)
        shown.saved(marks("a"), as: version(1), on: 0, at: 1, isAnswered: true)
        shown.put(version(2), marks("a", "b", "b"), at: 2)
        #expect(shown.entries[2].isAnswer && shown.putBack == [LineMarks.Line(Array("b".utf8)): 2])
        shown.put(version(3), marks("a"), at: 3)
        #expect(!shown.entries[3].isAnswer && shown.putBack.count == 1)
        shown.saved(marks("c"), as: version(4), on: 3, at: 4, isAnswered: true)
        #expect(shown.putBack.isEmpty)
        shown.agree(on: version(5))
        #expect(shown.entries[4].version == version(5) && !shown.isAnswerDue)
    }

    /// Letters of any script count, and punctuation beyond ASCII does not.
    @Test func marks_knowTheLettersOfALine() {
        func line(_ text: String) -> LineMarks.Line { LineMarks.Line(Array(text.utf8)) }
        #expect(line("buy milk").hasLetter && !line("buy milk").tells && line("buy milk 2").tells)
        #expect(!line("").hasLetter && !line("---- ———— “”").hasLetter && !line("🎉🎉🎉🎉🎉🎉🎉🎉").hasLetter)
        #expect(line("日本語の行です、長い").tells && line("über ä").hasLetter && !line("über ä").tells)
        #expect(LineMarks.Line([0xFF, 0xFE]).hasLetter == false, "no UTF-8")
    }

    /// A list with all that can be in one.
    private func randomList(_ random: inout SeededGenerator) -> ShownTexts {
        var shown = random.below(2) == 0 ? ShownTexts.noFile(at: 0) : ShownTexts(version(0), marks("first line"), at: 0)
        var lines = ["first line"]
        for step in 1...(1 + random.below(90)) {
            lines.insert("line \(random.below(9))", at: random.below(lines.count + 1))
            if random.below(3) == 0 { lines.remove(at: random.below(lines.count)) }
            if random.below(20) == 0 { lines = [] }
            if random.below(2) == 0 {
                shown.put(version(step), LineMarks(fileText(lines)), at: Int64(step) * 4_000)
            } else {
                let isJoined = random.below(9) == 0
                shown.saved(
                    LineMarks(fileText(lines)), as: isJoined ? nil : version(step), joined: isJoined ? version(step) : nil,
                    on: shown.firstNumber + random.below(shown.entries.count), at: Int64(step) * 4_000,
                    isAnswered: random.below(2) == 0)
            }
        }
        return shown
    }

    @Test(arguments: seeds(100))
    func bytes_areReadBack(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let shown = randomList(&random)
        #expect(ShownTextsCodec.shown(ShownTextsCodec.bytes(shown)) == shown)
    }

    @Test(arguments: seeds(100))
    func damagedBytes_areRefusedOrRead(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let stored = ShownTextsCodec.bytes(randomList(&random))
        #expect(ShownTextsCodec.shown(Array(stored.dropLast(1 + random.below(stored.count)))) == nil)
        #expect(ShownTextsCodec.shown(stored + [0]) == nil)
        for _ in 0..<10 {
            var damaged = stored
            for _ in 0...random.below(3) {
                let at = random.below(stored.count)
                damaged[at] =
                    random.below(2) == 0 ? damaged[at] ^ 1 << UInt8(random.below(8)) : [0, 1, 0x7F, 0xFF][random.below(4)]
            }
            guard var shown = ShownTextsCodec.shown(damaged) else { continue }
            let rule = BaseRule(of: fileText("first line", "line 3"), in: shown, at: 1_000_000, how: .other)
            let base = rule.base { _ in fileText("first line") }
            shown.saved(marks("first line"), as: version(1), on: base, at: 1_000_000, isAnswered: true)
            shown.put(version(2), marks("line 3"), at: 1_000_001)
            #expect(ShownTextsCodec.shown(ShownTextsCodec.bytes(shown)) == shown)
        }
    }

    /// The form before begins with the number of its levels.
    @Test func olderForm_isRefused() {
        #expect(ShownTextsCodec.shown([1, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 64)) == nil)
        #expect(ShownTextsCodec.shown([]) == nil)
    }

    @Test func olderTexts_takeLittleSpace() {
        let lines = (0..<1_000).map { "line number \($0)" }
        var shown = ShownTexts(version(0), LineMarks(fileText(lines)), at: 0)
        for step in 1..<50 { shown.put(version(step), LineMarks(fileText(lines + ["added \(step)"])), at: Int64(step)) }
        #expect(ShownTextsCodec.bytes(shown).count < 16_000)
    }
}
