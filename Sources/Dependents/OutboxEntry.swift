import NotesModel

/// A note in an outbox: one future line, however often the note changed. Takes 80 bytes.
struct OutboxEntry: Sendable {
    let note: NoteID
    /// The note's commit before its first pending change; 0 if that change created it.
    let from: UInt64
    /// The commit of the newest pending change, which determines the entry's place.
    private(set) var to: UInt64
    /// The number of pending changes; 0 marks a hole.
    private(set) var changes: UInt32 = 1
    /// How often the entry has moved.
    private(set) var moves: UInt32 = 0
    /// The state at `from`. For a note that a catch-up owes, the state as of the catch-up's base,
    /// once it was read.
    var before: FilteredState
    /// The state at `to`.
    private(set) var after: FilteredState
    /// Whether any state from `from` to `to` matched the filter.
    private(set) var matchedMeanwhile: Bool
    /// Whether a response to the dependent's own write returned a matching state between `from` and
    /// `to`.
    private(set) var wasVisibleMeanwhile: Bool
    /// Whether a catch-up owed the note when it changed.
    let isPending: Bool
    /// Whether `before` is the state from which the line's kind is computed.
    var isPastKnown: Bool
    /// Whether a newer entry of the same note follows.
    var keepsPlace = false
    /// Whether the entry moved and left only its place.
    var isHole: Bool { changes == 0 }
    /// The origin of the newest pending change.
    private(set) var origin: Origin?

    init(_ change: Change, isOwn: Bool, _ transition: FilterTransition, isPending: Bool) {
        note = change.note
        from = change.previous
        to = change.sequence
        before = transition.before
        after = transition.after
        matchedMeanwhile = transition.isCovered
        wasVisibleMeanwhile = isOwn && transition.after.matches
        self.isPending = isPending
        isPastKnown = !isPending
        origin = change.origin
    }

    /// Takes in a further change of the note.
    mutating func move(to change: Change, isOwn: Bool, after: FilteredState) {
        to = change.sequence
        if changes < .max { changes += 1 }
        if moves < .max { moves += 1 }
        self.after = after
        matchedMeanwhile = matchedMeanwhile || after.matches
        wasVisibleMeanwhile = wasVisibleMeanwhile || isOwn && after.matches
        origin = change.origin
    }

    mutating func becomeHole() {
        changes = 0
        origin = nil
    }
}
