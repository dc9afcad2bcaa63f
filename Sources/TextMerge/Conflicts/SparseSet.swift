import Algorithms

/// A set of natural numbers as words of 64 bits, without the words that are 0: small for a few numbers
/// anywhere, and one bit a number for many that are close together.
struct SparseSet: Equatable, Sendable {
    /// The indexes of the words that are not 0, ascending.
    private var keys: [Int32] = []
    /// The words.
    private var words: [UInt64] = []

    init() {}

    init(_ numbers: some Sequence<Int>) {
        for number in numbers { insert(number) }
    }

    var isEmpty: Bool { keys.isEmpty }

    /// The least number.
    var first: Int? { keys.first.map { 64 * Int($0) + words[0].trailingZeroBitCount } }

    func contains(_ number: Int) -> Bool {
        let (index, isThere) = place(of: Int32(number / 64))
        return isThere && words[index] >> (number % 64) & 1 == 1
    }

    /// - Complexity: O(1) for a number that is greater than all others; otherwise O(words).
    mutating func insert(_ number: Int) {
        let (index, isThere) = place(of: Int32(number / 64))
        if !isThere {
            keys.insert(Int32(number / 64), at: index)
            words.insert(0, at: index)
        }
        words[index] |= 1 << (number % 64)
    }

    /// - Complexity: O(words).
    mutating func remove(_ number: Int) {
        let (index, isThere) = place(of: Int32(number / 64))
        guard isThere else { return }
        words[index] &= ~(1 << (number % 64))
        guard words[index] == 0 else { return }
        keys.remove(at: index)
        words.remove(at: index)
    }

    /// - Complexity: O(words of both); for a few numbers that are greater than all others, O(their words).
    mutating func formUnion(_ other: SparseSet) {
        if isEmpty {
            self = other
            return
        }
        if other.words.count == 1 {
            let (index, isThere) = place(of: other.keys[0])
            if !isThere {
                keys.insert(other.keys[0], at: index)
                words.insert(0, at: index)
            }
            words[index] |= other.words[0]
            return
        }
        self = merged(with: other, keepsOwn: true, keepsOther: true) { $0 | $1 }
    }

    /// - Complexity: O(words of both); for one word O(log words of the other).
    mutating func subtract(_ other: SparseSet) {
        if isEmpty || other.isEmpty { return }
        if words.count == 1 {
            let (index, isThere) = other.place(of: keys[0])
            if isThere { words[0] &= ~other.words[index] }
            if words[0] == 0 { self = SparseSet() }
            return
        }
        self = merged(with: other, keepsOwn: true, keepsOther: false) { $0 & ~$1 }
    }

    func subtracting(_ other: SparseSet) -> SparseSet {
        var result = self
        result.subtract(other)
        return result
    }

    func intersection(_ other: SparseSet) -> SparseSet {
        merged(with: other, keepsOwn: false, keepsOther: false) { $0 & $1 }
    }

    /// The index of a word, or where it would be.
    private func place(of key: Int32) -> (index: Int, isThere: Bool) {
        guard let last = keys.last, last >= key else { return (keys.count, false) }
        if last == key { return (keys.count - 1, true) }
        let index = keys.partitioningIndex { $0 >= key }
        return (index, keys[index] == key)
    }

    /// Combines the words of two sets.
    ///
    /// - Parameters:
    ///   - keepsOwn: whether a word that only this set has stays as it is; otherwise it is dropped.
    ///   - keepsOther: the same for the other set's words.
    private func merged(
        with other: SparseSet, keepsOwn: Bool, keepsOther: Bool, _ combine: (UInt64, UInt64) -> UInt64
    ) -> SparseSet {
        var result = SparseSet()
        result.keys.reserveCapacity(keys.count)
        result.words.reserveCapacity(keys.count)
        func put(_ key: Int32, _ word: UInt64) {
            guard word != 0 else { return }
            result.keys.append(key)
            result.words.append(word)
        }
        var (own, beside) = (0, 0)
        while own < keys.count || beside < other.keys.count {
            let left = own < keys.count ? keys[own] : Int32.max
            let right = beside < other.keys.count ? other.keys[beside] : Int32.max
            if left == right {
                put(left, combine(words[own], other.words[beside]))
            } else if left < right ? keepsOwn : keepsOther {
                put(Swift.min(left, right), left < right ? words[own] : other.words[beside])
            }
            own += left <= right ? 1 : 0
            beside += right <= left ? 1 : 0
        }
        return result
    }
}

extension SparseSet: Sequence {
    /// The numbers, ascending.
    struct Iterator: IteratorProtocol {
        fileprivate let set: SparseSet
        fileprivate var index = 0
        fileprivate var rest: UInt64

        mutating func next() -> Int? {
            while rest == 0 {
                index += 1
                guard index < set.words.count else { return nil }
                rest = set.words[index]
            }
            defer { rest &= rest - 1 }
            return 64 * Int(set.keys[index]) + rest.trailingZeroBitCount
        }
    }

    func makeIterator() -> Iterator { Iterator(set: self, rest: words.first ?? 0) }
}
