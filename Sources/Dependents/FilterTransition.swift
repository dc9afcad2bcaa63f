import NotesModel

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
