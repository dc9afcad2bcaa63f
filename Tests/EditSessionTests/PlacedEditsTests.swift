import TestKit
import Testing
import TextMerge

@testable import EditSession

struct PlacedEditsTests {
    /// Edits of others fit the text that the user typed meanwhile, whatever both did.
    @Test(arguments: seeds(300))
    func editsOfOthers_fitTheTypedText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = Array("one\ntwo\nthree\nfour\n".utf8)
        func edits() -> [Edit] {
            var edits: [Edit] = []
            var start = random.below(6)
            while start < text.count, edits.count < 4 {
                let end = min(text.count, start + random.below(5))
                edits.append(Edit(start: start, end: end, replacement: Array(random.pick(["", "x", "y\n", "z\n"]).utf8)))
                start = end + 1 + random.below(6)
            }
            return edits.normalized()
        }
        let typed = edits()
        let placed = EditSession.placed(edits(), over: typed)
        #expect(placed.fault(forLength: typed.applied(to: text).count) == nil, "seed \(seed)")
    }
}
