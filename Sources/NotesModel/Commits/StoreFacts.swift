package import Causality

/// The identities of a store and of the replica that writes to it.
package struct StoreIdentity: Hashable, Sendable {
    /// A random number of 16 hexadecimal digits, chosen when the store was created. A copy keeps
    /// it.
    package let store: ReplicaID
    /// The replica of this run of the daemon.
    package let replica: ReplicaID

    package init(store: ReplicaID, replica: ReplicaID) {
        self.store = store
        self.replica = replica
    }
}

/// A note's newest state and the commit that produced it.
package struct StoredHead: Hashable, Sendable {
    /// The state.
    package let head: Head
    /// The commit sequence number.
    package let sequence: UInt64

    package init(head: Head, sequence: UInt64) {
        self.head = head
        self.sequence = sequence
    }
}

/// A position in the order of lists: by name in byte order with unnamed notes last, then by id.
package struct ListPosition: Hashable, Sendable {
    /// The name; nil for unnamed notes.
    package let name: NoteName?
    /// The note's id.
    package let id: NoteID

    package init(name: NoteName?, id: NoteID) {
        self.name = name
        self.id = id
    }
}

/// The contents and sizes of a store, for `daemon.status` and the metrics.
package struct StoreStatistics: Hashable, Sendable {
    /// The number of notes that are not deleted.
    package var notes: Int
    /// The number of deleted notes.
    package var tombstones: Int
    /// The number of committed revisions.
    package var revisions: Int
    /// The newest commit sequence number.
    package var commits: UInt64
    /// The time of the newest commit; nil in an empty store.
    package var lastCommit: Timestamp?
    /// Size of the database file, in bytes.
    package var storeBytes: Int
    /// Size of the write-ahead log, in bytes.
    package var walBytes: Int
    /// The number of notes with open conflicts.
    package var conflicted: Int

    package init(
        notes: Int, tombstones: Int, revisions: Int, commits: UInt64, lastCommit: Timestamp?, storeBytes: Int, walBytes: Int,
        conflicted: Int = 0
    ) {
        self.notes = notes
        self.tombstones = tombstones
        self.revisions = revisions
        self.commits = commits
        self.lastCommit = lastCommit
        self.storeBytes = storeBytes
        self.walBytes = walBytes
        self.conflicted = conflicted
    }
}
