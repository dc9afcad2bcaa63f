package import Causality

/// The revisions of a note that compaction may strip of their texts, and the new *compaction
/// floor*, from which the note is read afterwards.
///
/// The compaction floor must satisfy four conditions:
///
/// - It is a critical version, so that every later revision builds on its text and on nothing below
///   it.
/// - No conflict is open at it. Thus both sides of a conflict that is open later, and their common
///   base, lie above it.
/// - It is older than the policy's limit, so that every state since the limit remains readable.
/// - The note is not deleted at it, or nothing is withdrawn later. Where the write that restores a
///   note is withdrawn, the text from before the deletion may show again.
///
/// Example, with `c` critical but in conflict and `e` too recent:
///
///     rows, oldest first    a   b   c   d   e   f
///     compaction floor                  d
///     result                a, b and c lose their texts; d, e and f keep them
///
/// The caller adds the note's rows from the newest to the oldest, a page at a time, while
/// `wantsMore`.
package struct CompactionPlan: Sendable {
    /// The properties of one committed revision that the plan considers.
    package struct Row: Hashable, Sendable {
        /// The commit sequence number.
        package let sequence: UInt64
        /// The revision's dot.
        package let dot: Dot
        /// The oldest commit among its parents; nil when it has none.
        package let oldestParent: UInt64?
        /// Whether it has every earlier revision of the note in its past.
        package let coversAll: Bool
        /// Whether no conflict is open at its own version. Only read for rows that cover all.
        package let isResolved: Bool
        /// Whether the note is deleted at its own version.
        package let isDeleted: Bool
        /// Whether it withdraws others.
        package let isWithdrawal: Bool
        /// Whether it is a compaction floor already.
        package let isCompactionFloor: Bool
        /// Whether its text was compacted.
        package let isCompacted: Bool
        /// Whether its text was erased, or never in this store. Rows below may have texts.
        package let isErased: Bool
        /// The wall-clock time of the revision.
        package let time: Timestamp
        /// Size of its own text, in bytes.
        package let bytes: Int

        package init(
            sequence: UInt64, dot: Dot, oldestParent: UInt64?, coversAll: Bool, isResolved: Bool, isDeleted: Bool = false,
            isWithdrawal: Bool = false, isCompactionFloor: Bool, isCompacted: Bool, isErased: Bool = false, time: Timestamp,
            bytes: Int
        ) {
            self.sequence = sequence
            self.dot = dot
            self.oldestParent = oldestParent
            self.coversAll = coversAll
            self.isResolved = isResolved
            self.isDeleted = isDeleted
            self.isWithdrawal = isWithdrawal
            self.isCompactionFloor = isCompactionFloor
            self.isCompacted = isCompacted
            self.isErased = isErased
            self.time = time
            self.bytes = bytes
        }
    }

    /// The limits on what a plan may compact.
    package struct Bounds: Sendable {
        /// The time of the policy. Later revisions keep their texts.
        package let until: Timestamp
        /// The newest commit that may become the compaction floor. A client may still ask for the
        /// state before later commits.
        package let through: UInt64
        /// The revisions that each peer is known to have. A revision that a peer may still lack
        /// keeps its text.
        package let peers: [DotSet]

        package init(until: Timestamp, through: UInt64, peers: [DotSet]) {
            self.until = until
            self.through = through
            self.peers = peers
        }

        /// Whether the bounds permit compaction of the row.
        func lets(_ row: Kept) -> Bool {
            row.time <= until && peers.allSatisfy { $0.contains(row.dot) }
        }
    }

    /// The remembered properties of a row that still has its text.
    struct Kept: Sendable {
        let sequence: UInt64
        let dot: Dot
        let time: Timestamp
        let bytes: Int
        let canBeCompactionFloor: Bool
        let isCompactionFloor: Bool
    }

    /// The work to do.
    package struct Result: Hashable, Sendable {
        /// The commit that is, or becomes, the compaction floor.
        package let compactionFloor: UInt64
        /// Whether the commit must be marked as the compaction floor first.
        package let isNew: Bool
        /// Size of the floor's text, in bytes.
        package let floorBytes: Int
        /// The commits below the floor whose texts are removed, oldest first. Removing any prefix
        /// of the list leaves a valid state, so the work can be done in parts.
        package let removed: [UInt64]
    }

    /// The added rows that have their texts, newest first.
    private var rows: [Kept] = []
    /// The oldest commit that any added row has as a parent.
    private var oldestNeeded = UInt64.max
    /// Whether any added row withdraws others.
    private var isFollowedByWithdrawal = false
    /// Whether older rows could change the result.
    package private(set) var wantsMore = true

    /// Creates a plan without rows.
    package init() {}

    /// Adds a row.
    ///
    /// - Precondition: the row is older than all rows added before.
    package mutating func add(_ row: Row) {
        guard wantsMore else { return }
        // Compaction removes texts from the oldest row up, so every row below this one is compacted
        // too.
        guard !row.isCompacted else {
            if !row.isErased { wantsMore = false }
            return
        }
        let isCritical = row.coversAll && row.sequence <= oldestNeeded
        oldestNeeded = min(oldestNeeded, row.oldestParent ?? 0)
        let canBeCompactionFloor = isCritical && row.isResolved && !(row.isDeleted && isFollowedByWithdrawal)
        if row.isWithdrawal { isFollowedByWithdrawal = true }
        rows.append(
            Kept(
                sequence: row.sequence, dot: row.dot, time: row.time, bytes: row.bytes,
                canBeCompactionFloor: canBeCompactionFloor, isCompactionFloor: row.isCompactionFloor))
    }

    /// The work that the bounds permit; nil when there is none.
    ///
    /// - Complexity: O(rows × peers).
    package func result(within bounds: Bounds) -> Result? {
        let free = Array(rows.reversed().prefix { bounds.lets($0) })
        let current = rows.first { $0.isCompactionFloor }
        let candidate = free.last { $0.canBeCompactionFloor && $0.sequence <= bounds.through }
        let compactionFloor: Kept
        if let candidate, candidate.sequence > current?.sequence ?? 0 {
            compactionFloor = candidate
        } else if let current {
            compactionFloor = current
        } else {
            return nil
        }
        let removed = free.lazy.map(\.sequence).prefix { $0 < compactionFloor.sequence }
        guard !removed.isEmpty else { return nil }
        return Result(
            compactionFloor: compactionFloor.sequence, isNew: !compactionFloor.isCompactionFloor,
            floorBytes: compactionFloor.bytes, removed: Array(removed))
    }
}
