package import NotesModel

/// A search through the commits of a note, from the newest down to an older one, in steps
/// (`Journal.descend(_:rowsMax:)`).
package struct CommitDescent: Sendable {
    /// The note.
    package let id: NoteID
    /// The commit that the search goes down to, of any note.
    package let target: UInt64
    /// The links that the steps have read.
    package private(set) var rows = 0
    /// Whether all commits of the note after `target` are passed.
    package private(set) var isComplete = false
    /// The commit whose link the next step reads; nil before the first step.
    private(set) var place: UInt64?
    /// The newest of the commits that were passed since the last jump; nil if there are none.
    private var start: UInt64?
    /// The number of these commits.
    private var passed = 0

    package init(_ id: NoteID, downTo target: UInt64) {
        self.id = id
        self.target = target
    }

    /// Counts links that a step has read.
    package mutating func count(_ rows: Int) {
        self.rows += rows
    }

    /// Completes the search.
    package mutating func complete() {
        isComplete = true
    }

    /// Ends a step before a commit.
    mutating func pause(at commit: UInt64) {
        place = commit
    }

    /// Passes a commit, whose link is read.
    ///
    /// - Returns: the number of commits passed since the last jump.
    mutating func pass(_ commit: UInt64) -> Int {
        start = start ?? commit
        passed += 1
        return passed
    }

    /// The jump over the commits passed since the last one, down to a commit; nil if there are none.
    mutating func takeJump(to commit: UInt64) -> (from: UInt64, jump: CommitJump)? {
        defer { (start, passed) = (nil, 0) }
        return start.map { ($0, CommitJump(to: commit, count: passed)) }
    }
}
