package import Causality
package import NoteText

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

/// An order of the notes of a list, and the place in it where a page begins.
package enum ListPlace: Hashable, Sendable {
    /// By name and id, after a position; nil for the first page.
    case byName(after: ListPosition?)
    /// By the newest commit of each note, newest first: the notes whose newest commit is before this
    /// one; nil for the first page.
    case newest(before: UInt64?)

    /// The orders without a place, as clients name them.
    package enum Order: String, CaseIterable, Hashable, Sendable {
        case name
        case newest
    }

    /// The order.
    package var order: Order {
        switch self {
        case .byName: .name
        case .newest: .newest
        }
    }

    /// The place of the first page in an order.
    package init(startOf order: Order) {
        switch order {
        case .name: self = .byName(after: nil)
        case .newest: self = .newest(before: nil)
        }
    }
}

/// A page of notes in the order of their newest commits, newest first.
package struct NewestHeads: Hashable, Sendable {
    /// The notes of the page.
    package var heads: [StoredHead]
    /// The commit before which the next page looks for notes; nil on the last page. A page may have
    /// fewer notes than its limit, or none, and still not be the last.
    package var next: UInt64?

    package init(heads: [StoredHead], next: UInt64?) {
        self.heads = heads
        self.next = next
    }
}

/// A tag, and the number of living notes that have it.
package struct TagCount: Hashable, Sendable {
    /// The tag, without `#`.
    package let tag: ByteString
    /// The number of notes.
    package let notes: Int

    package init(tag: ByteString, notes: Int) {
        self.tag = tag
        self.notes = notes
    }
}

/// A page of tags, by bytes.
package struct TagPage: Hashable, Sendable {
    /// The tags of the page. Each has at least one note.
    package var tags: [TagCount]
    /// The tag after which the next page begins; nil on the last page. A page may have fewer tags
    /// than its limit, or none, and still not be the last.
    package var next: ByteString?

    package init(tags: [TagCount], next: ByteString?) {
        self.tags = tags
        self.next = next
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
    /// Whether nothing that a purge erased is left in the log or the search index.
    package var isScrubbed: Bool

    package init(
        notes: Int, tombstones: Int, revisions: Int, commits: UInt64, lastCommit: Timestamp?, storeBytes: Int, walBytes: Int,
        conflicted: Int = 0, isScrubbed: Bool = true
    ) {
        self.notes = notes
        self.tombstones = tombstones
        self.revisions = revisions
        self.commits = commits
        self.lastCommit = lastCommit
        self.storeBytes = storeBytes
        self.walBytes = walBytes
        self.conflicted = conflicted
        self.isScrubbed = isScrubbed
    }
}
