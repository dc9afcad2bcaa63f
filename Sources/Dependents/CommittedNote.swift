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
struct Passage: Hashable, Sendable {
    let before: NoteState
    let after: NoteState

    init(_ change: Change, under filter: Filter) {
        before = NoteState(change.before, under: filter)
        after = NoteState(change.after, under: filter)
    }

    /// Whether the note was in the filter, or is.
    var isCovered: Bool { before.matches || after.matches }
}
