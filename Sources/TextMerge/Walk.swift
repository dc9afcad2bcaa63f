import Causality

/// The walk of the event graph above one version: every byte that was written since, in the order in which all replicas
/// show them, with what became of each.
///
/// Gentle and Kleppmann, "Collaborative Text Editing with Eg-walker: Better, Faster, Smaller" (EuroSys 2025,
/// arXiv:2409.14252), over runs of bytes, with two rules of ours for found edits (`causality.md` §3: twins; the order of
/// concurrent insertions at one place).
///
/// - A *hunk* is what one edit of one revision inserted: a run of bytes that all have the same origins, the byte before the
///   first and the first byte after it that its writer knew of. Hunk 0 is the text that the walk starts from.
/// - A *run* is a part of a hunk that no insertion and no end of a removal has divided. Runs are only ever divided.
/// - A *copy* is what one inserter gave a run. Twins, found hunks that put the same lines between the same neighbours, are
///   one hunk with several inserters, so its runs have several copies.
/// - A *branch* holds the state of every copy in one version. A revision is replayed on the branch that stands at its
///   parents; several are kept, so that writers who do not see each other are not replayed against each other.
///
/// Worked example: on "ab" one inserts X between, the other, who has not seen X, removes "ab". Hunk 0 is divided into the
/// runs a, b; hunk 1 is X with the origins (a, b). The order is a X b; a and b have a copy that is gone: "X" is shown.
///
/// What each edit did is kept by its items (`EditFootprint`), and from it which edits of concurrent revisions touch (`ConflictIndex`).
struct Walk: Sendable {
    let limits: WalkLimits
    /// All bytes ever inserted, hunk after hunk.
    var bytes: [UInt8]
    var hunks: [Hunk] = []
    var runs: [Run] = []
    var copies: [Copy] = []
    var removals: [Removal] = []
    var sequence: RunSequence
    /// What each revision did to which copies, revision after revision; `logStarts` has where each one's entries start.
    var log: [LogEntry] = []
    var logStarts: [Int] = []
    /// The found hunks, by what they put where.
    var foundHunks: [InsertionPoint: Int] = [:]
    var branches: [Branch]
    /// What each revision is, by ordinal.
    var facts: [RevisionFacts] = []
    /// Those that are not plain, ascending.
    var marked: [Int] = []
    /// What each revision's edits did, revision after revision; `placeStarts` has where each one's start.
    var footprints: [EditFootprint] = []
    var placeStarts: [Int] = []
    /// What places removed, place after place.
    var removedParts: [HunkPart] = []
    var conflictIndex: ConflictIndex
    /// What the sides of conflicts were told to say, by conflict, until that is settled.
    var conflictTexts = ConflictTextCache()
    /// Of what bases of conflicts stand at, by ordinal.
    var descendants: [Int: Descendants] = [:]
    /// Work spent on moving branches back since one was last copied (`prepare`).
    var debt = 0
    var clock = 0

    /// The text of everything, whatever the tombstones say.
    var shown: [UInt8]
    /// Bytes shown, by block.
    var shownByBlock: [Int] = [0]
    /// Runs that came into `shown` or went out of it in the replay that is going on.
    var shownChanges = 0

    /// - Parameter conflicts: those that are unsettled at the version, with their ranges in its text.
    init(text: [UInt8], at version: Version, conflicts: [Conflict] = [], limits: WalkLimits) {
        self.limits = limits
        conflictIndex = ConflictIndex(below: conflicts)
        sequence = RunSequence(blockRunsMax: limits.blockRuns)
        bytes = text
        shown = text
        branches = [Branch(version: version)]
        if !text.isEmpty {
            hunks.append(
                Hunk(writer: nil, edit: 0, isFound: false, start: 0, length: text.count, left: nil, right: nil, firstRun: 0))
            copies.append(Copy(inserter: Copy.start, next: nil))
            branches[0].states.append(Copy.inserted)
            runs.append(Run(hunk: 0, offset: 0, length: text.count, firstCopy: 0))
            footprint(0, after: nil)
        }
    }
}

/// The walk's sizes. They bound work and memory; what is shown never depends on them.
struct WalkLimits: Sendable {
    /// More runs than these, and a block of the sequence is divided.
    var blockRuns = 64
    /// Writers who do not see each other, beyond these, take turns with the branches. At least 2.
    var branches = 16
    /// Where more runs than these come into the shown text or go out of it at once, it is written anew, not spliced.
    var splices = 16
    /// Texts of branches that are longer than these bytes are not kept.
    var branchText = 1 << 16
    /// Of how many revisions it is kept who has them in the past.
    var descendants = 64
    /// Excerpts that take more than these bytes are not kept.
    var excerpts = 1 << 20
}

/// One byte by its hunk and where it stands in it.
struct Item: Hashable, Sendable {
    var hunk: Int
    var offset: Int
}

/// What one edit inserted.
struct Hunk: Sendable {
    /// The revision; nil for the text that the walk starts from.
    let writer: Dot?
    /// Which of the revision's edits.
    let edit: Int
    let isFound: Bool
    /// Where its bytes start in `Walk.bytes`.
    let start: Int
    let length: Int
    /// The byte before it, nil at the start of the text.
    let left: Item?
    /// The run whose first byte is the first after it that the writer knew of, nil for the end of the text. Division leaves
    /// a run its first byte, so this stays right.
    let right: Int?
    /// The run that holds its first byte.
    let firstRun: Int
    /// Its other runs, ascending.
    var laterRuns: [Int] = []
}

/// Bytes of one hunk that share one state.
struct Run: Sendable {
    let hunk: Int
    /// Where it starts in its hunk.
    let offset: Int
    var length: Int
    let firstCopy: Int
}

/// What one inserter gave a run. Its state in a version (`Branch.states`) is `notYet`, `inserted`, or by how many more the
/// number of removals that the version has seen.
struct Copy: Sendable {
    static let notYet: UInt32 = 0
    static let inserted: UInt32 = 1
    /// The inserter of the text that the walk starts from.
    static let start = -1

    /// The revision that inserted it, as its ordinal in the graph.
    let inserter: Int
    /// The newest link of the chain of those who removed it (`Walk.removals`). Parts of a divided run share the links from before.
    var lastRemoval: Int?
    /// Another copy of the same run.
    var next: Int?

    /// Whether any revision has removed it.
    var isGone: Bool { lastRemoval != nil }

    init(inserter: Int, lastRemoval: Int? = nil, next: Int?) {
        self.inserter = inserter
        self.lastRemoval = lastRemoval
        self.next = next
    }
}

/// A link of a copy's chain: one revision that removed it, and the link before.
struct Removal: Sendable {
    let remover: Int
    let before: Int?
}

/// One revision inserted, or removed, one inserter's copy of a part of a hunk. Its bounds are bounds of runs.
struct LogEntry: Sendable {
    let hunk: Int
    let range: Range<Int>
    let inserter: Int
}

/// Where and what a found hunk put: equal ones are twins.
struct InsertionPoint: Hashable, Sendable {
    let left: Item?
    let right: Int?
    let replacement: [UInt8]
}
