import NotesModel
import TestKit
import Testing

/// What a receiver of revisions that does not read, or that reads wrongly, can make the sender keep.
@Suite struct FeedWindowTests {
    @Test func fourPages_closeIt() {
        var window = FeedWindow()
        for number in 1...4 as ClosedRange<UInt64> {
            #expect(window.isOpen)
            let sent = window.send(bytes: 0)
            #expect(sent == number)
        }
        #expect(!window.isOpen)
        let acknowledged = window.acknowledge(through: 1)
        #expect(acknowledged == 1 && window.isOpen)
    }

    /// A page may be larger than the limit, because it has at least one revision.
    @Test func mebibyte_closesIt() {
        var window = FeedWindow()
        _ = window.send(bytes: 1 << 20 - 1)
        #expect(window.isOpen)
        _ = window.send(bytes: 8 << 20)
        #expect(!window.isOpen)
        let acknowledged = window.acknowledge(through: 2)
        #expect(acknowledged == 2 && window.isOpen)
    }

    @Test func wrongAcknowledgements_changeNothing() {
        var window = FeedWindow()
        let ofNothing = window.acknowledge(through: 0)
        for _ in 1...4 { _ = window.send(bytes: 1) }
        let counts = [0, 5, .max, 2, 2, 1].map { window.acknowledge(through: $0) }
        #expect(ofNothing == 0 && counts == [0, 0, 0, 2, 0, 0])
        let rest = window.acknowledge(through: 4)
        #expect(rest == 2)
    }

    /// After any events, the window holds the pages that were sent and not acknowledged, and is open
    /// within the limits.
    @Test func anyEvents_keepTheUnacknowledgedPages() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var window = FeedWindow()
            var (last, pages): (UInt64, [(number: UInt64, bytes: Int)]) = (0, [])
            for _ in 0..<60 {
                let isOpen = pages.count < 4 && pages.reduce(0) { $0 + $1.bytes } < 1 << 20
                #expect(window.isOpen == isOpen, "seed \(seed)")
                if isOpen, random.chance(0.7) {
                    let bytes = random.below(600 << 10)
                    last += 1
                    pages.append((last, bytes))
                    let sent = window.send(bytes: bytes)
                    #expect(sent == last, "seed \(seed)")
                } else {
                    let number = UInt64(random.below(Int(last) + 3))
                    let count = number > last ? 0 : pages.count { $0.number <= number }
                    pages.removeFirst(count)
                    let acknowledged = window.acknowledge(through: number)
                    #expect(acknowledged == count, "seed \(seed)")
                }
            }
        }
    }
}
