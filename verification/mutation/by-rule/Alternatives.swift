// The implementation of each change, for `scripts/mutation by-rule`, which copies this file into every target
// that it changes and imports the switch there. The first argument is the number of a point's first
// change, the second the number of its changes.

@inline(__always) func mutant(_ number: Int32) -> Bool { mutant_choice(number) == 0 }

/// The active change at a point, from 0; beyond the last if none is active.
@inline(__always) private func choice(_ first: Int32, _ count: UInt32) -> UInt32 {
    let choice = mutant_choice(first)
    return choice < count ? choice : .max
}

// MARK: - Conditions

@inline(__always) func mutantCondition(_ first: Int32, _ count: UInt32, _ holds: Bool) -> Bool {
    switch choice(first, count) {
    case 0: true
    case 1: false
    default: holds
    }
}

@inline(__always) func mutantAnd(
    _ first: Int32, _ count: UInt32, _ left: Bool, _ right: @autoclosure () throws -> Bool
) rethrows -> Bool {
    switch choice(first, count) {
    case 0: left
    case 1: try right()
    case 2: false
    default: try left && right()
    }
}

@inline(__always) func mutantOr(
    _ first: Int32, _ count: UInt32, _ left: Bool, _ right: @autoclosure () throws -> Bool
) rethrows -> Bool {
    switch choice(first, count) {
    case 0: left
    case 1: try right()
    case 2: true
    default: try left || right()
    }
}

@inline(__always) func mutantNot(_ first: Int32, _ count: UInt32, _ holds: Bool) -> Bool { mutant(first) ? holds : !holds }

@inline(__always) func mutantFlag(_ first: Int32, _ count: UInt32, _ flag: Bool) -> Bool { mutant(first) ? !flag : flag }

// MARK: - Comparisons

@inline(__always) func mutantLess<T: Comparable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> Bool {
    switch choice(first, count) {
    case 0: left <= right
    case 1: left >= right
    default: left < right
    }
}

@inline(__always) func mutantLess<T: Comparable, U: Comparable>(
    _ first: Int32, _ count: UInt32, _ left: (T, U), _ right: (T, U)
) -> Bool {
    switch choice(first, count) {
    case 0: left <= right
    case 1: left >= right
    default: left < right
    }
}

@inline(__always) func mutantAtMost<T: Comparable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> Bool {
    switch choice(first, count) {
    case 0: left < right
    case 1: left > right
    default: left <= right
    }
}

@inline(__always) func mutantMore<T: Comparable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> Bool {
    switch choice(first, count) {
    case 0: left >= right
    case 1: left <= right
    default: left > right
    }
}

@inline(__always) func mutantAtLeast<T: Comparable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> Bool {
    switch choice(first, count) {
    case 0: left > right
    case 1: left < right
    default: left >= right
    }
}

@inline(__always) func mutantEqual<T: Equatable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> Bool {
    mutant(first) != (left == right)
}

@_disfavoredOverload @inline(__always) func mutantEqual<T>(
    _ first: Int32, _ count: UInt32, _ left: T?, _ right: _OptionalNilComparisonType
) -> Bool {
    mutant(first) != (left == nil)
}

@inline(__always) func mutantUnequal<T: Equatable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> Bool {
    mutant(first) != (left != right)
}

@_disfavoredOverload @inline(__always) func mutantUnequal<T>(
    _ first: Int32, _ count: UInt32, _ left: T?, _ right: _OptionalNilComparisonType
) -> Bool {
    mutant(first) != (left != nil)
}

// MARK: - Numbers

@inline(__always) func mutantLiteral<T>(_ first: Int32, _ count: UInt32, _ value: T, _ other: T) -> T {
    mutant(first) ? other : value
}

@inline(__always) func mutantSum<T: AdditiveArithmetic>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left - right : left + right
}

/// Drops the second of two collections.
@inline(__always) func mutantSum<T: RangeReplaceableCollection>(
    _ first: Int32, _ count: UInt32, _ left: T, _ right: some Sequence<T.Element>
) -> T {
    mutant(first) ? left : left + right
}

@inline(__always) func mutantDifference<T: AdditiveArithmetic>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left + right : left - right
}

@inline(__always) func mutantProduct<T: BinaryInteger>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left / right : left * right
}

@inline(__always) func mutantQuotient<T: BinaryInteger>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left * right : left / right
}

@inline(__always) func mutantRemainder<T: BinaryInteger>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left / right : left % right
}

@inline(__always) func mutantShiftUp<T: BinaryInteger>(
    _ first: Int32, _ count: UInt32, _ left: T, _ right: some BinaryInteger
) -> T {
    mutant(first) ? left >> right : left << right
}

@inline(__always) func mutantShiftDown<T: BinaryInteger>(
    _ first: Int32, _ count: UInt32, _ left: T, _ right: some BinaryInteger
) -> T {
    mutant(first) ? left << right : left >> right
}

@inline(__always) func mutantBitOr<T: BinaryInteger>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left & right : left | right
}

@inline(__always) func mutantBitAnd<T: BinaryInteger>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    mutant(first) ? left | right : left & right
}

@inline(__always) func mutantAdd<T: AdditiveArithmetic>(_ first: Int32, _ count: UInt32, _ left: inout T, _ right: T) {
    if mutant(first) { left -= right } else { left += right }
}

/// Puts the second of two collections before the first.
@inline(__always) func mutantAdd<T: RangeReplaceableCollection>(
    _ first: Int32, _ count: UInt32, _ left: inout T, _ right: some Sequence<T.Element>
) {
    if mutant(first) { left.insert(contentsOf: Array(right), at: left.startIndex) } else { left += right }
}

@inline(__always) func mutantSubtract<T: AdditiveArithmetic>(_ first: Int32, _ count: UInt32, _ left: inout T, _ right: T) {
    if mutant(first) { left += right } else { left -= right }
}

@inline(__always) func mutantMin<T: Comparable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    switch choice(first, count) {
    case 0: left
    case 1: right
    default: min(left, right)
    }
}

@inline(__always) func mutantMax<T: Comparable>(_ first: Int32, _ count: UInt32, _ left: T, _ right: T) -> T {
    switch choice(first, count) {
    case 0: left
    case 1: right
    default: max(left, right)
    }
}

// MARK: - Ranges, optionals

@inline(__always) func mutantUpTo<T: Strideable>(_ first: Int32, _ count: UInt32, _ low: T, _ high: T) -> Range<T>
where T.Stride: SignedInteger {
    mutant(first) ? low..<high.advanced(by: 1) : low..<high
}

@inline(__always) func mutantThrough<T: Strideable>(_ first: Int32, _ count: UInt32, _ low: T, _ high: T) -> ClosedRange<T>
where T.Stride: SignedInteger {
    mutant(first) ? low...high.advanced(by: -1) : low...high
}

@inline(__always) func mutantElse<T>(
    _ first: Int32, _ count: UInt32, _ left: T?, _ right: @autoclosure () throws -> T
) rethrows -> T {
    mutant(first) ? try right() : try left ?? right()
}

@_disfavoredOverload @inline(__always) func mutantElse<T>(
    _ first: Int32, _ count: UInt32, _ left: T?, _ right: @autoclosure () throws -> T?
) rethrows -> T? {
    mutant(first) ? try right() : try left ?? right()
}

extension Range {
    @inline(__always) func mutantLowerBound(_ number: Int32) -> Bound { mutant(number) ? upperBound : lowerBound }
    @inline(__always) func mutantUpperBound(_ number: Int32) -> Bound { mutant(number) ? lowerBound : upperBound }
}

extension ClosedRange {
    @inline(__always) func mutantLowerBound(_ number: Int32) -> Bound { mutant(number) ? upperBound : lowerBound }
    @inline(__always) func mutantUpperBound(_ number: Int32) -> Bound { mutant(number) ? lowerBound : upperBound }
}

// MARK: - Collections

extension BidirectionalCollection {
    @inline(__always) func mutantFirst(_ number: Int32) -> Element? { mutant(number) ? last : first }
    @inline(__always) func mutantLast(_ number: Int32) -> Element? { mutant(number) ? first : last }
    @inline(__always) func mutantReversed(_ number: Int32) -> [Element] { mutant(number) ? Array(self) : reversed() }
}

extension Collection {
    @inline(__always) func mutantDropFirst(_ number: Int32, _ count: Int = 1) -> SubSequence {
        dropFirst(mutant(number) ? 0 : count)
    }
    @inline(__always) func mutantDropLast(_ number: Int32, _ count: Int = 1) -> SubSequence {
        dropLast(mutant(number) ? 0 : count)
    }
}

extension Sequence {
    @inline(__always) func mutantSorted(_ number: Int32, by precedes: (Element, Element) -> Bool) -> [Element] {
        mutant(number) ? Array(self) : sorted(by: precedes)
    }
}

extension Sequence where Element: Comparable {
    @inline(__always) func mutantLeast(_ number: Int32) -> Element? { mutant(number) ? self.max() : self.min() }
    @inline(__always) func mutantGreatest(_ number: Int32) -> Element? { mutant(number) ? self.min() : self.max() }
    @inline(__always) func mutantSorted(_ number: Int32) -> [Element] { mutant(number) ? Array(self) : sorted() }
}
