import TestKit
import Testing

@testable import TextMerge

@Suite struct ByteSearchTests {
    @Test(arguments: seeds(400))
    func commonBytes_matchBytewiseLoop(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (left, right) = Self.similarPair(&generator)
        #expect(left.isSame(as: right) == (left == right), "seed \(seed)")
        let prefix = zip(left, right).prefix { $0 == $1 }.count
        let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        #expect(left.commonPrefix(with: right) == prefix, "seed \(seed)")
        #expect(left.commonSuffix(with: right) == suffix, "seed \(seed)")
    }

    @Test(arguments: seeds(400))
    func firstOffset_matchesFirstIndex(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Bytes that differ from the wanted one by a bit or by a borrow.
        let bytes = (0..<generator.below(40)).map { _ in generator.pick([0x00, 0x09, 0x0A, 0x0B, 0x8A, 0x80, 0xFF] as [UInt8]) }
        for start in 0...bytes.count {
            for byte in [0x0A, 0x00, 0x80, 0xFF] as [UInt8] {
                let found = bytes.firstOffset(of: byte, from: start)
                #expect(found == bytes[start...].firstIndex(of: byte), "seed \(seed)")
            }
        }
    }

    @Test(arguments: seeds(400))
    func commonLines_matchNaiveComparison(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (left, right) = Self.similarPair(&generator)
        let (old, new) = (Lines(left), Lines(right))
        let least = min(old.count, new.count)
        let atStart = (0..<least).prefix { old[$0] == new[$0] }.count
        #expect(old.commonLines(atStartOf: new) == atStart, "seed \(seed)")
        for start in 0...least {
            let atEnd = (0..<least - start).prefix { old[old.count - 1 - $0] == new[new.count - 1 - $0] }.count
            #expect(old.commonLines(atEndOf: new, below: start) == atEnd, "seed \(seed)")
        }
    }

    /// Two texts with lines of up to about twenty bytes. The second is the first with a few bytes
    /// changed, or none.
    static func similarPair(_ generator: inout SeededGenerator) -> ([UInt8], [UInt8]) {
        let alphabet: [UInt8] = [0x0A, 0x0A, 0x61, 0x61, 0x61, 0x61, 0x61, 0x62, 0x8A]
        let left = (0..<generator.below(60)).map { _ in generator.pick(alphabet) }
        var right = left
        for _ in 0..<generator.below(4) {
            let at = generator.below(right.count + 1)
            let end = min(right.count, at + generator.below(3))
            right.replaceSubrange(at..<end, with: (0..<generator.below(3)).map { _ in generator.pick(alphabet) })
        }
        return (left, right)
    }
}
