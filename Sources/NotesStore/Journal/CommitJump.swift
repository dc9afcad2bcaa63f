/// A jump from one commit of a note to an older one.
struct CommitJump: Hashable {
    let to: UInt64
    /// The number of commits passed, of which the first is the one that the jump begins at.
    let count: Int
}
