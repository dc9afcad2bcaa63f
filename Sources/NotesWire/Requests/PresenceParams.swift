package import Causality
package import NotesModel

/// Params of `presence.set`.
package struct PresenceParams: Hashable, Sendable {
    /// Where the user is; nil if the user has no note open.
    package var place: Position?

    package init(_ place: Position?) {
        self.place = place
    }

    /// A note that a user has open, and the selection in it.
    package struct Position: Hashable, Sendable {
        /// The open note.
        package var note: NoteID
        /// The version that the user sees; nil if the client does not say.
        package var version: Version?
        /// The selection in the text of `version`, so set only if `version` is.
        package var selection: SelectionObject?

        package init(note: NoteID, version: Version? = nil, selection: SelectionObject? = nil) {
            self.note = note
            self.version = version
            self.selection = selection
        }
    }
}
