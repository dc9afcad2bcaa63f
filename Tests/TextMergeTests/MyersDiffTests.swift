import TestKit
import Testing

@testable import TextMerge

@Suite struct MyersDiffTests {
    @Test(arguments: seeds(1500))
    func matches_areLongestCommonSubsequence(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (left, right) = (sequence(&generator), sequence(&generator))
        let matches = MyersDiff.matches(left, right)
        check(matches, left, right, seed)
        #expect(matches.count == longestCommonSubsequence(left, right), "seed \(seed)")
    }

    /// After the cap the rest stays unmatched; the matches found are correct.
    @Test(arguments: seeds(300))
    func matchesUnderCap_areCommonSubsequence(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (left, right) = (sequence(&generator), sequence(&generator))
        check(MyersDiff.matches(left, right, stepsMax: generator.below(40)), left, right, seed)
    }

    @Test func middlePastCap_isOneHunk() {
        let left = [0] + Array(1...50) + [99]
        let right = [0] + Array((1...50).reversed()) + [99]
        let matches = MyersDiff.matches(left, right, stepsMax: 1)
        #expect(matches.map { $0.0 } == [0, 51] && matches.map { $0.1 } == [0, 51])
    }

    /// A step is a diagonal visited or an element matched along one, in either direction.
    @Test func cap_countsDiagonalsAndElements() {
        // One diagonal in each direction before the first paid move.
        #expect(MyersDiff.matches([0, 1], [1, 0], stepsMax: 2).isEmpty)
        #expect(MyersDiff.matches([0, 1], [1, 0], stepsMax: 3).count == 1)
        // Then two in each direction, and one element along one of them.
        #expect(MyersDiff.matches([0, 0], [1, 0, 1], stepsMax: 8).isEmpty)
        #expect(MyersDiff.matches([0, 0], [1, 0, 1], stepsMax: 9).count == 1)
    }

    /// Without the cap this takes a hundred times as many steps as the cap allows.
    @Test func hostileSequences_endUnderTheCap() {
        var generator = SeededGenerator(seed: 1)
        let left = (0..<30_000).map { _ in generator.below(2_000) }
        let right = (0..<30_000).map { _ in generator.below(2_000) }
        check(MyersDiff.matches(left, right, stepsMax: 200_000), left, right, 1)
    }

    private func sequence(_ generator: inout SeededGenerator) -> [Int] {
        let kinds = generator.pick([1, 2, 3, 8])
        return (0..<generator.below(generator.pick([4, 12, 30]))).map { _ in generator.below(kinds) }
    }

    private func check(_ matches: [(Int, Int)], _ left: [Int], _ right: [Int], _ seed: UInt64) {
        #expect(matches.allSatisfy { left[$0.0] == right[$0.1] }, "seed \(seed)")
        #expect(zip(matches, matches.dropFirst()).allSatisfy { $0.0 < $1.0 && $0.1 < $1.1 }, "seed \(seed)")
    }
}
