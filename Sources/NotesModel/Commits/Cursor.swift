/// The progress of a watch: it received every change up to `commit`, in a store whose newest commit
/// was `newest`.
///
/// `newest` is necessary to resume a watch after a restore from a backup. Example: a note changed
/// at commits 1 and 3. A watch with cursor 2 receives the change at 3 and does not need the change
/// at 1. If the store is then restored to a copy that ends at commit 2, the note's last change is
/// commit 1, which lies before the cursor, so the watch would never receive it. Such a cursor is
/// therefore valid only if the store still contains commit 3. `verification/models/watch.pml`
/// checks the rule within the model's bounds.
package struct Cursor: Hashable, Sendable {
    /// The commit up to which the watch received every change.
    package let commit: CommitPosition
    /// The store's newest commit at that time; equal to `commit` when no change was pending.
    package let newest: CommitPosition

    /// Creates a cursor.
    ///
    /// - Precondition: `newest` is not before `commit`.
    package init(_ commit: CommitPosition, newest: CommitPosition) {
        precondition(commit.sequence <= newest.sequence, "no commit is newer than the newest")
        self.commit = commit
        self.newest = newest
    }

    /// Creates the cursor of a watch that has received every change.
    package init(_ commit: CommitPosition) {
        self.init(commit, newest: commit)
    }
}
