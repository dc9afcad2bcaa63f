import NotesModel

/// The part of a change that every watch needs. It has no heads, since it is copied for each of
/// thousands of watches.
struct CommittedNote: Sendable {
    let note: NoteID
    let sequence: UInt64
    let previous: UInt64
    let origin: Origin?

    init(_ change: Change) {
        note = change.note
        sequence = change.sequence
        previous = change.previous
        origin = change.origin
    }
}

/// The state of a note before and after a change, under one filter.
struct FilterTransition: Hashable, Sendable {
    let before: FilteredState
    let after: FilteredState

    init(_ change: Change, under filter: Filter) {
        before = FilteredState(change.before, under: filter)
        after = FilteredState(change.after, under: filter)
    }

    /// Whether the note matched the filter before the change, or matches after it.
    var isCovered: Bool { before.matches || after.matches }
}
