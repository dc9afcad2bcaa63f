/// The revisions of a graph that have one in their past, and that one: found out from it upwards, once, as far as is asked.
///
/// For who asks the same of one newer version after the other, where `RevisionGraph.covers` would walk down from each of them.
/// What was found out stays right, since a graph only grows at its top.
package struct Descendants: Sendable {
    private let ordinal: Int
    /// From the one itself upwards.
    private var isOne = [true]

    package init(of ordinal: Int) {
        self.ordinal = ordinal
    }

    /// What it takes in memory, in bytes.
    package var residentBytes: Int { isOne.count }

    /// Whether a version covers the one.
    ///
    /// - Precondition: the graph is always the same, or what became of it.
    /// - Complexity: O(dots); over all calls, O(revisions and parents above the one).
    package mutating func contain(_ version: Version, of graph: RevisionGraph) -> Bool {
        version.dots.contains { dot in
            guard let newest = graph.ordinal(of: dot), newest >= ordinal else { return false }
            while ordinal + isOne.count <= newest {
                let parents = graph.parentOrdinals(at: ordinal + isOne.count)
                isOne.append(parents.contains { $0 >= ordinal && isOne[$0 - ordinal] })
            }
            return isOne[newest - ordinal]
        }
    }
}
