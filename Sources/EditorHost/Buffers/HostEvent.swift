import Causality
import EditSession
import NoteTasks
import NoteText
import NotesModel
import NotesWire

/// An event that an `EditorHost` receives.
enum HostEvent: Sendable {
    case line(LineFramer.Event)
    /// The editor's input ended.
    case ended
    /// The daemon answers, or nil: does not.
    case daemon(HelloResult?)
    /// The note of a buffer was read, or could not be.
    case opened(EditorHost.Key, Result<OpenedNote, HostFailure>)
    /// The daemon sent a note of a buffer, with the event for its session, if it is one.
    case noted(EditorHost.Key, NoteObject, EditEvent?)
    case session(EditorHost.Key, EditEvent)
    /// The watch of a buffer's note began, for the first time or again.
    case watching(EditorHost.Key)
    case presence(PresenceChanged)
    /// The text of the version that a request wants back.
    case reverted(EditorHost.Key, RequestID, [UInt8])
    /// A request that the host only passes on has this response.
    case respond([UInt8])
    /// A note changed; nil if changes may have been missed.
    case listed(NoteObject?)
    /// The text of a note could not be kept in a draft.
    case draftFailed(NoteID, reason: String)
    /// Time passed; see `EditorHost.deadline`.
    case clock
}

/// Why a request for an editor failed.
enum HostFailure: Error {
    case refused(WireError)
    /// The daemon does not answer.
    case offline
}

/// An action that an `EditorHost` returns.
enum HostAction: Sendable {
    /// Send a line to the editor.
    case send([UInt8])
    /// Send one line if the newest text of the note is in a draft, and another if it could not be written.
    case sendAfterDraft(NoteID, kept: [UInt8], failed: [UInt8])
    /// Connect to the daemon under this label and writer, with the editor's unit of positions for what goes
    /// through.
    case connect(writer: String, label: ByteString, PositionEncoding)
    case open(EditorHost.Key, NoteOpening.Subject, ResumedText?)
    case watch(EditorHost.Key, NoteID)
    case unwatch(EditorHost.Key)
    case write(EditorHost.Key, UInt64, EditWrite)
    case read(EditorHost.Key, NoteID, UInt64, EditRead)
    case presence(NoteID, Version, Selection)
    /// Publish that the user is in no note.
    case absent
    /// Watch all notes.
    case watchList(NoteKind?)
    /// Read what a note is besides its text.
    case refresh(EditorHost.Key, NoteID)
    case rename(RequestID, EditorHost.Key, NoteID, Version, NameRequest)
    case delete(RequestID, EditorHost.Key, NoteID, Version)
    /// Save this text in place of a deletion.
    case restore(RequestID, EditorHost.Key, NoteID, name: ByteString?, [UInt8])
    case revert(RequestID, EditorHost.Key, NoteID, Version)
    case resolve(RequestID, EditorHost.Key, NoteID, conflict: ByteString, ConflictTake)
    /// Send a request to the daemon, and its response to the editor.
    case forward(RequestID, method: ByteString, params: [UInt8])
    case keepDraft(NoteID, name: ByteString, [UInt8], base: Version)
    /// Keep the text of a note that cannot be created now.
    case keepNewDraft(NoteID, name: ByteString, [UInt8])
    case removeDraft(NoteID)
    /// Leave the draft of a closed note to the next opening of the note.
    case leaveDraft(NoteID)
    /// Remove drafts of hosts that ended, if the note's text is in a draft of this one.
    case discard(NoteID, [KeptDraft.Left])
}

extension EditorFault {
    var sentence: String {
        switch self {
        case .edit: "an edit is outside the text, or divides a character"
        case .accepted: "an edit was accepted after the text had changed"
        case .written: "another host of this editor has written; open the note again with resume"
        }
    }
}

extension EditNotice {
    /// The kind of a notice and its sentence for the user.
    var words: (kind: String, sentence: String) {
        switch self {
        case .refused(let reason): ("refused", "This text cannot be saved now: \(reason)")
        case .offline: ("offline", "The daemon does not answer; the text is in a draft.")
        case .clash:
            ("clash", "You and somebody else changed the same line. Both texts are kept; choose under the conflicts.")
        case .bothKept: ("bothKept", "Somebody changed what this takes back; both are kept.")
        case .nothingToUndo: ("nothing", "There is nothing to undo.")
        case .nothingToRedo: ("nothing", "There is nothing to redo.")
        case .deleted: ("deleted", "Somebody deleted this note. Typing restores it.")
        case .drifted: ("drifted", "The text was not the daemon's, and was corrected.")
        case .parted: ("parted", "The daemon does not know this text; nothing more is sent. Copy what you need.")
        }
    }
}
