import BitCollections

/// The commits of a store that an audit has not reached yet.
struct UnreachedCommits {
    /// The last commit that is recorded.
    let last: UInt64
    private var unreached: BitSet

    init(through last: UInt64) {
        self.last = last
        unreached = BitSet(1..<Int(last) + 1)
    }

    /// Records that a commit was reached; ignores commits outside `1...last`.
    mutating func reach(_ commit: UInt64) {
        unreached.remove(Int(clamping: commit))
    }

    /// The lowest unreached commit after `commit`; nil if there is none.
    ///
    /// - Complexity: O(commits between / 64).
    func first(after commit: UInt64) -> UInt64? {
        unreached[members: (Int(commit) + 1)...].first.map(UInt64.init)
    }
}
