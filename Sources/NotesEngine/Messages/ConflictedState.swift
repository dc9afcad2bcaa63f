import Causality
import NotesModel

/// A note at a version at which conflicts are open.
struct ConflictedState: Hashable {
    let note: NoteID
    let version: Version
}
