import Causality

/// The revisions beside the newest, neither in its past nor it in theirs, by number; and which of them have seen what.
///
/// Everything is worked out when it is first asked for: most writes have nobody beside them, and most that have are told apart
/// by text that all have seen.
final class Bystanders {
    /// Ascending.
    let ordinals: [Int]
    private let newest: Int
    private let graph: RevisionGraph
    private var seeing: [Int: Bits] = [:]
    /// What of the newest one's past a version that it has seen lacks.
    private var lacks: [Version: Set<Int>] = [:]

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
    /// - Complexity: O(bystanders) when it is first asked for, and for one that the newest has seen what those who are beside it lack of
    ///   the newest one's past.
    func having(_ ordinal: Int) -> Bits {
        if let known = seeing[ordinal] { return known }
        let found = ordinal == Copy.start ? Bits.all(bound: ordinals.count) : workOut(ordinal)
        seeing[ordinal] = found
        return found
    }

    /// Who has a parent that is it, or has it in its past.
    private func workOut(_ ordinal: Int) -> Bits {
        var result = Bits(bound: ordinals.count)
        let isBeside = number(of: ordinal) != nil
        for index in ordinals.ascendingIndex(from: ordinal + 1)..<ordinals.count {
            let has = graph.parentOrdinals(at: ordinals[index]).contains { parent in
                if parent == ordinal { return true }
                guard parent > ordinal else { return false }
                if let number = number(of: parent) { return result.contains(number) }
                return !isBeside && !lack(of: Version(graph.dots[parent])).contains(ordinal)
            }
            if has { result.insert(index) }
        }
        return result
    }

    private func lack(of version: Version) -> Set<Int> {
        if let known = lacks[version] { return known }
        let found = Set(graph.difference(graph.parents(at: newest), version).onlyLeft)
        lacks[version] = found
        return found
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
