import Causality
import Console
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire
import TextMerge

/// An event that a `Browser` receives.
enum BrowserEvent {
    case key(Key)
    case resized(columns: Int, rows: Int)
    /// Time passed; see `Browser.deadline`.
    case clock
    /// The connection is open, for the first time or again. With `isReset`, changes were missed.
    case connected(own: DependentID?, user: ByteString? = nil, isReset: Bool)
    case disconnected
    /// A page of the list.
    case listed([Head], next: ListPlace?, isFirst: Bool, generation: Int)
    /// A page of a search.
    case found([Head], next: SearchPosition?, isFirst: Bool, generation: Int)
    /// A list or a search failed. With `isTemporary`, the daemon may answer it a little later.
    case failed(String, isTemporary: Bool, generation: Int)
    /// The daemon does not execute the query of a search.
    case unsearchable(SearchQueryFault, generation: Int)
    /// The number of notes in the store.
    case counted(Int)
    /// The watch of all notes reported a change.
    case changed(NoteChanged)
    /// The note that is shown, with its text, or as the watch reported it.
    case shown(NoteObject)
    /// The daemon responded to a request of the session of a note.
    case session(NoteID, EditEvent)
    /// Another program left a draft of the note, as the sentence says. With `isTakenUp`, its text can be saved.
    case draftFound(NoteID, String, isTakenUp: Bool)
    /// The user's new note.
    case created(Head)
    case presence(PresenceChanged)
    case history(NoteHistory)
    case links(NoteLinks)
    /// The note that a link means, if any.
    case linkResolved(LinkTarget, from: NoteID, Head?)
    case tags([TagCount])
    /// A note with its open conflicts.
    case conflicts(NoteObject)
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
    /// A page of the newest notes of a kind.
    case list(ListPlace, kind: NoteKind = .text, generation: Int)
    /// A page of a search. A later search replaces it.
    case search(SearchQuery, kind: NoteKind = .text, after: SearchPosition?, generation: Int)
    /// The number of notes in the store.
    case count
    /// Watches this note instead of the one before; nil watches none.
    case watch(NoteID?)
    case history(NoteID)
    /// The difference that a revision made to its parents.
    case difference(NoteID, RevisionSummary)
    /// The links out of a note and into it.
    case links(NoteID)
    /// The note that a link means.
    case resolveLink(LinkTarget, from: NoteID)
    /// The tags of all notes.
    case tags
    /// A note with its open conflicts.
    case conflicts(NoteID)
    /// Resolves conflicts of a note at the version that was shown.
    case resolve(NoteObject, ConflictResolution)
    case resolveInEditor(NoteID, ConflictID)
    case edit(NoteID)
    /// Opens a copy of a file in the program for its type.
    case openFile(NoteID)
    /// Deletes the note at the version that was shown.
    case delete(Head)
    /// A request of the session of a note.
    case write(NoteID, UInt64, EditWrite)
    case read(NoteID, UInt64, EditRead)
    /// The user is in the note, at this version and offset; nil without a place.
    case presence(NoteID, Version?, caret: Int)
    /// Writes the text of a note, which is based on a version, to a draft.
    case keepDraft(Head, [UInt8], base: Version)
    case removeDraft(NoteID)
    /// Saves the text of a draft that an interrupted program left.
    case resumeDraft(NoteID)
    /// Reports drafts of the note that an interrupted program left.
    case findDrafts(NoteID, [UInt8])
    case create(NoteName?)
    case rename(Head, String)
    /// Undoes the user's newest change.
    case undo(NoteID)
    case suspend
    case quit
}
