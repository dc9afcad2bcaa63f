import TestKit
import Testing

@testable import TextMerge

@Suite struct TextDiffTests {
    @Test(arguments: seeds(500))
    func appliedEdits_giveTheText_andSplitNoCharacter(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (base, text) = (randomText(&generator), randomText(&generator))
        let edits = TextDiff.edits(from: base, to: text)
        #expect(edits.fault(forLength: base.count) == nil, "seed \(seed)")
        #expect(edits.applied(to: base) == text, "seed \(seed)")
        for edit in edits {
            #expect(isBoundary(edit.start, base) && isBoundary(edit.end, base), "seed \(seed)")
            #expect(String(validating: edit.replacement, as: UTF8.self) != nil, "seed \(seed)")
            #expect(edit.start < edit.end || !edit.replacement.isEmpty, "seed \(seed)")
        }
    }

    @Test func changedWord_isTheEdit() {
        let base = bytes("one\nthe quick fox\nthree\n")
        #expect(TextDiff.edits(from: base, to: bytes("one\nthe slow fox\nthree\n")) == [Edit(8, 13, "slow")])
        #expect(TextDiff.edits(from: bytes("aéa"), to: bytes("aèa")) == [Edit(1, 3, "è")])
        #expect(TextDiff.edits(from: bytes("a😀b"), to: bytes("a😁b")) == [Edit(1, 5, "😁")])
        #expect(TextDiff.edits(from: bytes("aa"), to: bytes("aaa")) == [Edit(2, 2, "a")])
        #expect(TextDiff.edits(from: bytes("same"), to: bytes("same")).isEmpty)
    }

    private func isBoundary(_ offset: Int, _ text: [UInt8]) -> Bool {
        offset == text.count || text[offset] & 0xC0 != 0x80
    }

    /// Characters of one to four bytes that share bytes at their starts and ends.
    private func randomText(_ generator: inout SeededGenerator) -> [UInt8] {
        let characters = ["a", "é", "è", "€", "₭", "😀", "😁", "🌀", "\n", "\n"]
        return bytes((0..<generator.below(12)).map { _ in generator.pick(characters) }.joined())
    }
}
