import NotesModel
import TextMerge

/// What happened to a note in the eyes of a watch; of those that apply, the first in this order.
package enum ChangeKind: String, Hashable, Sendable, CaseIterable {
    /// Its first mention, while a snapshot is sent.
    case snapshot
    /// It lives, and is no longer in the filter.
    case left
    /// It is a tombstone now. The filter's word on tombstones does not matter here: whoever was shown a note hears of its end.
    case deleted
    /// It is new, or lived outside the filter.
    case created
    /// It was a tombstone.
    case restored
    /// It has open conflicts, and had none or others: going from two to one of them is said too.
    case conflicted
    /// It has no open conflict any more.
    case resolved
    case edited

    /// Whether the client holds the note's earlier text, so that edits can be made from it.
    var buildsOnEarlierText: Bool {
        switch self {
        case .conflicted, .resolved, .edited: true
        case .snapshot, .left, .deleted, .created, .restored: false
        }
    }
}

/// As much of a note's state at one commit as decides what a watch says of it. One word, since every entry holds two.
struct FilteredState: Hashable, Sendable {
    /// Three flags, and above them what tells sets of open conflicts apart: 0 where none is open.
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

    /// Whether the same conflicts are open in both.
    func hasConflicts(of other: FilteredState) -> Bool { (word ^ other.word) & ~Self.flags == 0 }

    /// 61 bits of the ids, mixed as SplitMix64 does. Should two sets ever share them, a line says `edited` that could have said
    /// more: what the note shows is right all the same.
    ///
    /// - Parameter conflicts: in the order of their ids.
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
    /// Between two states that a watch followed; nil where it has nothing to say.
    ///
    /// A note that came in and left again unseen is not mentioned; one that the answer to an own write showed in between has
    /// left. One that came in and was deleted unseen is deleted: its end is told to whoever would have been told of it.
    static func followed(from before: FilteredState, to after: FilteredState, matchedOnTheWay: Bool, shownOnTheWay: Bool) -> ChangeKind? {
        if after.isDeleted { return matchedOnTheWay || before.matches || after.matches ? .deleted : nil }
        if after.matches { return present(before, after) }
        return before.matches || shownOnTheWay ? .left : nil
    }

    /// Between the state as of a cursor and now. A client may come with a cursor that it had from another filter, or that stands
    /// past an earlier state that it was never shown; so a note that changed and is not in the filter is always said to be gone.
    static func caughtUp(from before: FilteredState, to after: FilteredState) -> ChangeKind {
        if after.isDeleted { return .deleted }
        return after.matches ? present(before, after) : .left
    }

    /// Of a living note in the filter.
    private static func present(_ before: FilteredState, _ after: FilteredState) -> ChangeKind {
        if before.isDeleted { return .restored }
        guard before.matches else { return .created }
        if after.hasConflicts(of: before) { return .edited }
        return after.isConflicted ? .conflicted : .resolved
    }
}
