/// How far a watch was told: every change up to `commit` was delivered, in a store that had come to `newest`.
///
/// Why the second: a note that changed at commit 1 and again at 3 waits at 3, so cursor 2 was told without it. Where the store is
/// put back to a copy that ends at 2, the note's last change is 1, before the cursor, and would never be told. So such a
/// cursor counts only where commit 3 is there too. (`verification/models/watch.pml` has the proof within its bounds.)
package struct Cursor: Hashable, Sendable {
    package let commit: CommitPosition
    /// The store's newest commit at that time; `commit` where nothing waited.
    package let newest: CommitPosition

    /// - Precondition: `newest` is not before `commit`.
    package init(_ commit: CommitPosition, newest: CommitPosition) {
        precondition(commit.sequence <= newest.sequence, "no commit is newer than the newest")
        self.commit = commit
        self.newest = newest
    }

    /// Of one who was told all.
    package init(_ commit: CommitPosition) {
        self.init(commit, newest: commit)
    }
}
