/// A set of numbers below a bound, one bit each. Sets that are combined must have the same bound.
struct Bits: Sendable {
    private var words: [UInt64]

    /// The empty set.
    init(bound: Int) {
        words = [UInt64](repeating: 0, count: (bound + 63) / 64)
    }

    /// The set of all numbers below a bound.
    static func all(bound: Int) -> Bits {
        var all = Bits(bound: bound)
        for number in 0..<bound { all.insert(number) }
        return all
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 == 1 }

    mutating func insert(_ number: Int) { words[number / 64] |= 1 << UInt64(number % 64) }

    mutating func remove(_ number: Int) { words[number / 64] &= ~(1 << UInt64(number % 64)) }

    mutating func formUnion(_ other: Bits) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    mutating func formIntersection(_ other: Bits) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    mutating func subtract(_ other: Bits) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    func intersection(_ other: Bits) -> Bits {
        var result = self
        result.formIntersection(other)
        return result
    }
}
