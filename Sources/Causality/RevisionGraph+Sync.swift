/// The two operations of dotted version vectors on one note, on the graph that they are read from.
extension RevisionGraph {
    /// A write: `parents = maximal(base)`, `siblings = {s | s not in past(dot)} ∪ {dot}`.
    ///
    /// - Parameter base: what the writer had been shown, reduced or not.
    /// - Returns: the writer's new version, which is the dot alone: it was shown nothing more.
    /// - Precondition: the dot is new; every dot of the base is known.
    package mutating func put(_ dot: Dot, base: Version) -> Version {
        insert(dot, parents: reduce(base))
        return Version(dot)
    }

    /// Takes in what another store knows of the note: the union of the revisions. Commutative, associative, idempotent, up to
    /// the order of arrival, which nothing that is told ever shows.
    ///
    /// - Precondition: both start above the same floor; one dot names one revision in both.
    /// - Complexity: O(revisions of the other).
    package mutating func sync(_ other: RevisionGraph) {
        precondition(floor == other.floor, "both speak about what came after one version")
        for (ordinal, dot) in other.dots.enumerated() where !knows(dot) {
            insert(dot, parents: other.parents(at: ordinal))
        }
    }
}
