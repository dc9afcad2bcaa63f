import TestKit
import Testing

@testable import Console

struct ClampedArithmeticTests {
    @Test(arguments: seeds(200))
    func clampedDifference_isTheNearestNumber(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func number() -> Int64 {
            let near = Int64(random.below(5)) - 2
            return [near, Int64.min &+ abs(near), Int64.max - abs(near), Int64(bitPattern: random.next())][random.below(4)]
        }
        let (left, right) = (number(), number())
        // Twice the width holds each difference.
        let exact = Int128(left) - Int128(right)
        #expect(left.minus(clamping: right) == Int64(clamping: exact), "\(left) - \(right)")
    }
}
