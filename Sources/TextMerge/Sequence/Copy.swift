/// The contribution of one inserter to a run.
///
/// Its state in a version (`Branch.states`) is `notYet`, or `inserted` plus what hides it there: the
/// number of removals that count and are not void, and 1 if the inserter is withdrawn. The number is
/// needed because concurrent revisions may remove the same bytes: retreating one of them must not make visible
/// what another one removed.
struct Copy: Sendable {
    /// The state in a version that does not include the inserter.
    static let notYet: UInt32 = 0
    /// The state in a version that includes the inserter and nothing that hides it: visible.
    static let inserted: UInt32 = 1
    /// The inserter of the text that the walk starts from.
    static let start = -1

    /// The ordinal of the revision that inserted it, or `start`.
    let inserter: Int
    /// The newest link in the chain of the removals (`Walk.removals`). The parts of a divided run
    /// share the links from before the division.
    var lastRemoval: Int?
    /// The newest link in the chain of the kept lines of which it was removed (`KeptLines.links`), shared in
    /// the same way.
    var lastKeep: Int?
    /// The number of what hides it in the merged text: removals that count, and a withdrawal of
    /// the inserter.
    var hides: Int
    /// Another copy of the same run.
    var next: Int?

    /// Whether the merged text lacks it.
    var isHidden: Bool { hides > 0 }

    init(inserter: Int, lastRemoval: Int? = nil, lastKeep: Int? = nil, hides: Int = 0, next: Int?) {
        self.inserter = inserter
        self.lastRemoval = lastRemoval
        self.lastKeep = lastKeep
        self.hides = hides
        self.next = next
    }
}

/// A link in the chain of a copy's removals.
struct Removal: Sendable {
    /// The ordinal of the revision that removed the copy.
    let remover: Int
    /// The link before this one.
    let before: Int?
}

/// One action of one revision: it inserted or removed one inserter's copy of a part of a hunk. The
/// bounds of the part are bounds of runs.
struct LogEntry: Sendable {
    /// The hunk that it is a part of.
    let hunk: Int
    let range: Range<Int>
    let inserter: Int
}
