package import Causality

/// A commit, named by its sequence number and by the replica that made it. Cursors contain it.
///
/// The replica distinguishes stores whose histories diverged, for example after a restore from a
/// backup: a sequence number alone could name a different commit there. The position before the
/// first commit has sequence 0 and the id of the store in place of a replica.
package struct CommitPosition: Hashable, Sendable {
    /// The commit sequence number.
    package let sequence: UInt64
    /// The replica that made the commit, or the store's id when `sequence` is 0.
    package let replica: ReplicaID

    package init(sequence: UInt64, replica: ReplicaID) {
        self.sequence = sequence
        self.replica = replica
    }
}
