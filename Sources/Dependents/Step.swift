package import NotesModel

/// What the engine does next for a dependent.
package enum Step: Hashable, Sendable {
    /// A line to write now. Its `seq` is assigned, so it must not be dropped.
    case line(Line)
    /// A shared batch to write now, one line for each of its notes.
    case changeBatch(NumberedChangeBatch)
    /// A presence line to write now. It has no `seq`: it belongs to the dependent, not to a watch.
    case presence(PresenceLine)
    /// Something was skipped that needs no line; call `next` again.
    case passed
    /// A read from the store whose result goes to `receive`. `next` returns it again until then.
    case read(Read)
    /// Nothing is pending.
    case nothing
}

/// A position of a watch: every change up to `commit` was sent or left out for good when the newest
/// commit of the store was `newest`.
package struct WatchPosition: Hashable, Sendable {
    /// The commit up to which the watch has sent everything.
    package let commit: UInt64
    /// The store's newest commit at that time. Equal to `commit` if nothing that the watch covers
    /// was pending after it; then the position is valid in every store that has that commit.
    package let newest: UInt64

    package init(_ commit: UInt64, newest: UInt64) {
        self.commit = commit
        self.newest = newest
    }
}

/// A line of a watch.
package enum Line: Hashable, Sendable {
    /// `note.changed`: a note changed, or is part of a snapshot.
    case changed(ChangedLine)
    /// `watch.synced`: the catch-up is complete.
    case synced(watch: WatchID, seq: UInt64, cursor: WatchPosition)
    /// `watch.bookmark`: an idle watch advances its cursor.
    case bookmark(watch: WatchID, seq: UInt64, cursor: WatchPosition)
    /// `watch.reset`: pending changes were dropped, and a new catch-up follows.
    case reset(watch: WatchID, seq: UInt64, reason: ResetReason)
}

/// Why a watch resumes from its last cursor.
package enum ResetReason: String, Hashable, Sendable {
    /// More was pending than the watch's share allows.
    case outboxFull = "outbox_full"
}

/// `note.changed` without the contents of the note.
package struct ChangedLine: Hashable, Sendable {
    /// The watch whose line it is.
    package internal(set) var watch: WatchID
    /// The number of the line within its watch, from 1.
    package internal(set) var seq: UInt64
    /// What happened to the note under the watch's filter.
    package let kind: ChangeKind
    /// The note that changed.
    package let note: NoteID
    /// The commit whose state the line reports.
    package let to: UInt64
    /// The commit as of which the client last received the note, from which `edits` are computed. 0
    /// if there is nothing to build on.
    package let from: UInt64
    /// How much of the note the line contains.
    package internal(set) var include: WatchDetail
    /// The number of commits that the line covers; 1 for a snapshot.
    package let changes: Int
    /// If set, `changes` is only a lower bound, since the catch-up goes further back than
    /// `RecentCommits`. The line covers the note's commits after this one, up to `to`, and the
    /// store can count them.
    package var uncountedAfter: UInt64? = nil
    /// The origin of the newest of these commits; nil if it is not known.
    package let origin: Origin?
    /// The position after this line.
    package internal(set) var cursor: WatchPosition
}

/// A read from the store for a watch that catches up.
package enum Read: Hashable, Sendable {
    /// The next page of changed notes.
    case page(PageRead)
    /// The past state of one note.
    case past(PastRead)
}

/// A read of the notes whose newest commit is in `after < sequence <= through`, in that order, at
/// most `limit` of them, matching or not (`Journal.changed`).
package struct PageRead: Hashable, Sendable {
    /// The watch that needs the page.
    package let watch: WatchID
    /// The commit after which the page begins.
    package let after: UInt64
    /// The last commit of the range: the target of the catch-up.
    package let through: UInt64
    /// The maximum number of notes to read.
    package let limit: Int
    /// The commit as of which the client has the notes; nil in a snapshot, where it has none.
    package let asOf: UInt64?
    /// The filter of the watch.
    package let filter: Filter
    /// How much of each note the lines contain.
    package let include: WatchDetail

    /// Whether the note's state as of `asOf` decides what is reported about it.
    package func needsPast(of head: Head) -> Bool {
        asOf ?? 0 > 0 && !head.isDeleted && filter.matches(head)
    }
}

/// One note of a page.
package struct PageNote: Sendable {
    /// The note at its newest commit.
    package let stored: StoredHead
    /// The note as of `PageRead.asOf`; nil if it did not exist then, or if `needsPast` is false.
    package let past: Head?

    package init(stored: StoredHead, past: Head?) {
        self.stored = stored
        self.past = past
    }
}

/// A read of one note as of a commit, needed since the note changed before the catch-up came to it.
package struct PastRead: Hashable, Sendable {
    /// The watch that needs the state.
    package let watch: WatchID
    /// The note to read.
    package let note: NoteID
    /// The commit as of which the note is read: the base of the catch-up.
    package let asOf: UInt64
}
