import NotesModel

/// As much of a change as a watch needs, without the heads: copied for each of thousands of watches.
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

/// What a change did in the eyes of a filter.
struct FilterTransition: Hashable, Sendable {
    let before: FilteredState
    let after: FilteredState

    init(_ change: Change, under filter: Filter) {
        before = FilteredState(change.before, under: filter)
        after = FilteredState(change.after, under: filter)
    }

    /// Whether the note was in the filter, or is.
    var isCovered: Bool { before.matches || after.matches }
}
