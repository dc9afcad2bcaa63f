/// What is known of one note: for each replica the newest counter of a revision of this note.
///
/// Together with the siblings it is a dotted version vector: the vector says what is known, the dots say what is current.
/// Since one counter serves all notes of a replica, a gap says nothing about this note, so a vector is for people and for
/// asking a peer for more, never for deciding what was seen.
package struct VersionVector: Hashable, Sendable {
    package private(set) var counters: [ReplicaID: UInt64]

    package init(_ counters: [ReplicaID: UInt64] = [:]) {
        self.counters = counters
    }

    package mutating func record(_ dot: Dot) {
        counters[dot.replica] = max(counters[dot.replica] ?? 0, dot.counter)
    }

    /// The least vector that knows what either knows.
    package func joined(_ other: VersionVector) -> VersionVector {
        VersionVector(counters.merging(other.counters, uniquingKeysWith: max))
    }
}
