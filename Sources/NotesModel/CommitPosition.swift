package import Causality

/// A commit by its sequence and the replica that made it, so that a position of one store never passes for that of another
/// whose history went elsewhere. What a cursor says.
///
/// The position before the first commit has sequence 0 and, in place of a replica, the id of the store.
package struct CommitPosition: Hashable, Sendable {
    package let sequence: UInt64
    package let replica: ReplicaID

    package init(sequence: UInt64, replica: ReplicaID) {
        self.sequence = sequence
        self.replica = replica
    }
}
