import Dependents
import NotesModel

/// The key of shared lines: a batch, and how much of each note they contain.
struct RenderedChangesKey: Hashable {
    let changeBatch: ChangeBatch
    let include: WatchDetail
}
