/// A revision of a graph and the revisions that have it in their past, computed upwards as far as
/// queries need.
///
/// For callers that ask the same question about one newer version after another, for each of which
/// `RevisionGraph.covers` would walk down again. Results stay valid, because a graph only grows at
/// its top.
package struct Descendants: Sendable {
    private let ordinal: Int
    /// For each ordinal from that of the revision on: whether it is the revision or a descendant.
    private var isOne = [true]

    /// Starts with the revision alone.
    package init(of ordinal: Int) {
        self.ordinal = ordinal
    }

    /// The size in memory, in bytes.
    package var residentBytes: Int { isOne.count }

    /// Whether a version covers the revision.
    ///
    /// - Precondition: the graph is the same in every call, apart from revisions inserted since.
    /// - Complexity: O(dots); over all calls, O(revisions and parents above the revision).
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
