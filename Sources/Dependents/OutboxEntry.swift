import NotesModel

/// A note that waits in an outbox: one line to be, however often the note changed. 80 bytes.
struct OutboxEntry: Sendable {
    let note: NoteID
    /// The note's commit before the first change that waits; 0 where that made it.
    let from: UInt64
    /// The newest change that waits: the entry's place.
    private(set) var to: UInt64
    private(set) var changes: UInt32 = 1
    private(set) var moves: UInt32 = 0
    /// The state at `from`; for an untold note, the one as of the catch-up's base, once it was read.
    var before: FilteredState
    private(set) var after: FilteredState
    /// Whether any state from `from` to `to` matched the filter.
    private(set) var matchedOnTheWay: Bool
    /// Whether the answer to a write of the dependent showed it the note in the filter, from `from` to `to`.
    private(set) var shownOnTheWay: Bool
    /// Whether the note is owed by a catch-up that had not come to it when it changed.
    let isPending: Bool
    /// Whether `before` is what the line's kind is worked out from.
    var isPastKnown: Bool
    /// Whether a newer entry of the note waits behind this one.
    var keepsPlace = false
    /// The entry moved: only its place is left.
    var isHole: Bool { changes == 0 }
    /// Of the newest change.
    private(set) var origin: Origin?

    init(_ change: CommittedNote, isOwn: Bool, _ transition: FilterTransition, isPending: Bool) {
        note = change.note
        from = change.previous
        to = change.sequence
        before = transition.before
        after = transition.after
        matchedOnTheWay = transition.isCovered
        shownOnTheWay = isOwn && transition.after.matches
        self.isPending = isPending
        isPastKnown = !isPending
        origin = change.origin
    }

    /// The note changed again.
    mutating func move(to change: CommittedNote, isOwn: Bool, after: FilteredState) {
        to = change.sequence
        if changes < .max { changes += 1 }
        if moves < .max { moves += 1 }
        self.after = after
        matchedOnTheWay = matchedOnTheWay || after.matches
        shownOnTheWay = shownOnTheWay || isOwn && after.matches
        origin = change.origin
    }

    mutating func becomeHole() {
        changes = 0
        origin = nil
    }
}
