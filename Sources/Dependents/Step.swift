package import NotesModel

/// What is to be done next for a dependent.
package enum Step: Hashable, Sendable {
    /// To be written now: its `seq` is given, so it may not be dropped.
    case line(Line)
    /// To be written now, a line for each of its notes.
    case changeBatch(NumberedChangeBatch)
    /// To be written now. It has no `seq`, and goes to the dependent, not to a watch.
    case presence(PresenceLine)
    /// Something was looked at of which there is nothing to tell: ask again.
    case passed
    /// To be read from the store and handed to `receive`. Until then it is asked again.
    case read(Read)
    /// All is told.
    case nothing
}

/// How far a watch was told: every change up to `commit` has been delivered, or left out for good, when the store had come to `newest`.
package struct WatchPosition: Hashable, Sendable {
    package let commit: UInt64
    /// The same where nothing that a watch covers waits behind it: then it is true of every store that has that commit.
    package let newest: UInt64

    package init(_ commit: UInt64, newest: UInt64) {
        self.commit = commit
        self.newest = newest
    }
}

/// A line of a watch.
package enum Line: Hashable, Sendable {
    case changed(ChangedLine)
    case synced(watch: WatchID, seq: UInt64, cursor: WatchPosition)
    case bookmark(watch: WatchID, seq: UInt64, cursor: WatchPosition)
    case reset(watch: WatchID, seq: UInt64, reason: ResetReason)
}

/// Why a watch had to start over from its last cursor.
package enum ResetReason: String, Hashable, Sendable {
    case outboxFull = "outbox_full"
}

/// `note.changed`, but for the note itself.
package struct ChangedLine: Hashable, Sendable {
    package let watch: WatchID
    package let seq: UInt64
    package let kind: ChangeKind
    package let note: NoteID
    /// The commit whose state is to be shown.
    package let to: UInt64
    /// The commit as of which the client was shown the note: what `edits` are made from. 0 where there is nothing to build on.
    package let from: UInt64
    package let include: WatchDetail
    /// How many changes the line stands for; 1 for a snapshot.
    package let changes: Int
    /// Where a catch-up reaches further back than `RecentCommits`, `changes` is only at least so many: it stands for the note's commits
    /// after this one, up to `to`, which the store can count.
    package var uncountedAfter: UInt64? = nil
    /// Of the newest of them, where that is still known.
    package let origin: Origin?
    /// `to`, and what the store had come to.
    package let cursor: WatchPosition
}

/// What the machine asks of the store for a watch that catches up.
package enum Read: Hashable, Sendable {
    case page(PageRead)
    case past(PastRead)
}

/// The notes whose newest commit lies in `after < sequence <= through`, in that order, the first `limit` of them, matching or
/// not (`Journal.changed`).
package struct PageRead: Hashable, Sendable {
    package let watch: WatchID
    package let after: UInt64
    package let through: UInt64
    package let limit: Int
    /// The commit as of which the client was shown the notes; nil in a snapshot, where it was shown none.
    package let asOf: UInt64?
    package let filter: Filter
    /// What the lines are to show.
    package let include: WatchDetail

    /// Whether the note's state as of `asOf` decides what is said of it.
    package func needsPast(of head: Head) -> Bool {
        asOf ?? 0 > 0 && !head.isDeleted && filter.matches(head)
    }
}

/// One note of a page.
package struct PageNote: Sendable {
    package let stored: StoredHead
    /// The note as of `PageRead.asOf`: nil where it was not there then, or `needsPast` is false.
    package let past: Head?

    package init(stored: StoredHead, past: Head?) {
        self.stored = stored
        self.past = past
    }
}

/// One note as it was as of a commit: it changed again before the catch-up came to it.
package struct PastRead: Hashable, Sendable {
    package let watch: WatchID
    package let note: NoteID
    package let asOf: UInt64
}
