package import Causality

/// Who a store is, and who writes to it in this run.
package struct StoreIdentity: Hashable, Sendable {
    /// 16 hexadecimal digits, drawn when the store was made; a copy keeps it.
    package let store: ReplicaID
    package let replica: ReplicaID

    package init(store: ReplicaID, replica: ReplicaID) {
        self.store = store
        self.replica = replica
    }
}

/// A note's newest state and the commit that made it.
package struct StoredHead: Hashable, Sendable {
    package let head: Head
    package let sequence: UInt64

    package init(head: Head, sequence: UInt64) {
        self.head = head
        self.sequence = sequence
    }
}

/// A place in the order of lists: by name (bytes, no name last), then by id.
package struct ListPosition: Hashable, Sendable {
    package let name: NoteName?
    package let id: NoteID

    package init(name: NoteName?, id: NoteID) {
        self.name = name
        self.id = id
    }
}

/// What a store holds, for `daemon.status`.
package struct StoreStatistics: Hashable, Sendable {
    package var notes: Int
    package var tombstones: Int
    package var revisions: Int
    package var commits: UInt64
    package var lastCommit: Timestamp?
    package var storeBytes: Int
    package var walBytes: Int
    /// Notes with open conflicts.
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
