import NotesModel

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
    /// It has open conflicts, and had none or others. Not given yet: no conflict is marked.
    case conflicted
    /// It has no open conflict any more. Not given yet.
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

/// As much of a note's state at one commit as decides what a watch says of it.
struct NoteState: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let exists = NoteState(rawValue: 1)
    static let isDeleted = NoteState(rawValue: 2)
    static let matches = NoteState(rawValue: 4)
    /// The state of a note before its first commit.
    static let absent: NoteState = []

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(isDeleted: Bool, matches: Bool) {
        self = .exists
        if isDeleted { insert(.isDeleted) }
        if matches { insert(.matches) }
    }

    init(_ head: Head?, under filter: Filter) {
        if let head { self.init(isDeleted: head.isDeleted, matches: filter.matches(head)) } else { self = .absent }
    }
}

extension ChangeKind {
    /// Between two states that a watch followed; nil where it has nothing to say.
    ///
    /// A note that came in and left again unseen is not mentioned; one that the answer to an own write showed in between has
    /// left. One that came in and was deleted unseen is deleted: its end is told to whoever would have been told of it.
    static func followed(from before: NoteState, to after: NoteState, matchedOnTheWay: Bool, shownOnTheWay: Bool) -> ChangeKind? {
        if after.contains(.isDeleted) {
            return matchedOnTheWay || before.contains(.matches) || after.contains(.matches) ? .deleted : nil
        }
        if after.contains(.matches) { return present(before) }
        return before.contains(.matches) || shownOnTheWay ? .left : nil
    }

    /// Between the state as of a cursor and now. A client may come with a cursor that it had from another filter, or that stands
    /// past an earlier state that it was never shown; so a note that changed and is not in the filter is always said to be gone.
    static func caughtUp(from before: NoteState, to after: NoteState) -> ChangeKind {
        if after.contains(.isDeleted) { return .deleted }
        return after.contains(.matches) ? present(before) : .left
    }

    /// Of a living note in the filter.
    private static func present(_ before: NoteState) -> ChangeKind {
        if before.contains(.isDeleted) { return .restored }
        return before.contains(.matches) ? .edited : .created
    }
}
