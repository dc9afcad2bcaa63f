/// The two operations of dotted version vectors, on the graph of one note.
extension RevisionGraph {
    /// Inserts a write: `parents = maximal(base)`, `siblings = {s | s not in past(dot)} ∪ {dot}`.
    ///
    /// - Parameter base: the version that the writer had seen, reduced or not.
    /// - Returns: the writer's new version. It is the dot alone, because the writer has seen
    ///   nothing more.
    /// - Precondition: the dot is new, and every dot of the base is known.
    package mutating func put(_ dot: Dot, base: Version) -> Version {
        insert(dot, parents: reduce(base))
        return Version(dot)
    }

    /// Inserts every revision that another store knows of the note. Commutative, associative and
    /// idempotent, except for the order of arrival, which no result depends on.
    ///
    /// - Precondition: both graphs start above the same floor, and one dot names the same revision
    ///   in both.
    /// - Complexity: O(revisions of the other).
    package mutating func sync(_ other: RevisionGraph) {
        precondition(floor == other.floor, "both graphs start above the same floor")
        for (ordinal, dot) in other.dots.enumerated() where !knows(dot) {
            insert(dot, parents: other.parents(at: ordinal))
        }
    }
}
