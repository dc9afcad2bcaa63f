/// The commits of a store that an audit has reached: one bit for each.
struct CommitSet {
    /// The last commit that is recorded.
    let last: UInt64
    private var words: [UInt64]

    init(through last: UInt64) {
        self.last = last
        words = [UInt64](repeating: 0, count: Int(last / 64 + 1))
    }

    /// Records a commit; ignores commits outside `1...last`.
    mutating func insert(_ commit: UInt64) {
        guard commit >= 1, commit <= last else { return }
        words[Int(commit / 64)] |= 1 << (commit % 64)
    }

    /// The lowest commit after `commit` that is not in the set; nil if there is none.
    ///
    /// - Complexity: O(commits between / 64).
    func firstMissing(after commit: UInt64) -> UInt64? {
        var next = commit + 1
        while next <= last {
            let missing = ~words[Int(next / 64)] & (.max << (next % 64))
            if missing != 0 {
                let found = next / 64 * 64 + UInt64(missing.trailingZeroBitCount)
                return found <= last ? found : nil
            }
            next = (next / 64 + 1) * 64
        }
        return nil
    }
}
