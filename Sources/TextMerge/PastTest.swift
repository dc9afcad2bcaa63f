import Causality

/// Answers whether one revision is in another's past, about the newest revision and those that are concurrent with it.
///
/// Everything is worked out when it is first asked for: most writes have nobody beside them, and most that have are told apart
/// by text that all have seen.
final class PastTest {
    private let graph: RevisionGraph
    private let newest: Int
    /// The revisions beside the newest: neither in its past nor it in theirs; ascending.
    private let unseen: [Int]
    /// Of a revision beside the newest: what of the newest one's past it has not in its own.
    private var lacks: [Int: Set<Int>] = [:]
    /// By index in `unseen`: which of these are in its past, a bit each.
    private var inside: [[UInt64]] = []
    private var lacksOfParents: [Version: Set<Int>] = [:]

    init(newest: Int, unseen: [Int], graph: RevisionGraph) {
        self.newest = newest
        self.unseen = unseen
        self.graph = graph
    }

    /// - Parameters:
    ///   - ordinal: of any revision, or `Copy.start`.
    ///   - other: the newest, or one beside it.
    func isInPast(_ ordinal: Int, of other: Int) -> Bool {
        if ordinal == Copy.start { return true }
        guard ordinal < other else { return false }
        if other == newest { return unseenIndex(of: ordinal) == nil }
        if let member = unseenIndex(of: ordinal) { return isInside(member, of: other) }
        if lacks.isEmpty { workOut() }
        return !(lacks[other]?.contains(ordinal) ?? true)
    }

    private func unseenIndex(of ordinal: Int) -> Int? {
        var (low, high) = (0, unseen.count)
        while low < high {
            let middle = (low + high) / 2
            if unseen[middle] < ordinal { low = middle + 1 } else { high = middle }
        }
        return low < unseen.count && unseen[low] == ordinal ? low : nil
    }

    /// Whether one beside the newest, by its index, is in the past of another.
    private func isInside(_ member: Int, of other: Int) -> Bool {
        if inside.isEmpty { workOutInside() }
        guard let row = unseenIndex(of: other) else { return false }
        return inside[row][member / 64] >> UInt64(member % 64) & 1 == 1
    }

    /// The past of one is its parents and their pasts.
    ///
    /// - Complexity: O(unseen² / 64).
    private func workOutInside() {
        let words = (unseen.count + 63) / 64
        for ordinal in unseen {
            var row = [UInt64](repeating: 0, count: words)
            for parent in graph.parentOrdinals(at: ordinal) {
                guard let index = unseenIndex(of: parent) else { continue }
                for word in 0..<words { row[word] |= inside[index][word] }
                row[index / 64] |= 1 << UInt64(index % 64)
            }
            inside.append(row)
        }
    }

    /// What a revision lacks is what all of its parents lack. A parent that the newest has seen lacks what has come since.
    private func workOut() {
        let seen = graph.parents(at: newest)
        for ordinal in unseen {
            var lacked: Set<Int>?
            let inside = graph.parentOrdinals(at: ordinal)
            for parent in inside {
                let more: Set<Int>
                if let known = lacks[parent] { more = known } else { more = lack(of: Version(graph.dots[parent]), from: seen) }
                lacked = lacked.map { $0.intersection(more) } ?? more
            }
            // Parents that are not held are the floor's: all that the newest has seen above it came since.
            lacks[ordinal] = lacked ?? lack(of: graph.parents(at: ordinal), from: seen)
        }
    }

    private func lack(of version: Version, from seen: Version) -> Set<Int> {
        if let known = lacksOfParents[version] { return known }
        let found = Set(graph.difference(seen, version).onlyLeft)
        lacksOfParents[version] = found
        return found
    }
}
