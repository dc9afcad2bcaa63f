import TestKit
import Testing

@testable import FolderSync

/// How a file and a note are joined that have no common version.
@Suite struct TextJoinTests {
    private func joined(_ one: String, _ other: String) -> String {
        String(decoding: TextJoin.joined(Array(one.utf8), Array(other.utf8)), as: UTF8.self)
    }

    private func lines(_ text: String) -> [String: Int] {
        text.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    @Test(arguments: [
        ("", "", ""), ("a\n", "", "a\n"), ("", "a\n", "a\n"), ("a", "b", "a\nb"), ("a\n", "a\nb", "a\nb"),
        ("a", "a\nb\n", "a\nb\n"),
        ("a\nb\nc\n", "a\nx\nc\n", "a\nb\nx\nc\n"), ("b\n", "a\nb\n", "a\nb\n"), ("a\n\nb\n", "a\n\nc\n", "a\n\nb\nc\n"),
    ])
    func linesOfTheFirst_comeFirst(one: String, other: String, expected: String) {
        #expect(joined(one, other) == expected)
    }

    /// Random texts of few different lines, with and without a line feed at the end.
    @Test(arguments: seeds(200))
    func joined_hasAllLinesOfBoth_andIsIdempotent(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func text() -> String {
            let lines = (0..<random.below(9)).map { _ in random.pick(["a", "b", "c", "", "long line"]) }
            return lines.joined(separator: "\n") + (random.chance(0.7) ? "\n" : "")
        }
        let (one, other) = (text(), text())
        let both = joined(one, other)
        let counts = lines(both)
        for side in [one, other] {
            #expect(
                lines(side).allSatisfy { counts[$0.key, default: 0] >= $0.value },
                "\(one.debugDescription) \(other.debugDescription)")
        }
        #expect(
            lines(joined(both, other)) == counts, "\(one.debugDescription) \(other.debugDescription): \(both.debugDescription)")
    }

    @Test(arguments: [
        ("a\nb\n", "b\n", "b\nc\n", "a\nb\nc\n"), ("a\nb\n", "b\n", "", "a\n"), ("a\nb\n", "b\n", "x\n", "a\nx\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nx\nc\n", "a\nx\nb\nc\n"), ("a\nb", "b", "b\n", "a\nb\n"), ("a\n", "", "x\n", "a\nx\n"),
        ("a\nb\n", "a\n", "x\na\n", "x\na\nb\n"),
    ])
    func changesOfOnePart_areMadeToTheJoinedText(joined: String, old: String, new: String, expected: String) throws {
        let rebased = TextJoin.rebased(Array(joined.utf8), from: LineMarks(Array(old.utf8)), to: Array(new.utf8))
        #expect(try String(decoding: #require(rebased), as: UTF8.self) == expected)
    }

    /// What a program changes in its part is changed in the joined text, and nothing else.
    @Test(arguments: seeds(200))
    func rebased_keepsTheOtherPart(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func text(_ words: [String]) -> String {
            (0..<random.below(8)).map { _ in random.pick(words) + "\n" }.joined()
        }
        let (theirs, old, new) = (text(["a", "b", "c", ""]), text(["c", "d", ""]), text(["c", "d", "e", ""]))
        let both = Array(joined(theirs, old).utf8)
        let rebased = try #require(TextJoin.rebased(both, from: LineMarks(Array(old.utf8)), to: Array(new.utf8)))
        let result = lines(String(decoding: rebased, as: UTF8.self))
        for (line, count) in lines(String(decoding: both, as: UTF8.self)) {
            let change = lines(new)[line, default: 0] - lines(old)[line, default: 0]
            #expect(
                result[line, default: 0] == count + change,
                "\(theirs.debugDescription) \(old.debugDescription) \(new.debugDescription)")
        }
        #expect(lines(new).allSatisfy { result[$0.key, default: 0] >= $0.value })
        #expect(TextJoin.rebased(both, from: LineMarks(Array("z\n".utf8)), to: []) == nil)
    }
}
