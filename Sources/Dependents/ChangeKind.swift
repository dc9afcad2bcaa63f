import NotesModel
import TextMerge

/// What happened to a note under a watch's filter. If several cases apply, the first in this order
/// is used.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
    /// The note is reported for the first time, in a snapshot.
    case snapshot
    /// The note is alive and does not match the filter any more.
    case left
    /// The note is a tombstone. Whether the filter includes tombstones does not matter here: a
    /// client that received a note is always notified of its end.
    case deleted
    /// The note is new, or was alive outside the filter.
    case created
    /// The note was a tombstone.
    case restored
    /// The note has open conflicts, and had none or others before. Going from two conflicts to one
    /// of them counts too.
    case conflicted
    /// The note had open conflicts and has none.
    case resolved
    /// The note changed in any other way.
    case edited

    /// Whether the client has an earlier text of the note from which edits can be computed.
    var buildsOnEarlierText: Bool {
        switch self {
        case .conflicted, .resolved, .edited: true
        case .snapshot, .left, .deleted, .created, .restored: false
        }
    }
}

/// The part of a note's state at one commit that decides what a watch reports. It is one word,
/// since every outbox entry holds two of them.
struct FilteredState: Hashable, Sendable {
    /// Three flags, and above them a hash of the set of open conflicts: 0 if none is open.
    private let word: UInt64

    private static let exists: UInt64 = 1
    private static let deleted: UInt64 = 2
    private static let matching: UInt64 = 4
    private static let flags: UInt64 = 7

    /// The state of a note before its first commit.
    static let absent = FilteredState(word: 0)

    private init(word: UInt64) {
        self.word = word
    }

    init(isDeleted: Bool, matches: Bool, conflicts: some Sequence<ConflictID> = []) {
        word =
            Self.exists | (isDeleted ? Self.deleted : 0) | (matches ? Self.matching : 0) | Self.mark(conflicts) & ~Self.flags
    }

    init(_ head: Head?, under filter: Filter) {
        guard let head else {
            self = .absent
            return
        }
        self.init(
            isDeleted: head.isDeleted, matches: filter.matches(head), conflicts: head.conflicts.lazy.map(\.id))
    }

    var isDeleted: Bool { word & Self.deleted != 0 }
    var matches: Bool { word & Self.matching != 0 }
    var isConflicted: Bool { word > Self.flags }

    /// Whether the same conflicts are open in both states.
    func hasConflicts(of other: FilteredState) -> Bool { (word ^ other.word) & ~Self.flags == 0 }

    /// A 61-bit hash of the ids, mixed as in SplitMix64. If two sets collide, a line reports
    /// `edited` instead of a more specific kind; the note's contents are correct in any case.
    ///
    /// - Parameter conflicts: the ids in ascending order.
    private static func mark(_ conflicts: some Sequence<ConflictID>) -> UInt64 {
        var mark: UInt64 = 0
        for id in conflicts {
            for part in [id.high, id.low] {
                mark = (mark ^ part) &+ 0x9E37_79B9_7F4A_7C15
                mark = (mark ^ (mark >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mark = (mark ^ (mark >> 27)) &* 0x94D0_49BB_1331_11EB
                mark ^= mark >> 31
            }
            if mark <= flags { mark = flags + 1 }
        }
        return mark
    }
}

extension ChangeKind {
    /// The kind of a change between two states that a watch followed; nil if there is nothing to
    /// report.
    ///
    /// A note that entered the filter and left it before any line was sent is not reported. If the
    /// response to the connection's own write returned it in between, it is reported as `left`. A
    /// note that entered and was deleted is reported as `deleted`.
    static func followed(
        from before: FilteredState, to after: FilteredState, matchedMeanwhile: Bool, wasVisibleMeanwhile: Bool
    ) -> ChangeKind? {
        if after.isDeleted { return matchedMeanwhile || before.matches || after.matches ? .deleted : nil }
        if after.matches { return present(before, after) }
        return before.matches || wasVisibleMeanwhile ? .left : nil
    }

    /// The kind of a change between the state as of a cursor and the newest state. The cursor may
    /// come from a watch with another filter, or be after an earlier state that the client never
    /// received. So a changed note that does not match is always reported as `left`.
    static func caughtUp(from before: FilteredState, to after: FilteredState) -> ChangeKind {
        if after.isDeleted { return .deleted }
        return after.matches ? present(before, after) : .left
    }

    /// The kind for a living note that matches the filter.
    private static func present(_ before: FilteredState, _ after: FilteredState) -> ChangeKind {
        if before.isDeleted { return .restored }
        guard before.matches else { return .created }
        if after.hasConflicts(of: before) { return .edited }
        return after.isConflicted ? .conflicted : .resolved
    }
}
