package import Causality

/// Which of a note's revisions lose their texts, and where reading starts then: at its *foot*.
///
/// A foot is a critical version, so that every later revision builds on its text and on nothing below it. Nothing is unsettled at
/// it: each side of a conflict that is open at the foot or later stands above it, with what both sides had been shown. It is itself
/// older than the policy's limit, so that whatever the note has shown since then can still be read.
///
///     rows, oldest first    a   b   c   d   e   f        c: critical, but with an open conflict; e: too young
///     foot                          ·   d                a, b and c lose their texts; d, e and f keep them
///
/// Fed with the note's rows from the newest down, a page at a time, until it wants no more.
package struct CompactionPlan: Sendable {
    package struct Row: Hashable, Sendable {
        package let sequence: UInt64
        package let dot: Dot
        /// The oldest of its parents' commits; nil where it has none.
        package let oldestParent: UInt64?
        package let coversAll: Bool
        /// Whether nothing is in conflict at its own version. Only asked of rows that cover all.
        package let isSettled: Bool
        package let isCompactionFloor: Bool
        package let isCompacted: Bool
        package let time: Timestamp
        /// Size of its own text.
        package let bytes: Int

        package init(
            sequence: UInt64, dot: Dot, oldestParent: UInt64?, coversAll: Bool, isSettled: Bool, isCompactionFloor: Bool, isCompacted: Bool,
            time: Timestamp, bytes: Int
        ) {
            self.sequence = sequence
            self.dot = dot
            self.oldestParent = oldestParent
            self.coversAll = coversAll
            self.isSettled = isSettled
            self.isCompactionFloor = isCompactionFloor
            self.isCompacted = isCompacted
            self.time = time
            self.bytes = bytes
        }
    }

    /// What a plan is bound by.
    package struct Bounds: Sendable {
        /// Revisions of later times keep their texts.
        package let until: Timestamp
        /// Commits after it are not made the foot: someone may still ask what was shown before them.
        package let through: UInt64
        /// What each of those knows who may still need what they lack.
        package let peers: [DotSet]

        package init(until: Timestamp, through: UInt64, peers: [DotSet]) {
            self.until = until
            self.through = through
            self.peers = peers
        }

        func lets(_ row: Kept) -> Bool {
            row.time <= until && peers.allSatisfy { $0.contains(row.dot) }
        }
    }

    /// What is remembered of a row that has its text.
    struct Kept: Sendable {
        let sequence: UInt64
        let dot: Dot
        let time: Timestamp
        let bytes: Int
        let canBeCompactionFloor: Bool
        let isCompactionFloor: Bool
    }

    /// What is to be done.
    package struct Result: Hashable, Sendable {
        /// The commit that is, or becomes, the foot.
        package let compactionFloor: UInt64
        /// Whether it has to be made that first.
        package let isNew: Bool
        /// Size of its text.
        package let floorBytes: Int
        /// Commits below it whose texts go, oldest first: where it is done in parts, each leaves what an earlier end would leave.
        package let removed: [UInt64]
    }

    /// Newest first.
    private var rows: [Kept] = []
    /// The oldest commit that a row passed so far builds on.
    private var oldestNeeded = UInt64.max
    package private(set) var wantsMore = true

    package init() {}

    /// - Precondition: older than those before it.
    package mutating func add(_ row: Row) {
        guard wantsMore else { return }
        // Texts go from the oldest row up: below one that has none, none has.
        guard !row.isCompacted else {
            wantsMore = false
            return
        }
        let isCritical = row.coversAll && row.sequence <= oldestNeeded
        oldestNeeded = min(oldestNeeded, row.oldestParent ?? 0)
        rows.append(
            Kept(
                sequence: row.sequence, dot: row.dot, time: row.time, bytes: row.bytes,
                canBeCompactionFloor: isCritical && row.isSettled, isCompactionFloor: row.isCompactionFloor))
    }

    /// Nil where nothing is to be done.
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
        return Result(compactionFloor: compactionFloor.sequence, isNew: !compactionFloor.isCompactionFloor, floorBytes: compactionFloor.bytes, removed: Array(removed))
    }
}
