import TestKit
import Testing

@testable import TextMerge

@Suite struct EditListTests {
    @Test func fault_isTheFirst_withIndex() {
        #expect([Edit(0, 3, "a"), Edit(2, 4, "b")].fault(forLength: 9) == .overlapsPrevious(index: 1))
        #expect([Edit(4, 5, ""), Edit(0, 1, "")].fault(forLength: 9) == .overlapsPrevious(index: 1))
        #expect([Edit(0, 1, ""), Edit(3, 10, "")].fault(forLength: 9) == .pastEnd(index: 1))
        #expect([Edit(10, 10, "x")].fault(forLength: 9) == .pastEnd(index: 0))
        #expect([Edit(0, Int.max, "")].fault(forLength: 9) == .pastEnd(index: 0))
        #expect([Edit(Int.max, Int.max, "")].fault(forLength: 0) == .pastEnd(index: 0))
    }

    @Test func adjacentEdits_areWellFormed() {
        #expect([Edit]().fault(forLength: 0) == nil)
        #expect([Edit(0, 0, "a"), Edit(0, 0, "b"), Edit(0, 3, ""), Edit(3, 3, "c"), Edit(3, 9, "d")].fault(forLength: 9) == nil)
    }

    @Test func insertionsAtOneOffset_keepTheirOrder() {
        let edits = [Edit(1, 1, "x"), Edit(1, 1, "y"), Edit(1, 2, "z"), Edit(2, 2, "!")]
        #expect(string(edits.applied(to: bytes("abc"))) == "axyz!c")
    }

    @Test(arguments: seeds(200))
    func applying_matchesApplyingFromTheLast(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = (0..<generator.below(30)).map { _ in UInt8(generator.below(256)) }
        let edits = randomEdits(&generator, length: text.count)
        #expect(edits.fault(forLength: text.count) == nil, "seed \(seed)")
        var expected = text
        for edit in edits.reversed() { expected.replaceSubrange(edit.start..<edit.end, with: edit.replacement) }
        #expect(edits.applied(to: text) == expected, "seed \(seed)")
    }

    @Test(arguments: seeds(200))
    func normalizedEdits_doNotTouch_andChangeTheSame(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = (0..<generator.below(30)).map { _ in UInt8(generator.below(256)) }
        let edits = randomEdits(&generator, length: text.count)
        let normal = edits.normalized()
        #expect(normal.applied(to: text) == edits.applied(to: text), "seed \(seed)")
        #expect(zip(normal, normal.dropFirst()).allSatisfy { $0.end < $1.start }, "seed \(seed)")
        #expect(normal.allSatisfy { $0.end > $0.start || !$0.replacement.isEmpty }, "seed \(seed)")
        #expect(normal.normalized() == normal, "seed \(seed)")
    }

    private func randomEdits(_ generator: inout SeededGenerator, length: Int) -> [Edit] {
        let cuts = (0..<2 * generator.below(5)).map { _ in generator.below(length + 1) }.sorted()
        return stride(from: 0, to: cuts.count, by: 2).map { index in
            let end = generator.chance(0.3) ? cuts[index] : cuts[index + 1]
            let replacement = (0..<generator.below(3)).map { _ in UInt8(generator.below(256)) }
            return Edit(start: cuts[index], end: end, replacement: replacement)
        }
    }
}
