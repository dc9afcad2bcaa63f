package import Causality
package import NotesModel
package import TextMerge

/// A text that a client was sent, with its version.
package struct SimSight {
    package var version: Version
    package var text: [UInt8]
    package var isDeleted: Bool
    /// The tokens that the client's own deletion hid; nil if the client did not delete the note.
    package var below: Set<Int>?
    package var conflicts: [ConflictID]

    package init(
        version: Version = .nothing, text: [UInt8] = [], isDeleted: Bool = false, conflicts: [ConflictID] = []
    ) {
        (self.version, self.text, self.isDeleted, self.conflicts) = (version, text, isDeleted, conflicts)
    }

    /// The effect of a write by a client that displays this text.
    package func entry(of note: NoteID, _ written: [UInt8], isDeletion: Bool) -> SimChecker.Entry {
        let (before, after) = (SimText.numbers(in: text), SimText.numbers(in: written))
        if isDeletion { return SimChecker.Entry(note: note, deleted: before) }
        let removed = isDeleted ? below ?? [] : before.subtracting(after)
        return SimChecker.Entry(
            note: note, inserted: after.subtracting(before), removed: removed, isRestoring: isDeleted && below == nil)
    }
}

/// A client of a simulation.
package struct SimClient {
    /// The store that it is connected to.
    package var store: Int
    /// The texts that the client was sent of each note, newest last.
    package var sights: [[SimSight]]
    package var lastSave: (note: Int, command: SaveNote, entry: SimChecker.Entry)?

    package init(store: Int, notes: Int) {
        (self.store, sights) = (store, Array(repeating: [], count: notes))
    }
}
