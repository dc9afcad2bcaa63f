import TestKit
import Testing
import TextMerge

@Suite struct ConflictIDTests {
    @Test(arguments: seeds(50))
    func printedID_roundTrips(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let id = ConflictID(high: random.next() >> random.below(64), low: random.next() >> random.below(64))
        #expect(id.description.utf8.count == 32, "seed \(seed)")
        #expect(ConflictID(parsing: Array(id.description.utf8)) == id, "seed \(seed)")
    }

    @Test func highWord_isPrintedFirst() {
        #expect(ConflictID(high: 0xAB, low: 1).description == "00000000000000ab0000000000000001")
    }

    @Test(arguments: [
        "", "00000000000000ab000000000000001", "00000000000000ab00000000000000011", "00000000000000AB0000000000000001",
        "g0000000000000ab0000000000000001", "00000000000000ab000000000000000g", "00000000000000ab-000000000000001",
    ])
    func malformedID_isRejected(text: String) {
        #expect(ConflictID(parsing: Array(text.utf8)) == nil)
    }
}
