import TestKit
import Testing

@testable import notesctl

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
}
