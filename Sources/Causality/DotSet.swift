import Algorithms

/// An exact set of dots: for each replica, ranges of counters.
///
/// It describes which revisions a store knows. A version vector would be less exact. One counter
/// serves all notes of a replica, and a peer may have received some of its revisions and not
/// others, so "up to 7" would claim revisions that were never sent. All gaps are kept
/// (`docs/causality.md` §2, rule 3).
///
/// Invariant (`checkInvariants`): no list of ranges is empty; the ranges ascend, and at least one
/// counter lies between any two of them. So equal sets are equal values.
package struct DotSet: Hashable, Sendable {
    private var rangesByReplica: [ReplicaID: [ClosedRange<UInt64>]] = [:]

    /// The empty set.
    package init() {}

    /// The set of some dots.
    package init(_ dots: some Sequence<Dot>) {
        for dot in dots { insert(dot) }
    }

    /// Whether the set has no dots.
    package var isEmpty: Bool { rangesByReplica.isEmpty }

    /// The replicas of the dots, sorted.
    package var replicas: [ReplicaID] { rangesByReplica.keys.sorted() }

    /// The counters of a replica's dots: ascending, disjoint, and not adjacent.
    package func ranges(of replica: ReplicaID) -> [ClosedRange<UInt64>] {
        rangesByReplica[replica] ?? []
    }

    /// The number of ranges of all replicas.
    ///
    /// - Complexity: O(replicas).
    package var rangeCount: Int { rangesByReplica.values.reduce(0) { $0 + $1.count } }

    /// The number of dots; `Int.max` if there are more, which a peer can claim.
    ///
    /// - Complexity: O(ranges).
    package var count: Int {
        rangesByReplica.values.joined().reduce(0) { sum, range in
            let (size, overflows) = sum.addingReportingOverflow(Int(clamping: range.upperBound - range.lowerBound))
            return overflows || size == .max ? .max : size + 1
        }
    }

    /// Whether the set has a dot.
    ///
    /// - Complexity: O(log of the replica's ranges).
    package func contains(_ dot: Dot) -> Bool {
        guard let ranges = rangesByReplica[dot.replica] else { return false }
        let index = Self.firstIndex(in: ranges, reaching: dot.counter)
        return index < ranges.count && ranges[index].lowerBound <= dot.counter
    }

    /// The first dots, by replica and counter.
    ///
    /// - Complexity: O(dots returned + replicas × log replicas).
    package func prefix(_ maxLength: Int) -> [Dot] { dots(from: 0, count: maxLength) }

    /// Some dots by replica and counter, beginning at the place `offset` in their order.
    ///
    /// - Complexity: O(dots returned + ranges).
    package func dots(from offset: Int, count: Int) -> [Dot] {
        var (skip, dots) = (UInt64(offset), [Dot]())
        for replica in replicas {
            for range in ranges(of: replica) {
                let size = range.upperBound - range.lowerBound + 1
                guard skip < size else {
                    skip -= size
                    continue
                }
                let first = range.lowerBound + skip
                skip = 0
                guard dots.count < count else { return dots }
                let last = min(range.upperBound, first + UInt64(count - dots.count) - 1)
                for counter in first...last { dots.append(Dot(replica, counter)) }
            }
        }
        return dots
    }

    /// The dots that are in both sets.
    package func intersection(_ other: DotSet) -> DotSet { subtracting(subtracting(other)) }

    /// Inserts a dot.
    ///
    /// - Returns: whether the dot is new.
    /// - Complexity: O(1) beyond the replica's newest counter, otherwise O(the replica's ranges).
    @discardableResult
    package mutating func insert(_ dot: Dot) -> Bool {
        guard !contains(dot) else { return false }
        insert(dot.counter...dot.counter, of: dot.replica)
        return true
    }

    /// Inserts the dots of a replica with the given counters.
    ///
    /// - Precondition: the counters are from 1 to `Dot.counterMax`.
    /// - Complexity: O(1) beyond the replica's newest counter, otherwise O(the replica's ranges).
    package mutating func insert(_ counters: ClosedRange<UInt64>, of replica: ReplicaID) {
        precondition(counters.lowerBound >= 1 && counters.upperBound <= Dot.counterMax, "these are counters of dots")
        var ranges = rangesByReplica.removeValue(forKey: replica) ?? []
        // The new range absorbs all ranges that it overlaps or is adjacent to.
        let first = Self.firstIndex(in: ranges, reaching: counters.lowerBound - 1)
        var end = first
        var (low, high) = (counters.lowerBound, counters.upperBound)
        while end < ranges.count, ranges[end].lowerBound <= high + 1 {
            low = min(low, ranges[end].lowerBound)
            high = max(high, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(low...high))
        rangesByReplica[replica] = ranges
    }

    /// Inserts all dots of another set.
    ///
    /// - Complexity: O(ranges of both).
    package mutating func formUnion(_ other: DotSet) {
        for (replica, ranges) in other.rangesByReplica {
            guard let mine = rangesByReplica[replica] else {
                rangesByReplica[replica] = ranges
                continue
            }
            rangesByReplica[replica] = Self.union(mine, ranges)
        }
    }

    /// The dots that are in either set.
    ///
    /// - Complexity: O(ranges of both).
    package func union(_ other: DotSet) -> DotSet {
        var result = self
        result.formUnion(other)
        return result
    }

    /// The dots that the other set does not have.
    ///
    /// - Complexity: O(ranges of both).
    package func subtracting(_ other: DotSet) -> DotSet {
        var result = DotSet()
        for (replica, ranges) in rangesByReplica {
            let remaining = Self.difference(ranges, other.rangesByReplica[replica] ?? [])
            if !remaining.isEmpty { result.rangesByReplica[replica] = remaining }
        }
        return result
    }

    /// Whether the set has every dot of another set.
    ///
    /// - Complexity: O(ranges of the other x log of this set's ranges).
    package func isSuperset(of other: DotSet) -> Bool {
        other.rangesByReplica.allSatisfy { replica, ranges in
            ranges.allSatisfy { isSuperset(of: $0, of: replica) }
        }
    }

    /// Whether the set has all dots of a replica with the given counters.
    ///
    /// - Complexity: O(log of the replica's ranges).
    package func isSuperset(of counters: ClosedRange<UInt64>, of replica: ReplicaID) -> Bool {
        guard let ranges = rangesByReplica[replica] else { return false }
        let index = Self.firstIndex(in: ranges, reaching: counters.lowerBound)
        // Ranges are not adjacent, so consecutive counters are in one range.
        return index < ranges.count && ranges[index].lowerBound <= counters.lowerBound
            && ranges[index].upperBound >= counters.upperBound
    }

    /// The first counter of a range that the set does not have for a replica; nil if it has them
    /// all.
    ///
    /// - Complexity: O(log of the replica's ranges).
    package func firstMissing(of counters: ClosedRange<UInt64>, of replica: ReplicaID) -> UInt64? {
        let ranges = rangesByReplica[replica] ?? []
        let index = Self.firstIndex(in: ranges, reaching: counters.lowerBound)
        guard index < ranges.count, ranges[index].lowerBound <= counters.lowerBound else { return counters.lowerBound }
        let next = ranges[index].upperBound + 1
        return next <= counters.upperBound ? next : nil
    }

    /// Traps if an invariant of the type does not hold. For tests only.
    package func checkInvariants() {
        for ranges in rangesByReplica.values {
            precondition(!ranges.isEmpty, "no list is empty")
            precondition(ranges.allSatisfy { $0.lowerBound >= 1 && $0.upperBound <= Dot.counterMax }, "counters of dots")
            for (range, next) in zip(ranges, ranges.dropFirst()) {
                precondition(range.upperBound + 1 < next.lowerBound, "ranges ascend and do not touch")
            }
        }
    }
}

// MARK: - Lists of ranges

extension DotSet {
    /// The index of the first range that ends at or after a counter; the end of the list if there
    /// is none.
    private static func firstIndex(in ranges: [ClosedRange<UInt64>], reaching counter: UInt64) -> Int {
        // Counters are usually asked about in ascending order.
        guard let last = ranges.last, last.upperBound >= counter else { return ranges.count }
        return ranges.partitioningIndex { $0.upperBound >= counter }
    }

    /// The union of two lists of ranges.
    private static func union(
        _ left: [ClosedRange<UInt64>], _ right: [ClosedRange<UInt64>]
    ) -> [ClosedRange<UInt64>] {
        var result: [ClosedRange<UInt64>] = []
        var (leftIndex, rightIndex) = (0, 0)
        while leftIndex < left.count || rightIndex < right.count {
            let takesLeft =
                rightIndex == right.count
                || (leftIndex < left.count && left[leftIndex].lowerBound <= right[rightIndex].lowerBound)
            let range = takesLeft ? left[leftIndex] : right[rightIndex]
            if takesLeft { leftIndex += 1 } else { rightIndex += 1 }
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// The counters of some ranges that are in none of the removed ones.
    private static func difference(
        _ ranges: [ClosedRange<UInt64>], _ removed: [ClosedRange<UInt64>]
    ) -> [ClosedRange<UInt64>] {
        var result: [ClosedRange<UInt64>] = []
        var index = 0
        for range in ranges {
            var low = range.lowerBound
            while index < removed.count, removed[index].upperBound < low { index += 1 }
            // A removed range may go on into the next range, so it is passed only if it ends within
            // this one.
            while index < removed.count, removed[index].lowerBound <= range.upperBound {
                if removed[index].lowerBound > low { result.append(low...removed[index].lowerBound - 1) }
                low = removed[index].upperBound + 1
                guard low <= range.upperBound else { break }
                index += 1
            }
            if low <= range.upperBound { result.append(low...range.upperBound) }
        }
        return result
    }
}
