import TestKit
import Testing
import TextMerge

@testable import NotesStore

@Suite struct ChunkedTextLaws {
    @Test(arguments: seeds(20))
    func edits_matchPlainText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var plain = (0..<random.below(40_000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var chunked = ChunkedText(plain)
        for step in 0..<200 {
            var edits: [Edit] = []
            var end = 0
            for _ in 0..<random.below(4) where end <= plain.count {
                let start = end + random.below(plain.count - end + 1)
                end = min(plain.count, start + random.below(random.chance(0.1) ? 20_000 : 10))
                edits.append(
                    Edit(
                        start: start, end: end,
                        replacement: [UInt8](repeating: UInt8(step), count: random.below(random.chance(0.1) ? 20_000 : 10))))
            }
            plain = edits.applied(to: plain)
            let isApplied = chunked.apply(edits)
            #expect(isApplied, "seed \(seed), step \(step)")
            guard chunked.bytes == plain, chunked.count == plain.count else {
                Issue.record("seed \(seed), step \(step): another text")
                return
            }
        }
    }

    @Test func editsOfAnotherText_areRefused() {
        var text = ChunkedText([1, 2, 3])
        let pastEnd = text.apply([Edit(start: 2, end: 4, replacement: [])])
        let outOfOrder = text.apply([Edit(start: 1, end: 2, replacement: []), Edit(start: 0, end: 1, replacement: [])])
        #expect(!pastEnd && !outOfOrder && text.bytes == [1, 2, 3])
        var empty = ChunkedText([])
        let pastNothing = empty.apply([Edit(start: 0, end: 1, replacement: [])])
        let intoNothing = empty.apply([Edit(start: 0, end: 0, replacement: [7])])
        #expect(!pastNothing && intoNothing && empty.bytes == [7])
    }
}
