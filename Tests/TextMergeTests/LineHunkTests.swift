import TestKit
import Testing

@testable import TextMerge

/// The place of a hunk that fits in several places (`LineDiff`, step 4): the same change must be
/// found in the same way for every writer.
@Suite struct LineHunkTests {
    @Test(arguments: seeds(1500))
    func hunks_neitherSinkNorTouchPrevious(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let kinds = generator.pick([1, 2, 3])
        func lines(_ generator: inout SeededGenerator, _ count: Int) -> [UInt8] {
            (0..<generator.below(count)).flatMap { _ in [UInt8(ascii: "a") + UInt8(generator.below(kinds)), lineFeed] }
        }
        let base = lines(&generator, 12)
        var text = base
        if generator.chance(0.3) { text = lines(&generator, 12) }
        for _ in 0..<generator.below(4) {
            let at = generator.below(text.count / 2 + 1) * 2
            text.replaceSubrange(at..<min(text.count, at + 2 * generator.below(3)), with: lines(&generator, 3))
        }
        let (old, new) = (Lines(base), Lines(text))
        let hunks = LineDiff.hunks(old, new)
        for (index, hunk) in hunks.enumerated() where hunk.old.isEmpty != hunk.new.isEmpty {
            let (side, lines) = hunk.old.isEmpty ? (hunk.new, new) : (hunk.old, old)
            #expect(hunk.old.upperBound == old.count || old[hunk.old.upperBound] != lines[side.lowerBound], "sinks; seed \(seed)")
            // Up while the line above equals the hunk's last line.
            let above = index > 0 ? hunks[index - 1].old.upperBound : -1
            var rise = 0
            while hunk.old.lowerBound - rise > max(above, 0),
                lines[side.upperBound - 1 - rise] == old[hunk.old.lowerBound - 1 - rise]
            {
                rise += 1
            }
            #expect(hunk.old.lowerBound - rise != above, "reaches the hunk above; seed \(seed)")
        }
    }
}
