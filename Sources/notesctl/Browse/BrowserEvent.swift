import Causality
import NotesModel
import NotesWire

/// An event that a `Browser` receives.
enum BrowserEvent {
    case key(Key)
    case resized(columns: Int, rows: Int)
    /// Time passed; see `Browser.deadline`.
    case clock
    /// The connection is open, for the first time or again. With `isReset`, changes were missed.
    case connected(own: DependentID?, isReset: Bool)
    case disconnected
    /// A page of the list.
    case listed([Head], next: ListPlace?, isFirst: Bool, generation: Int)
    /// A page of a search.
    case found([Head], next: SearchPosition?, isFirst: Bool, generation: Int)
    /// A list or a search failed. With `isTemporary`, the daemon may answer it a little later.
    case failed(String, isTemporary: Bool, generation: Int)
    /// The number of notes in the store.
    case counted(Int)
    /// The watch of all notes reported a change.
    case changed(NoteChanged)
    /// The watch of the note that is shown reported its text.
    case shown(NoteObject)
    case presence(PresenceChanged)
    case history(NoteHistory)
    /// The difference that a revision made.
    case difference([UnifiedDiff.Line], of: Dot)
    /// A command ended; the sentence says how.
    case ended(String)
}

/// The newest revisions of a note, and what their table needs besides.
struct NoteHistory {
    let note: NoteID
    /// Newest first.
    let revisions: [RevisionSummary]
    /// See `HistoryTable`.
    var hidden: [RevisionSummary] = []
    var sides: Set<Dot> = []

    /// Most revisions shown.
    static let revisionsMax = 1_000
}

/// A request that a `Browser` returns.
enum BrowserRequest: Hashable {
    /// A page of the newest notes.
    case list(ListPlace, generation: Int)
    /// A page of a search. A later search replaces it.
    case search(SearchQuery, after: SearchPosition?, generation: Int)
    /// The number of notes in the store.
    case count
    /// Watches this note instead of the one before; nil watches none.
    case watch(NoteID?)
    case history(NoteID)
    /// The difference that a revision made to its parents.
    case difference(NoteID, RevisionSummary)
    case edit(NoteID)
    /// Deletes the note at the version that was shown.
    case delete(Head)
    /// Undoes the user's newest change.
    case undo(NoteID)
    case suspend
    case quit
}
