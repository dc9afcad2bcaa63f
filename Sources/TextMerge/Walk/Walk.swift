import BitCollections
import Causality

/// The walk of the event graph above one version: every byte inserted since, in the order that is
/// the same on all replicas, with the state of each byte in several versions.
///
/// The method is that of Gentle and Kleppmann, "Collaborative Text Editing with Eg-walker: Better,
/// Faster, Smaller" (EuroSys 2025, arXiv:2409.14252), on runs of bytes instead of single
/// characters. Two rules for found edits are additions: twins, and the order of concurrent
/// insertions at one place (`docs/causality.md` §3).
///
/// - A *hunk* is what one edit of one revision inserted. Its bytes share their origins: the last byte
///   before its place and the first byte after it that its writer knew. Hunk 0 is the text that the
///   walk starts from.
/// - A *run* is a part of a hunk that no insertion and no end of a removal divides. Runs are
///   divided but never joined.
/// - A *copy* is the contribution of one inserter to a run. Twins (found hunks that put the same
///   lines between the same neighbours) are one hunk with several inserters, so its runs have
///   several copies.
/// - A *branch* holds the state of every copy in one version. A revision is replayed on a branch
///   that is at its parents' version. Several branches are kept, so that revisions of concurrent
///   writers do not force one branch back and forth.
///
/// Worked example: on `ab`, one writer inserts X in the middle. Another writer, who has not seen X,
/// removes `ab`.
///
///     replayed             sequence    copies                        text
///     (start)              ab          ab inserted                   ab
///     the insertion        a X b       all inserted                  aXb
///     the removal          a X b       a, b removed; X inserted      X
///
/// The removal is replayed on a branch that is at `ab`, without X. It divides nothing more, because
/// the run boundaries beside X are already there. X is hunk 1 with the origins (a, b), and is the
/// merged text.
///
/// What each edit did is recorded by its items (`EditFootprint`), and the conflict index derives
/// from it which edits of concurrent revisions touch (`ConflictIndex`).
struct Walk: Sendable {
    /// The sizes that bound work and memory.
    let limits: WalkLimits
    /// All bytes ever inserted, hunk after hunk.
    var bytes: [UInt8]
    /// The hunks, in the order of replay.
    var hunks: [Hunk] = []
    /// The runs, in the order of creation.
    var runs: [Run] = []
    /// The copies, in the order of creation.
    var copies: [Copy] = []
    /// The links of the chains that `Copy.lastRemoval` starts.
    var removals: [Removal] = []
    /// The order of all runs, shown or not.
    var sequence: RunSequence
    /// What each revision did to which copies, revision after revision: what retreating and
    /// advancing undoes and redoes.
    var log: [LogEntry] = []
    /// The index in `log` at which each revision's entries start, by ordinal.
    var logStarts: [Int] = []
    /// The found hunks, by place and content: where twins are looked up.
    var foundHunks: [InsertionPoint: Int] = [:]
    /// Whether a run has had more than one copy.
    var hasTwins = false
    /// The branches; at least one.
    var branches: [Branch]
    /// The removals of lines that are void, because somebody typed in the line.
    var keptLines = KeptLines()
    /// The revisions that withdraw others.
    var withdrawals = Withdrawals()
    /// How many effective withdrawals in the merged text name each revision.
    var withdrawnNow = WithdrawalCounts()
    /// The properties of each revision that conflict detection needs, by ordinal.
    var facts: [RevisionFacts] = []
    /// The ordinals of the revisions that are not plain (`RevisionFacts.isPlain`), ascending.
    var marked: [Int] = []
    /// What each revision's edits did, revision after revision.
    var footprints: [EditFootprint] = []
    /// The index in `footprints` at which each revision's entries start, by ordinal.
    var placeStarts: [Int] = []
    /// The parts of hunks that edits removed, footprint after footprint.
    var removedParts: [HunkPart] = []
    /// The pairs of edits that are in conflict, and what resolved them.
    var conflictIndex: ConflictIndex
    /// The texts of the sides of unresolved conflicts, as far as they were asked for.
    var conflictTexts = ConflictTextCache()
    /// The descendants of revisions at which bases of conflicts are, by ordinal; at most
    /// `WalkLimits.descendants` of them.
    var descendants: [Int: Descendants] = [:]
    /// The work spent on retreating since a branch was last copied (`prepare`).
    var debt = 0
    /// The number of versions prepared so far, by which branches are compared for their last use.
    var clock = 0

    /// The kept sequence of all revisions, regardless of tombstones.
    var shown: [UInt8]
    /// The bytes of `shown`, by block of the sequence.
    var shownByBlock: [Int] = [0]
    /// The number of runs that the replay in progress added to `shown` or removed from it.
    var shownChanges = 0

    /// Starts a walk.
    ///
    /// - Parameters:
    ///   - text: the kept sequence of the version.
    ///   - version: the version from which the walk starts.
    ///   - conflicts: the conflicts that are unresolved at the version.
    init(text: [UInt8], at version: Version, conflicts: [KeptConflict] = [], limits: WalkLimits) {
        self.limits = limits
        conflictIndex = ConflictIndex(below: conflicts)
        sequence = RunSequence(blockRunsMax: limits.blockRuns)
        bytes = text
        shown = text
        branches = [Branch(version: version)]
        if !text.isEmpty {
            hunks.append(
                Hunk(
                    writer: nil, edit: 0, isFound: false, isLines: true, startsLine: true, start: 0, length: text.count,
                    left: nil, right: nil,
                    firstRun: 0))
            copies.append(Copy(inserter: Copy.start, next: nil))
            branches[0].states.append(Copy.inserted)
            runs.append(Run(hunk: 0, offset: 0, length: text.count, firstCopy: 0))
            place(0, after: nil)
            divideFloor(at: conflicts)
        }
    }

    /// Divides the text that the walk starts from where a conflict's own bytes start or end.
    private mutating func divideFloor(at conflicts: [KeptConflict]) {
        let bounds = Set(conflicts.flatMap(\.own).flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        var (run, start) = (0, 0)
        for bound in bounds where bound > start && bound < shown.count {
            divide(run, at: bound - start)
            (run, start) = (runs.count - 1, bound)
        }
    }

    /// The revisions that are withdrawn in a version.
    ///
    /// - Complexity: O(branches) if the version is the newest or a branch is at it; otherwise
    ///   O(revisions + names).
    func withdrawn(at version: Version, in graph: RevisionGraph) -> BitSet {
        guard !withdrawals.isEmpty else { return [] }
        if version == graph.siblings { return withdrawnNow.withdrawn }
        if let branch = branches.first(where: { $0.version == version }) { return branch.withdrawn.withdrawn }
        return withdrawals.withdrawn(at: version, in: graph)
    }
}

/// The walk's sizes. They bound work and memory; no text and no conflict depends on them.
struct WalkLimits: Sendable {
    /// The number of runs above which a block of the sequence is divided.
    var blockRuns = 64
    /// The greatest number of branches, at least 2. If more writers than this are concurrent, they
    /// share branches.
    var branches = 16
    /// The number of changed runs in one replay above which the merged text is rebuilt instead
    /// of spliced.
    var splices = 16
    /// The length in bytes above which a branch's text is not kept.
    var branchText = 1 << 16
    /// The greatest number of revisions whose descendants are kept.
    var descendants = 64
    /// The size in bytes above which excerpts of conflicts are not kept.
    var excerpts = 1 << 20
}
