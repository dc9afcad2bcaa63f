import Causality

/// The revisions beside the newest, neither in its past nor it in theirs, by number; and which of them have seen what.
///
/// Everything is worked out when it is first asked for: most writes have nobody beside them, and most that have are told apart
/// by text that all have seen.
final class ConcurrentRevisions {
    /// Ascending.
    let ordinals: [Int]
    private let newest: Int
    private let graph: RevisionGraph
    private var seeing: [Int: Bits] = [:]
    /// The first revision that the newest has seen and some bystander has not.
    private lazy var leastMissed = findLeastMissed()
    /// Of the 64 revisions from `leastMissed + 64 * key` on, which each revision from there up to the newest has in its past or is.
    private var pasts: [Int: [UInt64]] = [:]

    init(_ ordinals: [Int], newest: Int, graph: RevisionGraph) {
        self.ordinals = ordinals
        self.newest = newest
        self.graph = graph
    }

    /// The number of a revision that is one of them.
    ///
    /// - Complexity: O(log bystanders).
    func number(of ordinal: Int) -> Int? {
        let index = ordinals.ascendingIndex(from: ordinal)
        return index < ordinals.count && ordinals[index] == ordinal ? index : nil
    }

    /// Those who have a revision in their past.
    ///
    /// - Parameter ordinal: of any revision but the newest, or `Copy.start`.
    /// - Complexity: O(bystanders) when it is first asked for; and once for 64 neighbours that the newest has seen and some bystander has
    ///   not, the number of revisions since then.
    func having(_ ordinal: Int) -> Bits {
        if let known = seeing[ordinal] { return known }
        let found: Bits
        if ordinal == Copy.start {
            found = .all(bound: ordinals.count)
        } else if number(of: ordinal) != nil {
            found = having(bystander: ordinal)
        } else {
            found = ordinal < leastMissed ? .all(bound: ordinals.count) : having(missed: ordinal)
        }
        seeing[ordinal] = found
        return found
    }

    /// What the newest has seen has none of them in its past, so that all between is bystanders.
    private func having(bystander ordinal: Int) -> Bits {
        var result = Bits(bound: ordinals.count)
        for index in ordinals.ascendingIndex(from: ordinal + 1)..<ordinals.count {
            let has = graph.parentOrdinals(at: ordinals[index]).contains { parent in
                parent == ordinal || parent > ordinal && number(of: parent).map { result.contains($0) } ?? false
            }
            if has { result.insert(index) }
        }
        return result
    }

    private func having(missed ordinal: Int) -> Bits {
        var result = Bits(bound: ordinals.count)
        let (key, bit) = (ordinal - leastMissed).quotientAndRemainder(dividingBy: 64)
        let start = leastMissed + 64 * key
        let pasts = pasts(of: key, from: start)
        for index in ordinals.ascendingIndex(from: ordinal + 1)..<ordinals.count {
            if pasts[ordinals[index] - start] >> bit & 1 == 1 { result.insert(index) }
        }
        return result
    }

    private func pasts(of key: Int, from start: Int) -> [UInt64] {
        if let known = pasts[key] { return known }
        var found = [UInt64](repeating: 0, count: newest - start)
        for index in found.indices {
            var past: UInt64 = index < 64 ? 1 << index : 0
            for parent in graph.parentOrdinals(at: start + index) where parent >= start { past |= found[parent - start] }
            found[index] = past
        }
        // Each is as long as the history since then, and there may be one for each 64 revisions of that.
        if pasts.count >= 64 { pasts = [:] }
        pasts[key] = found
        return found
    }

    /// What all of them have seen is what those of them have in common who have seen no other.
    private func findLeastMissed() -> Int {
        var common: Version?
        for ordinal in ordinals where graph.parentOrdinals(at: ordinal).allSatisfy({ number(of: $0) == nil }) {
            let parents = graph.parents(at: ordinal)
            common = common.map { graph.commonPast($0, parents) } ?? parents
        }
        return graph.difference(graph.parents(at: newest), common ?? .nothing).onlyLeft.first ?? newest
    }
}

extension Array where Element == Int {
    /// Where the first stands that is at least the wanted one, in an ascending list; its end if there is none.
    func ascendingIndex(from wanted: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
