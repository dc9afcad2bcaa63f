package import Causality
package import NotesModel
package import NotesWire
package import TextMerge

/// An event that an `EditSession` receives.
package enum EditEvent: Sendable {
    /// The user changed the text. The edits apply to the session's text, and `caret` is an offset in
    /// the result. If `continues` is true, the change belongs to the same undo step as the one before.
    /// `before` is where the caret was before the change, to which an undo returns it.
    case changed([Edit], caret: Int, continues: Bool, before: Int? = nil)
    /// The user moved the caret; `anchor` is the other end of a selection.
    case moved(caret: Int, anchor: Int? = nil)
    /// The user came back to the note, so that the place has to be published again.
    case entered
    case undo, redo
    /// The user wants this text, such as an old version, as one step.
    case wanted([UInt8])
    /// A remote editor shows the offer with this number.
    case accepted(UInt64)
    /// A remote editor did not take the offer with this number. With `isBusy`, it takes none until it is
    /// ready.
    case declined(UInt64, isBusy: Bool)
    case ready
    /// The user wants to know when everything is durable.
    case saveAsked
    /// A line of the watch, with edits or a text.
    case watched(NoteObject)
    /// The daemon responded to the write with this number.
    case written(UInt64, OutcomeResult)
    /// The daemon responded to the read with this number.
    case read(UInt64, NoteObject)
    /// The daemon refused the request with this number.
    case refused(UInt64, WireError)
    /// The connection was restored, and the note is watched again.
    case connected
    case disconnected
    /// Time passed; see `EditSession.deadline`.
    case clock
    /// The user leaves the note.
    case closed
}

/// An action that an `EditSession` returns.
package enum EditAction: Hashable, Sendable {
    /// Send a write. The number names it in the event of its response.
    case write(UInt64, EditWrite)
    /// Read the note. The number names it in the event of its response.
    case read(UInt64, EditRead)
    /// The session's text changed by these edits, other than by `EditEvent.changed`; its caret may have
    /// moved too.
    case apply([Edit])
    /// Ask the remote editor to apply an edit to the text that it had after its change `changes`.
    case offer(EditOffer)
    /// Everything that the user typed up to this change is durable, and all steps up to the edit with number
    /// `offers`, which the editor accepted last.
    case saved(changes: UInt64, offers: UInt64, Version)
    /// The editor said something that cannot be; the session takes nothing more.
    case fault(EditorFault)
    /// Publish the caret and the other end of the selection as the user's presence.
    case presence(Version, caret: Int, anchor: Int)
    /// Everything is durable, as `saveAsked` requested.
    case durable(Version)
    case tell(EditNotice)
    /// Write the session's text to a draft.
    case keepDraft
    /// Remove the draft; the daemon has the text.
    case removeDraft
}

/// An edit that an `EditSession` offers to a remote editor.
package struct EditOffer: Hashable, Sendable {
    package enum Origin: Sendable { case others, undo, redo }

    package let number: UInt64
    package let changes: UInt64
    package let edits: [Edit]
    /// The version whose text the editor then shows, if the user typed nothing that is unsent.
    package let version: Version
    package let origin: Origin
    /// The place of the caret; nil if it stays with its character.
    package let caret: Int?
}

/// Why a session ended: its text and that of the editor are not the same.
package enum EditorFault: Hashable, Sendable {
    /// An edit lies outside the text, or divides a character, or is not UTF-8.
    case edit
    /// The editor accepted an edit after it had changed its text.
    case accepted
    /// Another session of this editor wrote on the version that the editor shows. A new session finds that
    /// write.
    case written
}

/// A write that an `EditSession` sends.
package enum EditWrite: Hashable, Sendable {
    case edit(EditNote)
    /// The merge of lines in place of the daemon's merge. The user has not seen it.
    case repair(EditNote)
    case save(SaveNote)
    case undo(UndoNote)
}

/// A read that an `EditSession` requests.
package enum EditRead: Hashable, Sendable {
    /// The current note, as edits from a version; nil for its text.
    case newest(from: Version?)
    /// The text of a version.
    case at(Version)
}

/// A fact that the user should know.
package enum EditNotice: Hashable, Sendable {
    /// The text cannot be saved now, for this reason. The session tries again.
    case refused(String)
    /// `saveAsked` found no connection.
    case offline
    /// Both the user and somebody else changed one place; the daemon marks a conflict.
    case clash
    /// An undo found a line that somebody else changed, and kept both.
    case bothKept
    case nothingToUndo, nothingToRedo
    /// Somebody deleted the note. Typing restores it.
    case deleted
    /// The session's copy of the text was not the daemon's, and was corrected.
    case drifted
    /// The daemon knows no version that the session has shown; nothing more is sent.
    case parted
}
