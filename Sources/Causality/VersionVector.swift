/// What is known of one note: for each replica, the newest counter of a revision of this note.
///
/// Together with the siblings it is a dotted version vector: the vector says which revisions are
/// known, the dots which ones are current. One counter serves all notes of a replica, so a gap says
/// nothing about this note. A vector therefore serves to inform people and to ask a peer for more,
/// but never to decide what a writer has seen.
package struct VersionVector: Hashable, Sendable {
    /// The newest counter of each replica.
    package private(set) var counters: [ReplicaID: UInt64]

    package init(_ counters: [ReplicaID: UInt64] = [:]) {
        self.counters = counters
    }

    /// Raises a replica's counter to that of a dot.
    package mutating func record(_ dot: Dot) {
        counters[dot.replica] = max(counters[dot.replica] ?? 0, dot.counter)
    }

    /// The least vector that covers both.
    package func joined(_ other: VersionVector) -> VersionVector {
        VersionVector(counters.merging(other.counters, uniquingKeysWith: max))
    }
}
